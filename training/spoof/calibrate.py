"""Owns the step from scores to a manifest and to the tables of a card: fusion, calibration to log-likelihood ratios, thresholds, reliability.

Usage: calibrate.py SCORES.json[@MARK][,MORE.json] TASK BRANCH:WEIGHT[,..] NAME REVISION MODEL.onnx OUT_DIR     MARK: which moment of training

What ships has seen every system that we have, so its scores on attacks would flatter. Therefore: error rates, the slope of the calibration
and the reliability come from the `hold` copy on systems it never saw; they are carried over to the `all` copy by matching mean and deviation of
both copies on bona fide speech that neither saw. The calibration is fitted on the systems of CHOOSE, its quality is told on those of REPORT.
Thresholds come from the `all` copy: for each corpus of people that it never met the wanted quantile, then the highest of them, because the next
corpus is a new one too. What that rule does to a corpus it was not set on is told by leaving each one out in turn.
"""
import hashlib
import json
import os
import sys

import numpy as np

import judge
from systems import CHOOSE, FRESH, HELD_REPLAY, REPORT

UNSEEN_REPLAY = ("replay-smooth-image",)
# Below it the answer is "low reliability": an error rate of 17.5 % (synthetic), 20 % (playback) on unseen attacks.
FLOOR = {"synthetic": 65, "playback": 60}
# Thresholds are set on what the product hands over: speech with what is around it. Recordings that arrive cut to the very speech are told beside them.
WIDE, NARROW = ("clean", "noisy20", "noisy10"), ("telephone",)
band_of = lambda cond: "narrow" if cond in NARROW else "wide"


class Scores:
    """All scores by (protocol, kind, set, condition); branches are put together on the way in, finished files come as `fused`."""

    def __init__(self, path, task, branches):
        self.task, parts = task, {b.split(":")[0]: float(b.split(":")[1]) for b in branches.split(",")}
        self.d = {}
        for p in path.split(","):
            raw, (p, _, mark) = {}, p.partition("@")
            for r in json.load(open(p))["rows"]:
                if mark and r["mark"] != int(mark):
                    continue
                t, branch, protocol = r["net"].split("/")
                if t == task:
                    raw.setdefault((protocol, r["kind"], r["set"], r["condition"]), {})[branch] = np.array(r["scores"])
            for key, by in raw.items():
                self.d[key] = by["fused"] if "fused" in by else sum(w * by[b] for b, w in parts.items())
        self.sets = sorted({(k[1], k[2]) for k in self.d})

    def has(self, protocol, name, cond="clean"):
        return any(k[0] == protocol and k[2] == name and k[3] == cond for k in self.d)

    def conditions(self):
        return [c for c in judge.CONDITIONS if any(k[0] == "hold" and k[1] == "bonafide" and k[3] == c for k in self.d)]

    def bona(self, protocol, cond, only=None):
        """The dev corpora (and, for playback, honest speech in rooms); with `only` that set alone."""
        kinds = ("bonafide",) if self.task == "synthetic" or only else ("bonafide", "near")
        return np.concatenate([v for (p, k, s, c), v in sorted(self.d.items()) if p == protocol and c == cond and k in kinds and (s == only if only else not s.endswith("-fresh"))])

    def attacks(self, protocol, cond, names):
        return np.concatenate([v for (p, k, s, c), v in sorted(self.d.items()) if p == protocol and c == cond and s in names])

    def corpora(self):
        return [s for k, s in self.sets if k == "bonafide" and self.has("all", s)]


def interval(bona, attack, n=400):
    rng = np.random.default_rng(5)
    e = [judge.eer(rng.choice(bona, len(bona)), rng.choice(attack, len(attack))) for _ in range(n)]
    return float(np.percentile(e, 2.5)), float(np.percentile(e, 97.5))


def logistic(bona, attack):
    """Affine map to a log-likelihood ratio, both classes weighted alike (gradient descent)."""
    x, y = np.concatenate([bona, attack]), np.concatenate([np.zeros(len(bona)), np.ones(len(attack))])
    m, d = x.mean(), x.std()
    x = (x - m) / d
    w = np.where(y > 0, 0.5 / len(attack), 0.5 / len(bona))
    a, b = 0.0, 0.0
    for _ in range(3000):  # plain descent: two parameters, standardised input, no overshoot
        p = 1 / (1 + np.exp(-(a * x + b)))
        a, b = a - 2.0 * ((w * (p - y) * x).sum() + 1e-4 * a), b - 2.0 * (w * (p - y)).sum()
    a, b = a / d, b - a * m / d
    return float(a), float(b)


def cllr(bona, attack):
    return float((np.log2(1 + np.exp(-attack)).mean() + np.log2(1 + np.exp(bona)).mean()) / 2)


def strictest(s, cal, band, share, without=None):
    """The highest of the corpora's own thresholds for a share of false alarms, as log-likelihood ratio."""
    conds = WIDE if band == "wide" else NARROW
    level = lambda c: np.quantile(np.concatenate([s.bona("all", cond, c) for cond in conds if s.has("all", c, cond)]), 1 - share)
    found = [float(level(c)) for c in s.corpora() if c != without]
    if s.task == "playback":  # honest speech in rooms is not a corpus of its own, but it counts in the whole
        found.append(float(np.quantile(np.concatenate([s.bona("all", cond) for cond in conds]), 1 - share)))
    return cal[band]["a"] * max(found) + cal[band]["b"]


def main(path, task, branches, name, revision, model, out):
    s = Scores(path, task, branches)
    replays = tuple(n for n in (f"replay-{p}-{r}" for p, r in HELD_REPLAY) if s.has("hold", n))
    unseen = tuple(sorted(CHOOSE | REPORT)) if task == "synthetic" else UNSEEN_REPLAY
    fit, told = (CHOOSE, REPORT) if task == "synthetic" else (tuple(n for n in replays if n not in UNSEEN_REPLAY), UNSEEN_REPLAY)
    cal, thr, lines = {}, {}, []
    for band, conds in (("wide", WIDE), ("narrow", NARROW)):
        cat = lambda f: np.concatenate([f(c) for c in conds])
        bh, ah, rh = cat(lambda c: s.bona("hold", c)), cat(lambda c: s.attacks("hold", c, fit)), cat(lambda c: s.attacks("hold", c, told))
        a, b = logistic(bh, ah)
        print(f"hold, {band}: a {a:.5f} b {b:.5f}", file=sys.stderr)
        ba = cat(lambda c: s.bona("all", c))
        k = bh.std() / ba.std()
        cal[band] = {"a": round(a * k, 5), "b": round(b + a * (bh.mean() - ba.mean() * k), 5)}
        thr[band] = {"fa1": round(strictest(s, cal, band, 0.01), 4), "fa5": round(strictest(s, cal, band, 0.05), 4)}
        lines.append(f"- {band}: Cllr {cllr(a * bh + b, a * rh + b):.3f} (1 = says nothing), {len(bh)} bona fide and {len(rh)} attack scores")
    to_llr = lambda x, cond: cal[band_of(cond)]["a"] * x + cal[band_of(cond)]["b"]
    rate = {c: judge.eer(s.bona("hold", c), s.attacks("hold", c, unseen)) for c in s.conditions()}
    rate["noisy20"] = max(rate["clean"], rate["noisy20"])  # few files: noise must not look better than none
    rate["noisy10"] = max(rate["noisy20"], rate["noisy10"])
    value = lambda e: max(0, round(100 * (1 - 2 * e)))
    rows = []
    for band, base in (("wide", rate["clean"]), ("narrow", rate["telephone"])):
        extra = base - rate["clean"]
        # Read off the product's own meter on these files: unaltered 24-52 dB (median 39), noisy20 19-34, noisy10 0-31 (median 13);
        # net speech of unaltered files 1.5-5.3 s, of the first 2 s about 1.8 s.
        for snr, cond in ((28, "clean"), (18, "noisy20"), (8, "noisy10")):
            for net, more in ((2.5, 0.0), (1.2, max(0.0, rate["short2s"] - rate["clean"]))):
                rows.append({"bandwidth": band, "min_snr_db": snr, "min_net_speech_s": net, "value": value(min(0.5, rate[cond] + extra + more))})
    rows.append({"bandwidth": "any", "min_snr_db": -100, "min_net_speech_s": 0, "value": 10})
    blob = open(model, "rb").read()
    manifest = {
        "name": name, "revision": revision, "kind": task, "file": "model.onnx", "sha256": hashlib.sha256(blob).hexdigest(), "bytes": len(blob),
        "branches": branches, "input": {"name": "wave", "sample_rate": 16000, "scale": "int16", "samples": 64000}, "output": {"name": "score", "higher": "attack"},
        "window": {"samples": 64000, "hop": 64000, "min_rest": 16000, "max": 8, "short": "tile", "combine": "mean"},
        "calibration": cal, "thresholds": {**thr, "shipped": "fa1"}, "reliability": rows, "reliability_floor": FLOOR[task],
    }
    os.makedirs(out, exist_ok=True)
    json.dump(manifest, open(f"{out}/manifest.json", "w"), indent=2)

    conds = s.conditions()

    def table(protocol, groups):
        print("| system | " + " | ".join(conds) + " |\n|---" + "|---" * len(conds) + "|")
        for label, names in groups:
            cells = []
            for c in conds:
                have = [n for n in names if s.has(protocol, n, c)]
                if len(have) < len(names):
                    cells.append("-")
                    continue
                b, x = s.bona(protocol, c), s.attacks(protocol, c, names)
                low, high = interval(b, x)
                cells.append(f"{100 * judge.eer(b, x):.1f} [{100 * low:.1f}-{100 * high:.1f}]")
            print(f"| {label} ({len(s.attacks(protocol, 'clean', names))}) | " + " | ".join(cells) + " |")

    print("### Unseen systems (`hold` copy), EER % [95 % bootstrap interval], files\n")
    if task == "synthetic":
        groups = [(f"{n} (report)", (n,)) for n in sorted(REPORT)] + [(f"{n} (choose)", (n,)) for n in sorted(CHOOSE)]
        groups += [("**report systems together**", sorted(REPORT)), ("**choose systems together**", sorted(CHOOSE)), ("**all together**", unseen)]
    else:
        groups = [(n + (" (both unseen)" if n in UNSEEN_REPLAY else ""), (n,)) for n in replays]
    table("hold", groups)
    print(f"\nbona fide: {len(s.bona('hold', 'clean'))} files\n")
    if task == "synthetic":
        print("### The shipped copy itself on the systems that no copy was trained on, EER % [95 % bootstrap interval], files\n")
        table("all", [(n, (n,)) for n in sorted(FRESH)] + [("**together**", sorted(FRESH))])
        print("\n### Of these it catches at the shipped thresholds (fa1 / fa5), %\n")
        for n in sorted(FRESH):
            at = lambda c, t: 100 * (to_llr(s.attacks("all", c, (n,)), c) >= thr[band_of(c)][t]).mean()
            print(f"- {n}: " + ", ".join(f"{c} {at(c, 'fa1'):.0f} / {at(c, 'fa5'):.0f}" for c in conds if s.has("all", n, c)))
    print("\n### False alarms of the shipped copy on people that it never met, % at fa1 / fa5; in brackets at thresholds set without that corpus\n")
    print("| corpus | " + " | ".join(conds) + " |\n|---" + "|---" * len(conds) + "|")
    for only in s.corpora():
        cells = []
        for c in conds:
            if not s.has("all", only, c):
                cells.append("-")
                continue
            l, t = to_llr(s.bona("all", c, only), c), thr[band_of(c)]
            rest = [100 * (l >= strictest(s, cal, band_of(c), f, only)).mean() for f in (0.01, 0.05)]
            cells.append(f"{100 * (l >= t['fa1']).mean():.1f} / {100 * (l >= t['fa5']).mean():.1f} [{rest[0]:.1f} / {rest[1]:.1f}]")
        print(f"| {only} ({len(s.bona('all', 'clean', only))}) | " + " | ".join(cells) + " |")
    print("\n### Unseen attacks caught at thresholds with 1 % / 5 % false alarms (`hold` copy, its own thresholds), %\n")
    for c in [c for c in ("clean", "tight", "telephone", "noisy20") if c in conds]:
        b, x = s.bona("hold", c), s.attacks("hold", c, told)
        print(f"- {c}: {100 * (x >= np.quantile(b, .99)).mean():.0f} / {100 * (x >= np.quantile(b, .95)).mean():.0f}")
    print("\n### Calibration, `hold` copy, fitted on " + ("the systems of `choose`, told on those of `report`" if task == "synthetic" else "the other held-out replays, told on those with both unseen") + "\n\n" + "\n".join(lines))
    print("\nreliability:", [(r["bandwidth"], r["min_snr_db"], r["min_net_speech_s"], r["value"]) for r in rows])


if __name__ == "__main__":
    main(*sys.argv[1:8])
