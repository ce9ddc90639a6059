"""Owns the comparison of mixes of views on pages that their copies never met: rates by condition, what is caught at few false alarms, and paired intervals against one mix.

Usage: compare_pages.py INDEX.json NAME=MIX [NAME=MIX ...] --scores SCORES.npz [--lab FOLDER] [--earlier SCORES.npz]
MIX: VIEW[*SHARE]+VIEW...; VIEW: one of SCORES (train_pages.py), lab:RECIPE (scores of lab.py), earlier:VIEW (another run's scores of the same recordings). The first mix is what the others are compared with.
Views are put on one scale by people whom no copy met (median, spread), then by logistic regression on the clean pages; a mix is the weighted mean.
"""
import argparse
import json

import numpy as np

import judge
import pages
from calibrate import logistic

ap = argparse.ArgumentParser()
ap.add_argument("index"), ap.add_argument("mixes", nargs="+")
ap.add_argument("--scores", default=""), ap.add_argument("--lab", default=""), ap.add_argument("--earlier", default="")
ap.add_argument("--rounds", type=int, default=500), ap.add_argument("--brief", action="store_true", help="rates alone")
CONDITIONS = ("clean", "telephone", "phone", "noisy20", "short2s", "far")
PEOPLE = ("cv-fresh", "libri-fresh", "so762-fresh")
FOLDS = range(pages.FOLDS)


class Held:
    """Each page's recordings as the copy that never met the page scores them."""

    def __init__(self, a):
        self.rows = json.load(open(a.index))
        self.rows = self.rows["rows"] if isinstance(self.rows, dict) else self.rows
        parsed = [pages.parse(r[1]) if r[0] == "pages" else None for r in self.rows]
        self.page, self.kind = (np.array([getattr(p, f) if p else e for p in parsed]) for f, e in (("page", ""), ("kind", "b")))
        self.fold = np.array([pages.PAGE_FOLD[p.page] if p else -1 for p in parsed])
        self.who, self.own = np.isin([r[0] for r in self.rows], PEOPLE), self.fold >= 0
        self.real, self.fake = self.own & (self.kind == "b"), self.own & (self.kind != "b")
        self.files = {"": np.load(a.scores) if a.scores else {}, "earlier": np.load(a.earlier) if a.earlier else {}}
        self.lab, self.views = a.lab, {}

    def raw(self, view):
        """{(condition, fold): scores}."""
        if view.startswith("lab:"):
            z = np.load(f"{self.lab}/scores-{view[4:]}.npz")
            return {(c, k): z[c][k].astype(np.float64) for c in CONDITIONS if c in z for k in FOLDS}
        where, name = view.split(":") if ":" in view else ("", view)
        z = self.files[where]
        return {(c, k): z[f"{c}/{name}/f{k}"].astype(np.float64) for c in CONDITIONS for k in FOLDS if f"{c}/{name}/f{k}" in z}

    def view(self, name):
        """{condition: log-likelihood ratios by the clean pages}."""
        if name not in self.views:
            raw, out = self.raw(name), {}
            for c in CONDITIONS:
                if (c, 0) in raw:
                    out[c] = np.full(len(self.rows), np.nan)
                    for k in FOLDS:
                        m = raw["clean", k][self.who]
                        lo, mid, hi = np.quantile(m[~np.isnan(m)], [0.1, 0.5, 0.9])
                        out[c][self.fold == k] = ((raw[c, k] - mid) / (hi - lo))[self.fold == k]
            z = out["clean"]
            slope, offset = logistic(z[self.real & ~np.isnan(z)], z[self.fake & ~np.isnan(z)])
            self.views[name] = {c: slope * v + offset for c, v in out.items()}
        return self.views[name]

    def mix(self, text):
        parts = [(self.view(p.split("*")[0]), float((p.split("*") + ["1"])[1])) for p in text.split("+")]
        return {c: sum(s * v[c] for v, s in parts) / sum(s for _, s in parts) for c in CONDITIONS if all(c in v for v, _ in parts)}

    def eer(self, z, where=True):
        ok = ~np.isnan(z) & where
        return 100 * judge.eer(z[ok & self.real], z[ok & self.fake])

    def by_page(self, z):
        return {p: round(self.eer(z, self.page == p), 1) for p in sorted(set(self.page) - {""}) if (self.real & (self.page == p)).sum() >= 6}

    def caught(self, z, share):
        ok = ~np.isnan(z)
        return 100 * float((z[ok & self.fake] > np.quantile(z[ok & self.real], 1 - share)).mean())


def paired(h, first, other, rounds):
    """95 % of what `other` gains, and of its own rate; pages drawn with replacement."""
    rng, names, gains, rates = np.random.default_rng(5), sorted(set(h.page) - {""}), [], []
    parts = [{p: [z[w & (h.page == p) & ~np.isnan(z)] for w in (h.real, h.fake)] for p in names} for z in (first, other)]
    while len(gains) < rounds:
        pick = rng.choice(names, len(names))
        if not any(len(parts[0][p][0]) for p in pick):
            continue
        x, y = (100 * judge.eer(*(np.concatenate([part[p][side] for p in pick]) for side in (0, 1))) for part in parts)
        gains.append(x - y), rates.append(y)
    show = lambda v: "[%.1f, %.1f]" % tuple(np.percentile(v, [2.5, 97.5]))
    return show(gains), show(rates)


def decided(h, first, other, rounds):
    """What `other` gains in the mean of the five conditions: (EER, caught at 1 % false alarms of each condition), each with 95 %, pages drawn with replacement; and in how many folds its EER is lower."""
    rng, names = np.random.default_rng(5), sorted(set(h.page) - {""})
    parts = [[{p: [z[c][w & (h.page == p) & ~np.isnan(z[c])] for w in (h.real, h.fake)] for p in names} for c in CONDITIONS[:5]] for z in (first, other)]

    def gains(pick):
        means = []
        for mix in parts:
            both = [[np.concatenate([part[p][side] for p in pick]) for side in (0, 1)] for part in mix]
            means.append((np.mean([100 * judge.eer(*b) for b in both]), np.mean([100 * float((f > np.quantile(r, 0.99)).mean()) for r, f in both])))
        return means[0][0] - means[1][0], means[1][1] - means[0][1]
    drawn = []
    while len(drawn) < rounds:
        pick = rng.choice(names, len(names))
        if any(len(parts[0][0][p][0]) for p in pick):
            drawn.append(gains(pick))
    bounds = np.percentile(drawn, [2.5, 97.5], 0).T
    better = [np.mean([h.eer(z[c], h.fold == k) for c in CONDITIONS[:5]]) for k in FOLDS for z in (first, other)]
    return [(g, *b) for g, b in zip(gains(names), bounds)], sum(y < x for x, y in zip(better[::2], better[1::2])), [f"{x:.1f}" for x in better]


def main(a):
    h, mixes = Held(a), {}
    for text in a.mixes:
        name, mix = text.split("=")
        mixes[name] = z = h.mix(mix)
        pooled = {c: h.eer(v) for c, v in z.items()}
        own = {c: float(np.mean(list(h.by_page(v).values()))) for c, v in z.items()}
        print(f"{name:24s} mean {np.mean([pooled[c] for c in CONDITIONS[:5]]):.2f} pages' {np.mean([own[c] for c in CONDITIONS[:5]]):.2f}",
              " ".join(f"{c} {pooled[c]:.1f}/{own[c]:.1f} ({h.caught(v, 0.01):.0f},{h.caught(v, 0.05):.0f})" for c, v in z.items()), flush=True)
    for k in FOLDS:  # the choice, each fold left out
        rate = {n: np.mean([h.eer(z[c], h.fold != k) for c in CONDITIONS[:5]]) for n, z in mixes.items()}
        best = min(rate, key=rate.get)
        print("without fold", k, "best", best, "%.2f," % rate[best], "on that fold %.2f, the first mix %.2f" % tuple(np.mean([h.eer(mixes[n][c], h.fold == k) for c in CONDITIONS[:5]]) for n in (best, next(iter(mixes)))))
    first = next(iter(mixes))
    for name in [n for n in mixes if n != first]:
        (eer, caught), folds, rates = decided(h, mixes[first], mixes[name], a.rounds)
        print(f"{name} over {first}, mean of five conditions: EER %.2f [%.2f, %.2f], caught %.2f [%.2f, %.2f], better in {folds} folds" % (*eer, *caught), rates, flush=True)
    if a.brief:
        return
    for name, z in mixes.items():
        print(f"\n{name}: by page, clean", h.by_page(z["clean"]), "telephone", h.by_page(z["telephone"]))
        print("kinds, clean", {k: round(100 * judge.eer(z["clean"][h.real], z["clean"][h.own & (h.kind == k)]), 1) for k in "svc"})
        for c in CONDITIONS if name != first else ():
            if c in z and c in mixes[first]:
                gain, rate = paired(h, mixes[first][c], z[c], a.rounds)
                print(f"{c}: {h.eer(z[c]):.1f} {rate}, gain over {first} {h.eer(mixes[first][c]) - h.eer(z[c]):.1f} {gain}", flush=True)


if __name__ == "__main__":
    main(ap.parse_args())
