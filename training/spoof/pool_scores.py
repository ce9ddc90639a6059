"""Owns the figures of several runs of `voxgate bench spoof --scores` together: pages that one copy of the detector never met are judged by that copy, and the card tells them as one.

Usage: pool_scores.py SCORES.csv [SCORES.csv ...] [--rounds 2000] [--check synthetic]
Folders below --bonafide and --spoof are pages. Equal error rate of the distance to the alarm threshold; shares that raise the alarm, get the all-clear, or are LOW_RELIABILITY. 95 % intervals: pages drawn with
replacement (originals and attacks of a page together); for false alarms also the exact binomial one.
"""
import argparse
import csv
from collections import defaultdict

import numpy as np
from scipy.stats import beta

ANSWERS = ("alarm", "low_reliability", "clear")


def eer(real, fake):
    """Where misses and false alarms meet, between the two nearest thresholds."""
    order = np.concatenate([real, fake]).argsort(kind="stable")
    attack = np.concatenate([np.zeros(len(real)), np.ones(len(fake))])[order]
    miss, alarm = np.cumsum(attack) / len(fake), 1 - np.cumsum(1 - attack) / len(real)
    at = int(np.argmax(miss >= alarm))
    before = (alarm[at - 1] - miss[at - 1]) if at else 1.0
    share = before / (before + miss[at] - alarm[at]) if before + miss[at] - alarm[at] > 0 else 0.0
    low = miss[at - 1] if at else 0.0
    return low + share * (miss[at] - low)


def exact(events, count):
    low = beta.ppf(0.025, events, count - events + 1) if events else 0.0
    return low, (beta.ppf(0.975, events + 1, count - events) if events < count else 1.0)


def read(files, check):
    pages = defaultdict(lambda: {"bonafide": [], "spoof": []})
    for file in files:
        with open(file, newline="") as f:
            for row in csv.DictReader(f):
                if row[f"{check}_llr"]:
                    above = float(row[f"{check}_llr"]) - float(row[f"{check}_alarm_llr"])
                    pages[row["recording"].split("/")[0]][row["side"]].append((above, ANSWERS.index(row[f"{check}_answer"])))
    return {page: {side: np.array(rows).reshape(-1, 2) for side, rows in sides.items()} for page, sides in pages.items()}


def figures(pages, names):
    real, fake = (np.concatenate([pages[n][side] for n in names]) for side in ("bonafide", "spoof"))
    shares = lambda rows: [float((rows[:, 1] == i).mean()) if len(rows) else np.nan for i in range(3)]
    rate = eer(real[:, 0], fake[:, 0]) if len(real) and len(fake) else np.nan
    return np.array([rate, *shares(fake), *shares(real)]), len(real), len(fake)


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ap.add_argument("scores", nargs="+")
    ap.add_argument("--rounds", type=int, default=2000)
    ap.add_argument("--check", default="synthetic")
    args = ap.parse_args()
    pages = read(args.scores, args.check)
    names, rng = sorted(pages), np.random.default_rng(1)
    value, people, attacks = figures(pages, names)
    drawn = np.array([figures(pages, rng.choice(names, len(names)))[0] for _ in range(args.rounds)])
    low, high = np.nanpercentile(drawn, [2.5, 97.5], axis=0)
    print(f"{len(names)} pages, {people} originals, {attacks} attacks")
    for i, name in enumerate(["EER", "attacks: alarm", "attacks: LOW_RELIABILITY", "attacks: all-clear", "originals: alarm", "originals: LOW_RELIABILITY", "originals: all-clear"]):
        print(f"{name:28s} {100 * value[i]:5.1f} % [{100 * low[i]:.1f}, {100 * high[i]:.1f}]")
    false = round(value[4] * people)
    print(f"false alarms                 {false} of {people}, exact [{100 * exact(false, people)[0]:.2f}, {100 * exact(false, people)[1]:.2f}] %")
    for name in names:
        one, real, fake = figures(pages, [name])
        print(f"  {name:20s} EER {100 * one[0]:5.1f}  caught {100 * one[1]:5.1f} [{', '.join(f'{100 * x:.0f}' for x in exact(round(one[1] * fake), fake))}]  LOW_RELIABILITY {100 * one[2]:5.1f}  all-clear {100 * one[3]:5.1f}  {fake} attacks, {real} originals, false alarms {round(np.nan_to_num(one[4]) * real)}")


if __name__ == "__main__":
    main()
