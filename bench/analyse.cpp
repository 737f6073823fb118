// hwacha_analyse: the raw rows of a result folder -> its summary.json (schema/summary.schema.json).
#include <algorithm>
#include <atomic>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "core/probe.hpp"
#include "stats/quantiles.hpp"
#include "stats/statistics.hpp"

namespace {

using namespace hwacha::bench;
using nlohmann::json;

constexpr double confidence = 0.95;
constexpr int resamples = 5000;

// A run is called reliable if none of these is passed.
constexpr double least_accepted = 0.5;         // share of the blocks
constexpr double least_processor_share = 0.9;  // of the wall time
constexpr double most_again_spread = 0.03;     // of identical code
constexpr double most_control_error = 0.01;    // of a known ratio
constexpr double most_clock_drift = 0.05;      // of core cycles a tick, between processes

struct row {
    std::size_t cell, variant;
    double calls, ticks, before, after;
    long switches;
    std::optional<double> cycles, instructions;
};

struct observed {
    clusters ticks;  // a call, by process
    std::size_t total = 0;
    double reference = 0;  // what its probes are held to
    std::vector<double> calls, cycles, instructions;
    resampled drawn;

    std::vector<double> pooled() const {
        std::vector<double> all;
        for (const auto& c : ticks) all.insert(all.end(), c.begin(), c.end());
        return all;
    }
};

json read_json(const std::filesystem::path& path) {
    std::ifstream in(path);
    if (!in) throw std::runtime_error(path.string() + ": cannot be read");
    try {
        return json::parse(in);
    } catch (const json::exception& e) {
        throw std::runtime_error(path.string() + ": " + e.what());
    }
}

// ---- Raw rows -----------------------------------------------------------------------------------------------------

class fields {
  public:
    fields(const std::string& line, const std::string& where) : rest_(line), where_(where) {}

    template <class Number>
    std::optional<Number> next() {
        const std::size_t comma = std::min(rest_.find(','), rest_.size());
        const std::string_view text = rest_.substr(0, comma);
        rest_.remove_prefix(std::min(comma + 1, rest_.size()));
        if (text.empty()) return std::nullopt;
        Number value{};
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc() || end != text.data() + text.size()) fail();
        if constexpr (std::is_floating_point_v<Number>) {
            if (!std::isfinite(value)) fail();
        }
        return value;
    }
    template <class Number>
    Number need() {
        const auto value = next<Number>();
        if (!value) fail();
        return *value;
    }

    void end() const {
        if (!rest_.empty()) fail();
    }

  private:
    [[noreturn]] void fail() const { throw std::runtime_error(where_ + ": not a row of numbers"); }

    std::string_view rest_;
    const std::string& where_;
};

std::vector<row> read_rows(const std::filesystem::path& path) {
    std::ifstream in(path);
    std::string line;
    std::getline(in, line);
    if (!line.starts_with("cell,variant,round,calls,ticks,"))
        throw std::runtime_error(path.string() + ": not raw rows");
    std::vector<row> rows;
    for (int number = 2; std::getline(in, line); ++number) {
        const std::string where = path.string() + ":" + std::to_string(number);
        fields f(line, where);
        row r{};
        r.cell = f.need<std::size_t>();
        r.variant = f.need<std::size_t>();
        f.need<unsigned>();
        r.calls = f.need<double>();
        r.ticks = f.need<double>();
        r.before = f.need<double>();
        r.after = f.need<double>();
        r.switches = f.need<long>();
        for (int offset = 0; offset < 3; ++offset) f.need<unsigned>();
        r.cycles = f.next<double>();
        r.instructions = f.next<double>();
        f.end();
        rows.push_back(r);
    }
    return rows;
}

// ---- A result folder ----------------------------------------------------------------------------------------------

class analysis {
  public:
    explicit analysis(const std::filesystem::path& folder) : plan_(read_json(folder / "plan.json")) {
        if (plan_.value("format", 0) != 1)
            throw std::runtime_error((folder / "plan.json").string() + ": format 1 expected");
        if (std::filesystem::exists(folder / "environment.json")) environment_ = read_json(folder / "environment.json");
        if (std::filesystem::exists(folder / "objects.json")) objects_ = read_json(folder / "objects.json");
        read_raw(folder / "raw");
    }

    json summary() {
        std::vector<std::pair<std::size_t, std::size_t>> slots;
        json cells = json::array();
        for (std::size_t i = 0; i < observed_.size(); ++i) {
            const json& planned = plan_.at("cells")[i];
            cells.push_back(
                {{"operation", planned.at("operation")}, {"size", planned.at("size")}, {"variants", json::array()}});
            for (std::size_t k = 0; k < observed_[i].size(); ++k) {
                cells[i]["variants"].push_back(nullptr);
                slots.emplace_back(i, k);
            }
        }
        in_parallel(slots.size(), [&](std::size_t s) {
            const auto [i, k] = slots[s];
            cells[i]["variants"][k] = describe_variant(plan_.at("cells")[i].at("variants")[k], observed_[i][k], k);
        });
        json comparisons = compare();
        json controls = judge_controls(comparisons);
        judge_targets(cells);

        const double disturbed = blocks_ == 0 ? 1 : 1 - static_cast<double>(accepted_) / static_cast<double>(blocks_);
        if (disturbed > 1 - least_accepted) {
            reason("only " + percent(1 - disturbed) +
                   " of the blocks ran undisturbed by the contention probe's measure");
        }
        return {
            {"format", 1},
            {"suite", plan_.at("suite")},
            {"created", environment_.value("date", "")},
            {"seed", plan_.at("seed")},
            {"target", plan_.at("target")},
            {"environment", environment_},
            {"modules", modules_},
            {"controls", controls},
            {"reliable", reasons_.empty()},
            {"reasons", reasons_},
            {"probe",
             {{"reference", reference_}, {"tolerance", probe_tolerance}, {"blocks", blocks_}, {"accepted", accepted_}}},
            {"clusters", processes_},
            {"cells", cells},
            {"comparisons", comparisons},
            {"objects", objects_}};
    }

  private:
    static std::string percent(double share) {
        char text[32];
        std::snprintf(text, sizeof text, "%.1f %%", 100 * share);
        return text;
    }

    void reason(const std::string& text) { reasons_.push_back(text); }

    template <class Task>
    static void in_parallel(std::size_t tasks, Task task) {
        std::atomic<std::size_t> next{0};
        std::mutex mutex;
        std::exception_ptr problem;
        const auto work = [&] {
            try {
                for (std::size_t t = next++; t < tasks; t = next++) task(t);
            } catch (...) {
                const std::lock_guard lock(mutex);
                problem = std::current_exception();
            }
        };
        {
            std::vector<std::jthread> threads;
            for (unsigned i = 1; i < std::thread::hardware_concurrency(); ++i) threads.emplace_back(work);
            work();
        }
        if (problem) std::rethrow_exception(problem);
    }

    void read_raw(const std::filesystem::path& raw) {
        std::vector<std::vector<row>> by_process;
        std::vector<json> facts;
        std::vector<std::filesystem::path> files;
        if (std::filesystem::is_directory(raw)) {
            for (const auto& entry : std::filesystem::directory_iterator(raw)) {
                // A process that was stopped has rows but no facts; it does not count.
                const auto other = std::filesystem::path(entry.path()).replace_extension(".json");
                if (entry.path().extension() == ".csv" && std::filesystem::exists(other)) files.push_back(entry.path());
            }
        }
        if (files.empty()) throw std::runtime_error(raw.string() + ": no finished process (NN.csv and NN.json)");
        std::ranges::sort(files);
        for (auto file : files) {
            by_process.push_back(read_rows(file));
            facts.push_back(read_json(file.replace_extension(".json")));
        }
        processes_ = files.size();
        set_reference(by_process);
        sort_rows(by_process);
        read_facts(facts);
    }

    // The last word on acceptance: with the probes of all processes known.
    void set_reference(const std::vector<std::vector<row>>& by_process) {
        std::vector<double> probes;
        for (const auto& rows : by_process) {
            for (const row& r : rows) probes.insert(probes.end(), {r.before, r.after});
        }
        if (probes.empty()) throw std::runtime_error("no rows");
        std::ranges::sort(probes);
        reference_ = quantile_of_sorted(probes, probe_fast_quantile);
    }

    // What each variant is held to: the run's fast end, or that of the clock that its own wide registers leave.
    void set_own_references(const std::vector<std::vector<row>>& by_process) {
        std::map<std::pair<std::size_t, std::size_t>, std::vector<double>> slower;
        for (const auto& rows : by_process) {
            for (const row& r : rows) slower[{r.cell, r.variant}].push_back(std::max(r.before, r.after));
        }
        for (auto& [place, probes] : slower) {
            std::ranges::sort(probes);
            observed_[place.first][place.second].reference = fast_end_of_variant(reference_, probes);
        }
    }

    void sort_rows(const std::vector<std::vector<row>>& by_process) {
        for (const json& cell : plan_.at("cells")) {
            observed_.emplace_back(cell.at("variants").size());
            for (observed& o : observed_.back()) o.ticks.resize(by_process.size());
        }
        for (const auto& rows : by_process) {
            for (const row& r : rows) {
                if (r.cell >= observed_.size() || r.variant >= observed_[r.cell].size() || !(r.calls >= 1) ||
                    !(r.ticks > 0)) {
                    throw std::runtime_error("raw rows that are not of this plan");
                }
            }
        }
        set_own_references(by_process);
        for (std::size_t p = 0; p < by_process.size(); ++p) {
            for (const row& r : by_process[p]) {
                observed& o = observed_[r.cell][r.variant];
                ++o.total;
                ++blocks_;
                if (r.switches != 0 || !undisturbed(o.reference, r.before, r.after)) continue;
                ++accepted_;
                o.ticks[p].push_back(r.ticks / r.calls);
                o.calls.push_back(r.calls);
                if (r.cycles) o.cycles.push_back(*r.cycles / r.calls);
                if (r.instructions) o.instructions.push_back(*r.instructions / r.calls);
            }
        }
    }

    void read_facts(const std::vector<json>& facts) {
        const auto middle = [&](const char* key) {
            std::vector<double> values;
            for (const json& f : facts) values.push_back(f.at(key));
            return median(values);
        };
        for (const char* key : {"granularity", "empty_block", "ticks_per_second", "core_cycles_per_tick"}) {
            environment_[key] = middle(key);
        }
        environment_["clock"] = facts[0].at("clock");
        environment_["counters"] = facts[0].at("counters");
        modules_ = facts[0].at("modules");

        double wall = 0;
        double cpu = 0;
        double slow = facts[0].at("core_cycles_per_tick");
        double fast = slow;
        for (const json& f : facts) {
            wall += f.at("wall_seconds").get<double>();
            cpu += f.at("cpu_seconds").get<double>();
            slow = std::min(slow, f.at("core_cycles_per_tick").get<double>());
            fast = std::max(fast, f.at("core_cycles_per_tick").get<double>());
            if (f.at("outputs") != facts[0].at("outputs")) throw std::runtime_error("outputs differ between processes");
        }
        if (!(wall > 0)) throw std::runtime_error("wall_seconds: a time above 0 expected");
        environment_["processor_share"] = cpu / wall;
        if (cpu < least_processor_share * wall) {
            reason("another process took " + percent(1 - cpu / wall) + " of the processor's time");
        }
        if (fast > (1 + most_clock_drift) * slow) {
            reason("the core clock differed by " + percent(fast / slow - 1) + " between processes");
        }
    }

    static json describe_variant(const std::string& name, observed& o, std::uint64_t stream) {
        const std::vector<double> all = o.pooled();
        json v = {{"variant", name}, {"n", all.size()}, {"total", o.total}, {"probe_reference", o.reference}};
        if (all.empty()) return v;
        o.drawn = resample(o.ticks, resamples, 1, stream);
        const interval range = interval_of_median(o.drawn, confidence);
        const distribution d = describe(all);
        v["calls"] = median(o.calls);
        v["min"] = d.minimum;
        v["p5"] = d.p5;
        v["p25"] = d.p25;
        v["median"] = d.median;
        v["p75"] = d.p75;
        v["p95"] = d.p95;
        v["mad"] = d.deviation;
        v["low"] = range.low;
        v["high"] = range.high;
        v["histogram"] = histogram(all);
        v["cycles"] = o.cycles.empty() ? json() : json(median(o.cycles));
        v["instructions"] = o.instructions.empty() ? json() : json(median(o.instructions));
        return v;
    }

    // Logarithmic bins between the extremes, the slowest 1 % in the last one.
    static json histogram(std::vector<double> sorted) {
        constexpr std::size_t bins = 60;
        std::ranges::sort(sorted);
        const double from = std::max(sorted.front(), 1e-9);
        const double to = std::max(quantile_of_sorted(sorted, 0.99), from * 1.001);
        std::vector<int> counts(bins);
        for (const double x : sorted) {
            const double at = std::log(std::max(x, from) / from) / std::log(to / from) * bins;
            ++counts[std::min(static_cast<std::size_t>(at), bins - 1)];
        }
        return {{"from", from}, {"to", to}, {"counts", counts}};
    }

    // ---- Comparisons

    struct pair_of {
        std::size_t cell, slow, fast;
        json plan;
    };

    std::vector<pair_of> planned_pairs() const {
        std::vector<pair_of> pairs;
        for (std::size_t i = 0; i < observed_.size(); ++i) {
            const json& cell = plan_.at("cells")[i];
            const json& variants = cell.at("variants");
            const auto index = [&](const json& name) {
                const auto at = std::ranges::find(variants, name);
                if (at == variants.end())
                    throw std::runtime_error("plan: comparison with " + name.dump() + ", not in its cell");
                return static_cast<std::size_t>(at - variants.begin());
            };
            for (const json& c : cell.value("comparisons", json::array())) {
                const pair_of p{i, index(c.at("slow")), index(c.at("fast")), c};
                if (processes_with(observed_[i][p.slow], observed_[i][p.fast]) != 0) pairs.push_back(p);
            }
        }
        return pairs;
    }

    // Resamples are shared by the comparisons of a cell, unless a variant is missing in some process.
    static interval ratio_interval(const observed& slow, const observed& fast) {
        const std::size_t all = slow.ticks.size();
        if (slow.drawn.clusters == all && fast.drawn.clusters == all) {
            return interval_of_ratio(slow.drawn, fast.drawn, confidence);
        }
        return bootstrap_ratio(slow.ticks, fast.ticks, confidence, resamples, 1);
    }

    static std::size_t processes_with(const observed& a, const observed& b) {
        std::size_t n = 0;
        for (std::size_t p = 0; p < a.ticks.size(); ++p) n += !a.ticks[p].empty() && !b.ticks[p].empty();
        return n;
    }

    // Of the whole interval: where the bar lies in it, the run does not say; nor do fewer than three processes with
    // both variants. Null without a bar.
    static json verdict(const json& bar, const interval& range, std::size_t processes) {
        const json& least = bar.at("least");
        const json& most = bar.at("most");
        if (least.is_null() && most.is_null()) return nullptr;
        if (processes < 3) return "undecided";
        const double low = least.is_null() ? 0 : least.get<double>();
        const double high = most.is_null() ? std::numeric_limits<double>::infinity() : most.get<double>();
        if (range.low >= low && range.high <= high) return "met";
        return range.high < low || range.low > high ? "missed" : "undecided";
    }

    json compare() {
        const std::vector<pair_of> pairs = planned_pairs();
        std::vector<json> results(pairs.size());
        in_parallel(pairs.size(), [&](std::size_t i) {
            const pair_of& p = pairs[i];
            const observed& slow = observed_[p.cell][p.slow];
            const observed& fast = observed_[p.cell][p.fast];
            const mann_whitney u = mann_whitney_u(slow.pooled(), fast.pooled());
            const interval range = ratio_interval(slow, fast);
            results[i] = {{"cell", p.cell},
                          {"slow", p.plan.at("slow")},
                          {"fast", p.plan.at("fast")},
                          {"kind", p.plan.at("kind")},
                          {"chain", p.plan.value("chain", json())},
                          {"step", p.plan.value("step", json())},
                          {"expected", p.plan.value("expected", json())},
                          {"ratio", slow.drawn.median / fast.drawn.median},
                          {"low", range.low},
                          {"high", range.high},
                          {"log10_p", u.log10_p},
                          {"cliffs_delta", u.cliffs_delta},
                          {"effect", effect_class(u.cliffs_delta)}};
            if (p.plan.at("kind") == "bar") {
                for (const char* key : {"name", "least", "most"}) results[i][key] = p.plan.at(key);
                results[i]["verdict"] = verdict(p.plan, range, processes_with(slow, fast));
            }
        });
        std::vector<double> log10_p;
        for (const json& r : results) log10_p.push_back(r.at("log10_p"));
        const std::vector<double> adjusted = holm(log10_p);
        for (const json& r : results) {
            if (r.at("kind") != "again") continue;
            const double ratio = r.at("ratio");
            const double spread = std::max(ratio, 1 / ratio) - 1;
            if (spread >= again_spread_) most_spread_cell_ = r.at("cell");
            again_spread_ = std::max(again_spread_, spread);
        }
        for (std::size_t i = 0; i < results.size(); ++i) {
            json& r = results[i];
            r["log10_p_holm"] = adjusted[i];
            r["real"] = is_real(r.at("ratio"), {r.at("low"), r.at("high")}, again_spread_);
        }
        return results;
    }

    json judge_controls(const json& comparisons) {
        json again = json::array();
        json known = json::array();
        for (std::size_t i = 0; i < comparisons.size(); ++i) {
            const json& c = comparisons[i];
            if (c.at("kind") == "again") again.push_back(i);
            if (c.at("kind") != "known") continue;
            known.push_back(i);
            const double error = c.at("ratio").get<double>() / c.at("expected").get<double>() - 1;
            if (std::abs(error) > most_control_error) {
                reason("the control with the known ratio " + c.at("expected").dump() + " was off by " +
                       percent(std::abs(error)));
            }
        }
        if (again_spread_ > most_again_spread) {
            reason("identical code under two names differed by " + percent(again_spread_) + ": " +
                   cell_name(most_spread_cell_));
        }
        return {{"again_spread", again.empty() ? json() : json(again_spread_)}, {"again", again}, {"known", known}};
    }

    // Cells with an operation above a millisecond are boxed by time; all others are meant to reach the target.
    void judge_targets(json& cells) {
        const std::size_t target = plan_.at("target");
        const double millisecond = environment_.at("ticks_per_second").get<double>() / 1000;
        std::size_t short_of_target = 0;
        std::vector<std::size_t> places;  // cells of them
        for (std::size_t i = 0; i < cells.size(); ++i) {
            json& variants = cells[i]["variants"];
            const bool boxed = std::ranges::any_of(variants, [&](const json& v) {
                return v.contains("median") && v.at("median").get<double>() >= millisecond;
            });
            for (json& v : variants) {
                const bool met = v.at("n").get<std::size_t>() >= target;
                v["target_met"] = met;
                if (met || boxed) continue;
                ++short_of_target;
                if (places.empty() || places.back() != i) places.push_back(i);
            }
        }
        if (short_of_target == 0) return;
        constexpr std::size_t named = 3;
        std::string where;
        for (std::size_t i = 0; i < std::min(named, places.size()); ++i)
            where += (i ? "; " : "") + cell_name(places[i]);
        if (places.size() > named) where += "; and " + std::to_string(places.size() - named) + " more";
        reason(std::to_string(short_of_target) + " variants in cells below a millisecond have fewer than " +
               std::to_string(target) + " accepted observations: " + where);
    }

    std::string cell_name(std::size_t i) const {
        const json& cell = plan_.at("cells").at(i);
        return cell.at("operation").get<std::string>() + ", " + std::to_string(cell.at("size").get<std::size_t>()) +
               " bytes";
    }

    json plan_;
    json environment_ = json::object();
    json objects_;
    json modules_;
    std::vector<std::vector<observed>> observed_;  // by cell and variant
    std::size_t processes_ = 0, blocks_ = 0, accepted_ = 0;
    double reference_ = 0, again_spread_ = 0;
    std::size_t most_spread_cell_ = 0;
    std::vector<std::string> reasons_;
};

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("Turns the raw rows of a result folder into its summary.json.", "hwacha_analyse");
    std::string folder;
    app.add_option("FOLDER", folder, "Result folder with plan.json and raw/")->required();
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        return app.exit(e) == 0 ? 0 : 2;
    }
    try {
        const std::string text = analysis(folder).summary().dump(1);
        std::ofstream out(std::filesystem::path(folder) / "summary.json");
        out << text << '\n';
        out.close();
        if (!out) throw std::runtime_error(folder + "/summary.json: cannot be written");
        return 0;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "hwacha_analyse: %s\n", e.what());
        return 3;
    }
}
