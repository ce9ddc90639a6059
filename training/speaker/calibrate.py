"""Fits the calibration on held-out speakers and checks it on the dev sets.

    python3 -m speaker.calibrate --index audio.json --emb NAME.npy --out DIR

Impostors come from the target's own corpus. In the fit Common Voice (many languages: most impostors speak another
language than the target) weighs 0.6, the one-language corpora the rest, because a customer's callers
share a language. The fit pretends that one caller in ten is the claimed one, which moves its attention from LLR 0
towards the thresholds. A threshold is the most that Common Voice or the one-language corpus with enough speakers
asks for (`--rule most`: a customer's callers share a language and a line), or the mean of the two LLRs (`--rule mean`,
the first calibration of r2). Speech Commands and LibriSpeech take no part in the thresholds: some speakers of the first appear
under two ids, which looks like false accepts, and of the second only eight are held out. The dev sets take no part
in the fit; they check the rates. Writes `cohort.bin` and `calibration.json` (coefficients, thresholds, checks).
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from speaker.backend import LLR, NET_ENROL, NET_TEST, SNR_DB, Cohort, fit_logistic, llr
from speaker.metrics import cllr, eer, min_dcf
from speaker.trials import Table, Trials

HELD_PAIRS = [("clean", "clean"), ("short", "short"), ("tel8k", "tel8k"), ("noisy-any", "noisy-any"), ("clean", "tel8k"),
              ("clean", "noisy-any"), ("tel8k", "noisy-tel8k"), ("tel8k", "tel8k-short")]
DEV_PAIRS = [("clean", "clean"), ("3s", "3s"), ("tel8k", "tel8k"), ("noisy-new", "noisy-new"), ("clean", "tel8k")]
THRESHOLD_CORPORA = ("cv", "so762")
TARGET_RATES = (0.01, 0.001, 0.0001)
DEFAULT_RATE = 0.005  # what the product aims at unless told otherwise
PRIOR = 0.1


def gather(table: Table, name: str, pairs, cohort: Cohort) -> list[Trials]:
    out = []
    for a, b in pairs:
        out += table.single(name, a, b, cohort) + table.enrolled(name, a, b, cohort)
    return out


def share(corpus: str) -> float:
    """Weight of a corpus in the fit."""
    return {"cv": 0.6, "so762": 0.25, "gsc": 0.05, "libri": 0.1}[corpus]


def fit(pools: list[Trials], rng: np.random.Generator, most: int = 6000, strangers: int = 24000) -> np.ndarray:
    xs, ys, ws = [], [], []
    for t in pools:
        for wanted in (True, False):
            rows = np.flatnonzero(t.target == wanted)
            if not len(rows):
                continue
            rows = rng.choice(rows, min(most if wanted else strangers, len(rows)), replace=False)
            xs.append(t.x[:, rows])
            ys.append(np.full(len(rows), wanted))
            ws.append(np.full(len(rows), share(t.corpus) / len(rows)))
    return fit_logistic(np.concatenate(xs, 1), np.concatenate(ys), np.concatenate(ws), PRIOR)


def thresholds(pools: list[Trials], coefficients: np.ndarray, rule: str) -> list[dict]:
    """LLR that each corpus needs for the target rate: the most or the mean of them."""
    scores = {c: np.sort(np.concatenate([llr(t.x[:, ~t.target], coefficients) for t in pools if t.corpus == c]))[::-1]
              for c in THRESHOLD_CORPORA}
    out = []
    for rate in TARGET_RATES:
        needed = {c: float(s[int(rate * len(s))]) for c, s in scores.items()}
        value = round(float((max if rule == "most" else np.mean)(list(needed.values()))), 4)
        out.append({"far": rate, "llr": value, "trials": sum(map(len, scores.values())),
                    "accepts": sum(int((s >= value).sum()) for s in scores.values()),
                    "needed": {c: round(v, 4) for c, v in needed.items()}})
    return out


def with_default(limits: list[dict]) -> list[dict]:
    """The thresholds and the one for the default rate, straight in log rate between its neighbours, as the product draws it."""
    a, b = limits[0], limits[1]
    position = np.log(DEFAULT_RATE / a["far"]) / np.log(b["far"] / a["far"])
    return [a, {"far": DEFAULT_RATE, "llr": a["llr"] + float(position) * (b["llr"] - a["llr"])}, *limits[1:]]


def check(pools: list[Trials], coefficients: np.ndarray, limits: list[dict]) -> dict:
    target = np.concatenate([llr(t.x[:, t.target], coefficients) for t in pools])
    impostor = np.concatenate([llr(t.x[:, ~t.target], coefficients) for t in pools])
    return {"target_trials": len(target), "impostor_trials": len(impostor), "eer": round(eer(target, impostor), 5),
            "min_dcf": round(min_dcf(target, impostor), 4), "cllr": round(cllr(target, impostor), 4),
            "at_thresholds": [{"target_far": t["far"], "far": float(np.float32((impostor >= t["llr"]).mean())),
                               "frr": round(float((target < t["llr"]).mean()), 4)} for t in with_default(limits)]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--index", required=True)
    parser.add_argument("--emb", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--top-n", type=int, default=200)
    parser.add_argument("--rule", choices=("most", "mean"), default="most", help="how the corpora's thresholds become one")
    args = parser.parse_args()
    out = Path(args.out)
    out.mkdir(parents=True, exist_ok=True)
    table = Table(args.index, args.emb)
    cohort = table.cohort(args.top_n)
    rows = np.concatenate([cohort.wide, cohort.narrow]).astype("<f2")
    (out / "cohort.bin").write_bytes(rows.tobytes())
    held = gather(table, "held", HELD_PAIRS, cohort)
    coefficients = fit(held, np.random.default_rng(0))
    limits = thresholds(held, coefficients, args.rule)
    result = {
        "cohort": {"dim": rows.shape[1], "wide_rows": len(cohort.wide), "narrow_rows": len(cohort.narrow),
                   "top_n": cohort.top_n, "min_sd": cohort.min_sd},
        "scoring": {"method": "cosine-asnorm-llr-1", "coefficients": [round(float(c), 6) for c in coefficients],
                    "net_test_clamp": NET_TEST, "net_enrol_clamp": NET_ENROL, "snr_clamp_db": SNR_DB, "llr_clamp": LLR},
        "thresholds": limits,
        "checks": {"held": check(held, coefficients, limits)},
    }
    held.clear()
    for name in ("voxforge", "cvev"):
        pools = gather(table, name, DEV_PAIRS, cohort)
        result["checks"][name] = check(pools, coefficients, limits)
        result["checks"][f"{name}, templates of three"] = check([t for t in pools if "3*" in t.name], coefficients, limits)
    (out / "calibration.json").write_text(json.dumps(result, indent=1) + "\n")
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
