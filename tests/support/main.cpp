// hwacha_tests [--tables=LEVEL[,LEVEL...]] [--scale=emulator|quick|full] [--require-vectors] [--vectors=FOLDER] [gtest
// options]
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include <hwacha/cpu.hpp>

#include "support/run.hpp"

namespace {

using namespace hwacha;

[[noreturn]] void usage(const std::string& what) {
    std::fprintf(stderr,
                 "hwacha_tests: %s\n"
                 "  --tables=LEVEL[,LEVEL...]    only these kernel tables; one that does not run is a failure\n"
                 "  --scale=emulator|quick|full  how much (environment: HWACHA_TEST_SCALE); default quick\n"
                 "  --vectors=FOLDER             official vector files (environment: HWACHA_VECTORS)\n"
                 "  --require-vectors            missing official files are a failure\n",
                 what.c_str());
    std::exit(2);
}

test::scale parse_scale(std::string_view text) {
    if (text == "emulator") return test::scale::emulator;
    if (text == "quick") return test::scale::quick;
    if (text == "full") return test::scale::full;
    usage("unknown scale " + std::string(text));
}

test::run_options parse(int argc, char** argv) {
    test::run_options o;
    if (const char* s = std::getenv("HWACHA_TEST_SCALE")) o.at = parse_scale(s);
    o.vectors = HWACHA_VECTORS_DIR;
    if (const char* s = std::getenv("HWACHA_VECTORS")) o.vectors = s;
    for (int i = 1; i < argc; ++i) {
        std::string_view a = argv[i];
        const auto value_of = [&](std::string_view name) {
            if (!a.starts_with(name)) return false;
            a.remove_prefix(name.size());
            return true;
        };
        if (value_of("--tables=")) {
            while (!a.empty()) {
                const std::size_t end = std::min(a.find(','), a.size());
                o.levels.emplace_back(a.substr(0, end));
                a.remove_prefix(std::min(end + 1, a.size()));
            }
            if (o.levels.empty()) usage("--tables= names no level");
        } else if (value_of("--scale=")) {
            o.at = parse_scale(a);
        } else if (value_of("--vectors=")) {
            o.vectors = a;
        } else if (a == "--require-vectors") {
            o.require_vectors = true;
        } else {
            usage("unknown option " + std::string(a));
        }
    }
    if (!o.vectors.empty() && !std::filesystem::is_directory(o.vectors)) o.vectors.clear();
    return o;
}

void print_environment(const test::run_options& o) {
    const cpu_report cpu = describe_cpu();
    std::printf("compiler: %s\nbuild: %s\n", HWACHA_TEST_COMPILER, HWACHA_TEST_BUILD);
    std::printf("processor: %s; %zu-bit, %s\n",
                cpu.features.empty() ? "nothing the kernels ask for" : cpu.features.c_str(), 8 * sizeof(void*),
                std::endian::native == std::endian::big ? "big-endian" : "little-endian");
    if (!cpu.cap.empty()) std::printf("cap: %s\n", cpu.cap.c_str());
    if (!cpu.complaint.empty()) std::printf("complaint: %s\n", cpu.complaint.c_str());
    for (const kernel_info& k : cpu.kernels) {
        constexpr const char* states[] = {"chosen", "usable", "above the cap", "not supported"};
        std::printf("kernel: %.*s %.*s %s (%s)\n", static_cast<int>(k.algorithm.size()), k.algorithm.data(),
                    static_cast<int>(k.table.size()), k.table.data(), states[static_cast<int>(k.state)],
                    k.reason.c_str());
    }
    constexpr const char* scales[] = {"emulator", "quick", "full"};
    const char* seed = std::getenv("HWACHA_TEST_SEED");
    std::printf("scale: %s; seed: %s; official vectors: %s\n", scales[static_cast<int>(o.at)],
                seed != nullptr ? seed : "0", o.vectors.empty() ? "not at hand" : o.vectors.c_str());
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    const test::run_options o = parse(argc, argv);
    test::set_options(o);
    print_environment(o);

    const std::string filter = testing::GTEST_FLAG(filter);
    const std::string wanted = filter.substr(0, filter.find('-'));
    const bool partial = !wanted.empty() && wanted != "*";
    const bool listing = testing::GTEST_FLAG(list_tests);
    const int failed = RUN_ALL_TESTS();
    if (listing) return failed;
    const bool good = test::report_tables(partial);
    std::fflush(stdout);
    return failed != 0 ? failed : good ? 0 : 1;
}
