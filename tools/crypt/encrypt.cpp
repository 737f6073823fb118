// encrypt and keygen: what makes files.
#include <bit>
#include <charconv>
#include <chrono>

#include <sys/stat.h>

#include <hwacha/kdf.hpp>
#include <hwacha/random.hpp>

#include "crypt/cleanup.hpp"
#include "crypt/opened.hpp"
#include "crypt/pipeline.hpp"
#include "crypt/progress.hpp"
#include "crypt/run.hpp"

namespace hwacha::tool {
namespace {

using namespace crypt;

// What a passphrase may cost whoever opens the file, and a guess whoever does not know it.
constexpr std::chrono::duration<double> wanted_time{0.5};
constexpr std::uint32_t most_calibrated = 4'000'000;

template <std::size_t N>
secret<N> random_secret() {
    secret<N> bytes;
    const status s = random_bytes(bytes);
    if (s != status::ok) throw error(s, std::string(to_string(s)));
    return bytes;
}

std::uint32_t calibrated_iterations() {
    using clock = std::chrono::steady_clock;
    std::uint32_t iterations = 4096;
    for (;;) {
        secret<48> derived;
        const auto start = clock::now();
        const status s = pbkdf2_hmac_lsh(lsh_variant::lsh512_512, bytes_of("calibration"), bytes_of("calibration"),
                                         iterations, derived);
        if (s != status::ok) throw error(s, std::string(to_string(s)));
        const std::chrono::duration<double> took = clock::now() - start;
        if (took < wanted_time / 25 && iterations < most_calibrated) {
            iterations *= 2;
            continue;
        }
        const double fit = iterations * (wanted_time / took);
        const double least = least_written_iterations;
        const double most = most_calibrated;
        // In thousands: the exact number would tell of the machine.
        return static_cast<std::uint32_t>(std::clamp(fit, least, most)) / 1000 * 1000;
    }
}

unsigned chunk_log2(const std::string& text) {
    std::uint64_t size = 0;
    const char* const end = text.data() + text.size();
    auto [at, failed] = std::from_chars(text.data(), end, size);
    if (failed == std::errc() && at + 1 == end && (*at == 'K' || *at == 'M')) {
        size = size > (1U << 20) ? 0 : size << (*at == 'K' ? 10 : 20);
        ++at;
    }
    if (failed != std::errc() || at != end || !std::has_single_bit(size) || size < 1U << least_chunk_log2 ||
        size > 1U << most_chunk_log2) {
        throw usage_refused("--chunk-size " + text + ": a power of two from 4096 (4K) to 16777216 (16M) is needed");
    }
    return static_cast<unsigned>(std::countr_zero(size));
}

void demand_usable(const crypt_options& options) {
    if (const char* why = why_no_comment(options.comment)) throw usage_refused(std::string("the comment is ") + why);
    if (options.iterations && *options.iterations < least_written_iterations) {
        throw usage_refused(
            fmt::format("--iterations {}: at least {} are needed", *options.iterations, least_written_iterations));
    }
}

// A header for these holders, and the file key.
header make_header(const crypt_options& options, const crypt::holders& holders, unsigned log2, file_key& key) {
    if (holders.keys.size() + holders.passphrases.size() > most_slots) {
        throw usage_refused("a file has at most 64 keys and passphrases");
    }
    key = random_secret<32>();
    std::uint32_t iterations = 0;
    if (!holders.passphrases.empty()) iterations = options.iterations ? *options.iterations : calibrated_iterations();
    std::vector<std::vector<std::byte>> slots;
    for (const secret<32>& k : holders.keys) slots.push_back(write_key_slot(key, k, random_secret<32>()));
    for (const secret_buffer& p : holders.passphrases) {
        slots.push_back(write_passphrase_slot(key, p.bytes(), iterations, random_secret<32>()));
    }
    return write_header(options.comment, log2, random_secret<32>(), slots, key);
}

void refuse_terminal(const output_file& to, const crypt_options& options) {
    if (!options.armor && to.is_terminal()) {
        throw usage_refused("binary output is not for a terminal: give -o FILE, or --armor");
    }
}

std::uint64_t size_hint(const file_source& file) {
    struct stat s;
    return file.is_regular() && ::fstat(file.descriptor(), &s) == 0 && s.st_size > 0
               ? static_cast<std::uint64_t>(s.st_size)
               : 0;
}

// Writes a file by `fill`, in armor or not.
template <class Fill>
void write_file(output_file& to, bool armored, file_type type, Fill fill) {
    to.open();
    if (armored) {
        armor_sink armor(type, to);
        fill(armor);
        armor.finish();
    } else {
        fill(to);
    }
    to.commit();
}

}  // namespace

int run_encrypt(const crypt_options& options, diagnostics& err) {
    return reporting(err, [&] {
        if (options.key_files.empty() && !options.has_passphrases()) {
            throw usage_refused("who is to open the file? Give -k KEYFILE (see 'hwacha keygen') or -p");
        }
        const unsigned log2 = options.chunk_size ? chunk_log2(*options.chunk_size) : default_chunk_log2;
        demand_usable(options);
        handle_signals();
        credentials given(options);
        file_source from(options.input);
        std::vector<file_identity> inputs = given.files();
        if (from.keeps_contents()) inputs.push_back(from.identity());
        output_file to(options.output, options.force, inputs);
        refuse_terminal(to, options);
        given.complete(true);
        file_key key;
        const header head = make_header(options, given.holders(), log2, key);
        const chunk_cipher cipher(head.bytes, key);
        file_progress shown(options.progress, size_hint(from));
        write_file(to, options.armor, file_type::encrypted, [&](sink& s) {
            s.write(head.bytes);
            pipeline_options how;
            how.threads = threads_of(options);
            how.wrote = [&](std::size_t n) { shown.add(n); };
            naming(from.name(), [&] { seal_payload(cipher, head.chunk_size(), from, s, how); });
        });
        return exit_done;
    });
}

int run_keygen(const crypt_options& options, diagnostics& err) {
    return reporting(err, [&] {
        demand_usable(options);
        handle_signals();
        credentials given(options);
        output_file to(options.output, options.force, given.files());
        refuse_terminal(to, options);
        given.complete(true);
        const secret_buffer plain = write_secret_key({options.comment, random_secret<32>()});
        if (given.empty()) {
            write_file(to, options.armor, file_type::secret_key, [&](sink& s) { s.write(plain.bytes()); });
            return exit_done;
        }
        file_key key;
        const header head = make_header(options, given.holders(), least_chunk_log2, key);
        const chunk_cipher cipher(head.bytes, key);
        write_file(to, options.armor, file_type::encrypted, [&](sink& s) {
            s.write(head.bytes);
            memory_source from(plain.bytes());
            seal_payload(cipher, head.chunk_size(), from, s);
        });
        return exit_done;
    });
}

}  // namespace hwacha::tool
