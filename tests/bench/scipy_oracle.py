#!/usr/bin/env python3
"""The statistics of the harness against NumPy and SciPy, live: samples of many shapes and sizes.

scipy_oracle.py STATS_CLI [VECTORS]

STATS_CLI is the program of stats_cli.cpp. VECTORS is the folder with stats-fixtures; without it that part is skipped.
"""
import csv
import json
import math
import pathlib
import subprocess
import sys
import unittest

import numpy as np
from scipy import special, stats

CLI = ""
VECTORS = None
LN10 = math.log(10)
LEVELS = [0, 0.001, 0.025, 0.05, 0.1, 0.25, 1 / 3, 0.5, 0.75, 0.9, 0.95, 0.975, 0.999, 1]


def ask(*questions):
    """The program's answers."""
    text = "".join(json.dumps(question) + "\n" for question in questions)
    done = subprocess.run([CLI], input=text, capture_output=True, text=True, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(questions), done.stderr
    return answers


SHAPES = {
    "normal": lambda rng, n: rng.normal(1000, 20, n),
    "around zero": lambda rng, n: rng.normal(0, 1, n),
    "log-normal": lambda rng, n: rng.lognormal(7, 0.5, n),
    "heavy tail": lambda rng, n: 1000 + np.abs(rng.standard_cauchy(n)),
    "ticks": lambda rng, n: np.round(rng.lognormal(7, 0.02, n) / 25) * 25 / 30,
    "five values": lambda rng, n: rng.integers(1, 6, n).astype(float),
    "two values": lambda rng, n: rng.integers(1, 3, n).astype(float),
    "constant": lambda rng, n: np.full(n, 7.5),
    "tiny": lambda rng, n: rng.lognormal(-600, 1, n),
    "huge": lambda rng, n: rng.lognormal(600, 1, n),
}
SIZES = [1, 2, 3, 4, 5, 8, 17, 50, 101, 200, 999, 3000]


def pairs(rng):
    """Name, first sample, second sample."""
    for shape, draw in SHAPES.items():
        for n in SIZES:
            for m in {n, 1, 40, 1500}:
                yield f"{shape}, {n} and {m}", draw(rng, n), draw(rng, m)
    for shape in ("normal", "log-normal", "heavy tail", "ticks"):
        for factor in (1.001, 1.01, 1.05, 1.25, 3, 100):
            for n in (20, 300, 2000):
                yield f"{shape}, {n}, times {factor}", factor * SHAPES[shape](rng, n), SHAPES[shape](rng, n)
                yield f"{shape}, {n}, by {factor}", SHAPES[shape](rng, n), factor * SHAPES[shape](rng, n)
    same = rng.normal(100, 5, 500)
    yield "the same sample", same, same
    yield "all ties but one", np.r_[np.full(300, 1.0), 2], np.full(300, 1.0)
    yield "separated", rng.normal(10, 1, 3000), rng.normal(1000, 1, 3000)
    yield "different constants", np.full(2000, 2.0), np.full(2000, 3.0)


def log_normal_tail(z):
    """log10 of P(|Z| >= |z|)."""
    return (math.log(2) + special.log_ndtr(-abs(z))) / LN10


def deviate(x, y):
    """z of the Mann-Whitney test, from midranks."""
    n, m = len(x), len(y)
    u = stats.rankdata(np.r_[x, y])[:n].sum() - n * (n + 1) / 2
    ties = stats.tiecorrect(stats.rankdata(np.r_[x, y]))
    s = math.sqrt(n * m * (n + m + 1) / 12 * ties)
    distance = max(0, abs(u - n * m / 2) - 0.5)
    return u, math.copysign(distance / s, u - n * m / 2) if s > 0 else 0.0


def holm(p):
    """Adjusted p-values."""
    order = sorted(range(len(p)), key=lambda i: p[i])
    adjusted, largest = [0.0] * len(p), 0.0
    for k, i in enumerate(order):
        largest = max(largest, min(1.0, p[i] * (len(p) - k)))
        adjusted[i] = largest
    return adjusted


def hierarchical(rng, first, second, resamples):
    """Medians of resamples of both: clusters drawn in pairs, then observations."""
    a, b = np.empty(resamples), np.empty(resamples)
    for r in range(resamples):
        drawn = rng.integers(0, len(first), len(first))
        a[r] = np.median(np.concatenate([rng.choice(first[c], len(first[c])) for c in drawn]))
        b[r] = np.median(np.concatenate([rng.choice(second[c], len(second[c])) for c in drawn]))
    return a, b


def ratio_of_medians(x, y, axis):
    return np.median(x, axis=axis) / np.median(y, axis=axis)


def bootstrap(x, y, **options):
    """What the program answers for two variants."""
    return ask({"clusters": [list(c) for c in x], "second_clusters": [list(c) for c in y], **options})[0]


def widening(k, confidence):
    if k == 1:
        return 1.0
    p = (1 + confidence) / 2
    return stats.t.ppf(p, k - 1) / stats.norm.ppf(p) * math.sqrt(k / (k - 1))


class Oracle(unittest.TestCase):
    def near(self, ours, theirs, relative, absolute=0.0):
        self.assertTrue(math.isfinite(ours))
        self.assertLessEqual(abs(ours - theirs), relative * abs(theirs) + absolute, f"{ours!r} and {theirs!r}")

    def test_quantiles_median_and_deviation(self):
        rng = np.random.default_rng(1)
        samples = [(f"{shape}, {n}", draw(rng, n)) for shape, draw in SHAPES.items() for n in SIZES]
        answers = ask(*({"sample": list(x), "p": LEVELS} for _, x in samples))
        for (name, x), a in zip(samples, answers):
            with self.subTest(name):
                size = np.abs(x).max()
                for p, ours in zip(LEVELS, a["quantiles"]):
                    self.near(ours, np.quantile(x, p, method="linear"), 0, 4e-16 * size)
                self.assertEqual(a["median"], np.median(x))
                self.assertEqual(a["mad"], stats.median_abs_deviation(x))
                levels = [0, 0.05, 0.25, 0.5, 0.75, 0.95, 1]
                expected = [*np.quantile(x, levels), stats.median_abs_deviation(x)]
                for ours, theirs in zip(a["describe"], expected):
                    self.near(ours, theirs, 0, 4e-16 * size)

    def test_mann_whitney_and_effect(self):
        samples = list(pairs(np.random.default_rng(2)))
        self.assertGreater(len(samples), 400)
        answers = ask(*({"first": list(x), "second": list(y)} for _, x, y in samples))
        underflows = 0
        for (name, x, y), a in zip(samples, answers):
            with self.subTest(name), np.errstate(divide="ignore", invalid="ignore"):
                theirs = stats.mannwhitneyu(x, y, use_continuity=True, alternative="two-sided", method="asymptotic")
                u, z = deviate(x, y)
                self.assertEqual(a["u"], theirs.statistic)
                self.assertEqual(a["u"], u)
                self.near(a["z"], z, 1e-12)
                self.near(a["log10_p"], log_normal_tail(z), 1e-12, 1e-15)
                if theirs.pvalue > 1e-300:
                    self.near(10 ** a["log10_p"], theirs.pvalue, 1e-9)
                else:
                    underflows += 1
                    self.assertLess(a["log10_p"], -299)
                delta = 2 * theirs.statistic / (len(x) * len(y)) - 1
                self.near(a["cliffs_delta"], delta, 0, 1e-15)
                if len(x) * len(y) <= 40000:
                    self.near(a["cliffs_delta"], np.sign(x[:, None] - y[None, :]).mean(), 0, 1e-12)
                limits = [(0.147, "negligible"), (0.33, "small"), (0.474, "medium"), (2, "large")]
                self.assertEqual(a["effect"], next(word for limit, word in limits if abs(a["cliffs_delta"]) < limit))
        self.assertGreater(underflows, 10)

    def test_logarithm_of_p(self):
        z = np.r_[0, np.linspace(1e-3, 45, 3000), np.geomspace(36, 1e6, 500), -3, -60]
        for at, ours in zip(z, ask({"z": list(z)})[0]["log10_p_of_z"]):
            with self.subTest(z=at):
                self.near(ours, log_normal_tail(at), 1e-13, 1e-15)

    def test_holm(self):
        rng = np.random.default_rng(3)
        families = [10.0 ** -(rng.exponential(2, n)) for n in (1, 2, 3, 10, 28, 280) for _ in range(20)]
        families += [np.full(5, 0.01), np.ones(4), np.array([1e-200, 1e-250, 0.5, 0.5])]
        for p, a in zip(families, ask(*({"log10_p": list(np.log10(p))} for p in families))):
            for ours, theirs in zip(a["holm"], holm(list(p))):
                self.near(10**ours, theirs, 1e-11)

    def between(self, bound, distribution, q, resamples, map_to=lambda x: x):
        """A percentile of ours among SciPy's resamples, five standard errors of both apart at most."""
        off = 5 * math.sqrt(q * (1 - q) * (1 / resamples + 1 / len(distribution)))
        low, high = np.quantile(distribution, [max(0, q - off), min(1, q + off)])
        slack = 1e-12 * abs(bound)
        self.assertLessEqual(map_to(low) - slack, bound)
        self.assertGreaterEqual(map_to(high) + slack, bound)

    def test_bootstrap_of_one_cluster(self):
        rng = np.random.default_rng(4)
        resamples = 20000
        for shape in ("normal", "log-normal", "heavy tail", "ticks", "five values", "constant"):
            for n, m in ((2, 3), (15, 16), (120, 151)):
                x, y = SHAPES[shape](rng, n), SHAPES[shape](rng, m)
                a = bootstrap([x], [y], confidence=0.95, resamples=resamples, seed=n)
                with self.subTest(f"{shape}, {n} and {m}"):
                    options = {"n_resamples": 8000, "method": "percentile", "vectorized": True, "random_state": rng}
                    median = stats.bootstrap((x,), np.median, **options).bootstrap_distribution
                    ratio = stats.bootstrap((x, y), ratio_of_medians, **options).bootstrap_distribution
                    for q, i in ((0.025, 0), (0.975, 1)):
                        self.between(a["interval"][i], median, q, resamples)
                        self.between(a["ratio_interval"][i], ratio, q, resamples)

    def test_bootstrap_of_clusters(self):
        rng = np.random.default_rng(5)
        resamples = 20000
        for k, n, confidence in ((2, 20, 0.95), (5, 13, 0.9), (10, 30, 0.95), (10, 30, 0.99)):
            process = rng.lognormal(7, 0.03, k)
            x = [c * rng.lognormal(0, 0.02, n + i) for i, c in enumerate(process)]
            y = [c * rng.lognormal(0, 0.02, n + 2 * i) for i, c in enumerate(process)]
            a = bootstrap(x, y, confidence=confidence, resamples=resamples, seed=k)
            medians, others = hierarchical(rng, x, y, 4000)
            factor = widening(k, confidence)
            for ours, theirs, estimate in (
                (a["interval"], medians, np.median(np.concatenate(x))),
                (a["ratio_interval"], medians / others, np.median(np.concatenate(x)) / np.median(np.concatenate(y))),
            ):
                for i, q in enumerate(((1 - confidence) / 2, (1 + confidence) / 2)):
                    with self.subTest(clusters=k, q=q):
                        self.between(ours[i], theirs, q, resamples, lambda v, e=estimate: e * (v / e) ** factor)

    def test_contract(self):
        bad = [
            {"sample": [], "p": []},
            {"sample": [1], "p": [1.5]},
            {"first": [], "second": [1]},
            {"first": [1], "second": []},
            {"clusters": [[]], "confidence": 0.95, "resamples": 1000, "seed": 1},
            {"clusters": [[1, -1]], "confidence": 0.95, "resamples": 1000, "seed": 1},
            {"clusters": [[1]], "second_clusters": [[1], [2]], "confidence": 0.95, "resamples": 1000, "seed": 1},
            {"clusters": [[1]], "confidence": 1, "resamples": 1000, "seed": 1},
        ]
        for question, a in zip(bad, ask(*bad)):
            self.assertEqual(list(a), ["error"], question)

    def test_shared_samples(self):
        folder = pathlib.Path(VECTORS or "") / "stats-fixtures"
        if not VECTORS or not folder.is_dir():
            self.skipTest("no shared samples")
        for expected in json.loads((folder / "expected.json").read_text()):
            with self.subTest(expected["file"]), open(folder / expected["file"], newline="", encoding="ascii") as file:
                rows = list(csv.DictReader(file))
                slow = [float(row["baseline"]) for row in rows if row["baseline"]]
                fast = [float(row["variant"]) for row in rows if row["variant"]]
                test, median_of_slow, median_of_fast, bootstrap = ask(
                    {"first": fast, "second": slow},
                    {"sample": slow, "p": LEVELS},
                    {"sample": fast, "p": LEVELS},
                    {"clusters": [slow], "second_clusters": [fast], "confidence": 0.95, "resamples": 5000, "seed": 1},
                )
                self.assertEqual((len(slow), len(fast)), (expected["n_baseline"], expected["n_variant"]))
                self.near(median_of_slow["median"], expected["median_baseline"], 1e-15)
                self.near(median_of_fast["median"], expected["median_variant"], 1e-15)
                self.assertEqual(test["u"], expected["U_variant"])
                self.near(-test["cliffs_delta"], expected["cliffs_delta"], 0, 1e-15)
                self.near(test["log10_p"], log_normal_tail(deviate(fast, slow)[1]), 1e-12)
                if test["z"] < 0:
                    self.near(test["z"], expected["z_less_cc"], 1e-12)
                    self.near(test["log10_p"] - math.log10(2), expected["log10_p_less"], 1e-12)
                if expected["p_two-sided"] > 0:
                    self.near(10 ** test["log10_p"], expected["p_two-sided"], 1e-9)
                width = expected["boot95"][1] - expected["boot95"][0]
                for ours, theirs in zip(bootstrap["ratio_interval"], expected["boot95"]):
                    self.near(ours, theirs, 0, width / 5)


if __name__ == "__main__":
    if len(sys.argv) < 2 or not pathlib.Path(sys.argv[1]).exists():
        sys.exit(__doc__)
    CLI = sys.argv[1]
    VECTORS = sys.argv[2] if len(sys.argv) > 2 else None
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
