// The statistics of the harness for the oracle (scipy_oracle.py): a JSON object a line in, one a line out. Numbers are
// written so that they read back as the same doubles. An object may hold
//   {"sample": [..], "p": [..]}                                         describe, quantiles
//   {"first": [..], "second": [..]}                                     Mann-Whitney, effect
//   {"clusters": [[..]..], "second_clusters": [[..]..]?, "confidence": c, "resamples": n, "seed": s}    bootstrap
//   {"z": [..]}                                                         log10 of the two-sided p
//   {"log10_p": [..]}                                                   Holm
#include <algorithm>
#include <iostream>
#include <string>

#include <nlohmann/json.hpp>

#include "stats/statistics.hpp"

namespace {

using namespace hwacha::bench;
using nlohmann::json;
using numbers = std::vector<double>;

json as_json(interval i) {
    return {i.low, i.high};
}

json answer(const json& q) {
    json a = json::object();
    if (q.contains("sample")) {
        const numbers v = q["sample"];
        const distribution d = describe(v);
        a["describe"] = {d.minimum, d.p5, d.p25, d.median, d.p75, d.p95, d.maximum, d.deviation};
        a["median"] = median(v);
        a["mad"] = median_absolute_deviation(v);
        numbers sorted = v;
        std::sort(sorted.begin(), sorted.end());
        for (const double p : q["p"]) a["quantiles"].push_back(quantile_of_sorted(sorted, p));
    }
    if (q.contains("first")) {
        const mann_whitney m = mann_whitney_u(q["first"].get<numbers>(), q["second"].get<numbers>());
        a["u"] = m.u;
        a["z"] = m.z;
        a["log10_p"] = m.log10_p;
        a["cliffs_delta"] = m.cliffs_delta;
        a["effect"] = effect_class(m.cliffs_delta);
    }
    if (q.contains("clusters")) {
        const clusters x = q["clusters"];
        const double confidence = q["confidence"];
        const int resamples = q["resamples"];
        const std::uint64_t seed = q["seed"];
        a["interval"] = as_json(bootstrap_median(x, confidence, resamples, seed));
        if (q.contains("second_clusters")) {
            a["ratio_interval"] = as_json(bootstrap_ratio(x, q["second_clusters"], confidence, resamples, seed));
        }
    }
    if (q.contains("z")) {
        for (const double z : q["z"]) a["log10_p_of_z"].push_back(log10_two_sided_p(z));
    }
    if (q.contains("log10_p")) a["holm"] = holm(q["log10_p"].get<numbers>());
    return a;
}

}  // namespace

int main() {
    std::string line;
    while (std::getline(std::cin, line)) {
        json a;
        try {
            a = answer(json::parse(line));
        } catch (const std::exception& e) {
            a = {{"error", e.what()}};
        }
        std::cout << a.dump() << '\n';
    }
}
