"""Figures on the dev sets: one utterance against one utterance, every pair, by condition.

    python3 -m speaker.evaluate --index audio.json --calibration DIR --out evaluation.json \
        ours=OURS.npy prototype=PROTOTYPE.npy

The first network is scored by cosine and by the calibrated LLR of `--calibration`; the others by cosine and
by the same normalisation with a cohort of their own embeddings. Prints a Markdown table.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from speaker.backend import llr, terms
from speaker.embed import BUCKETS
from speaker.metrics import cllr, eer, eer_interval, min_dcf
from speaker.trials import Table

SETS = ("voxforge", "cvev")
CONDITIONS = ("clean", "3s", "tel", "noisy", "tel8k", "noisy-new")


def figures(matrix: np.ndarray, owner: np.ndarray, limits: list[dict] | None, rounds: int) -> dict:
    upper = np.triu_indices(len(owner), 1)
    same = (owner[:, None] == owner[None])[upper]
    flat = matrix[upper]
    target, impostor = flat[same], flat[~same]
    low, high = eer_interval(matrix, owner, rounds)
    out = {"eer": round(eer(target, impostor), 5), "low": round(low, 5), "high": round(high, 5),
           "min_dcf": round(min_dcf(target, impostor), 4), "target": len(target), "impostor": len(impostor)}
    if limits:
        out["cllr"] = round(cllr(target, impostor), 4)
        out["far"] = [{"target": t["far"], "far": round(float((impostor >= t["llr"]).mean()), 6),
                       "frr": round(float((target < t["llr"]).mean()), 4)} for t in limits]
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--index", required=True)
    parser.add_argument("--calibration", required=True)
    parser.add_argument("--cohort-emb", help="embeddings for the first network's cohort, where its own file lacks those rows")
    parser.add_argument("--only", help="SET:CONDITION, comma separated")
    parser.add_argument("--buckets", action="store_true", help="the embeddings were made with --buckets")
    parser.add_argument("--rounds", type=int, default=500, help="bootstrap rounds")
    parser.add_argument("--out", required=True)
    parser.add_argument("nets", nargs="+", metavar="NAME=NPY")
    args = parser.parse_args()
    calibration = json.loads((Path(args.calibration) / "calibration.json").read_text())
    coefficients = np.array(calibration["scoring"]["coefficients"])
    only = set(args.only.split(",")) if args.only else None
    result: dict = {}
    for position, item in enumerate(args.nets):
        name, path = item.split("=", 1)
        table = Table(args.index, path, BUCKETS if args.buckets else None)
        source = Table(args.index, args.cohort_emb) if args.cohort_emb and position == 0 else table
        cohort = source.cohort(calibration["cohort"]["top_n"], calibration["cohort"]["min_sd"])
        for set_name in SETS:
            for condition in CONDITIONS:
                key = f"{set_name}:{condition}"
                if only and key not in only:
                    continue
                side, _ = table.side(set_name, condition, set_name)
                x = terms(side, side, cohort)
                rows = {"cosine": figures(x[2], side.owner, None, args.rounds),
                        "asnorm": figures(x[1], side.owner, None, args.rounds)}
                if position == 0:
                    rows["llr"] = figures(llr(x, coefficients), side.owner, calibration["thresholds"], args.rounds)
                result.setdefault(key, {})[name] = rows
                shown = " | ".join(f"{m} {100 * r['eer']:.2f} [{100 * r['low']:.2f}, {100 * r['high']:.2f}]" for m, r in rows.items())
                print(f"{key} | {name} | {shown}", flush=True)
    Path(args.out).write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
