"""Owns the tables of the page-wise training: rates on pages and vocoders never met (copies of the folds), by network and for their mean.

Usage: report_pages.py SCORES.npz INDEX.json [--nets wide,short,...]
"""
import argparse
import itertools
import json

import numpy as np

import judge
import pages

ap = argparse.ArgumentParser()
ap.add_argument("scores"), ap.add_argument("index")
ap.add_argument("--nets", default="")
ap.add_argument("--conditions", default="clean,telephone,phone,noisy20,short2s")
ap.add_argument("--all-mixes", action="store_true", help="every mean of some of the networks")


class Held:
    """Each page's recordings as the copy that never met the page scores them, and people as each copy does."""

    def __init__(self, scores, index):
        self.z, self.rows = dict(np.load(scores)), json.load(open(index))
        self.set = np.array([r[0] for r in self.rows])
        parsed = [pages.parse(r[1]) if r[0] == "pages" else None for r in self.rows]
        self.page = np.array([p.page if p else "" for p in parsed])
        self.kind = np.array([p.kind if p else "b" for p in parsed])
        self.system = np.array([p.system if p else "" for p in parsed])
        self.fold = np.array([pages.PAGE_FOLD[p.page] if p else -1 for p in parsed])
        self.names = sorted({k.split("/")[1] for k in self.z if not k.split("/")[1].startswith("earlier-")})

    def get(self, condition, view, copy):
        """Scores of one view; `earlier` is the mean of the networks that training began with: no copy of them met any page."""
        if view != "earlier":
            return self.z[f"{condition}/{view}/{copy}"]
        return np.mean([self.z[k] for k in self.z if k.startswith(f"{condition}/earlier-")], 0)

    def score(self, condition, nets, copy):
        return np.mean([self.get(condition, n, copy) for n in nets], 0)

    def level(self, condition, nets, copy):
        """Median and spread on fresh people of the training corpora: copies are made comparable by them, without looking at any attack."""
        z = self.score(condition, nets, copy)[np.isin(self.set, ("cv-fresh", "libri-fresh", "so762-fresh"))]
        z = z[~np.isnan(z)]
        if len(z) < 20:
            return 0.0, 1.0
        return float(np.median(z)), float(np.quantile(z, 0.9) - np.quantile(z, 0.1))

    def held(self, condition, nets, align=False):
        """One score per recording of the pages, from the fold that never met its page."""
        out = np.full(len(self.rows), np.nan)
        for k in range(pages.FOLDS):
            z = self.score(condition, nets, f"f{k}")
            if align:
                m, d = self.level("clean", nets, f"f{k}")
                z = (z - m) / d
            out[self.fold == k] = z[self.fold == k]
        return out

    def rates(self, condition, nets):
        """Pooled within each fold and then averaged; mean of the pages' own rates; pooled over all folds after alignment."""
        z, per_fold, own = self.held(condition, nets), [], []
        ok = ~np.isnan(z)
        for k in range(pages.FOLDS):
            m = (self.fold == k) & ok
            per_fold.append(judge.eer(z[m & (self.kind == "b")], z[m & (self.kind != "b")]))
        for p in sorted(set(self.page) - {""}):
            m = (self.page == p) & ok
            b, f = z[m & (self.kind == "b")], z[m & (self.kind != "b")]
            if len(b) >= 6 and len(f) >= 6:
                own.append((p, judge.eer(b, f), len(b), len(f)))
        a = self.held(condition, nets, align=True)
        ok = ~np.isnan(a) & (self.set == "pages")
        pooled = judge.eer(a[ok & (self.kind == "b")], a[ok & (self.kind != "b")])
        return np.mean(per_fold), np.mean([o[1] for o in own]), pooled, per_fold, own

    def bootstrap(self, condition, nets, rounds=400):
        """95 % interval of the pooled rate, pages drawn with replacement."""
        a, rng, names = self.held(condition, nets, align=True), np.random.default_rng(5), sorted(set(self.page) - {""})
        parts = {p: (a[(self.page == p) & (self.kind == "b") & ~np.isnan(a)], a[(self.page == p) & (self.kind != "b") & ~np.isnan(a)]) for p in names}
        got = []
        for _ in range(rounds):
            pick = rng.choice(names, len(names))
            b, f = np.concatenate([parts[p][0] for p in pick]), np.concatenate([parts[p][1] for p in pick])
            if len(b) and len(f):
                got.append(judge.eer(b, f))
        return np.percentile(got, [2.5, 97.5])


def main(a):
    h = Held(a.scores, a.index)
    every = a.nets.split(",") if a.nets else [n for n in h.names if f"clean/{n}/f0" in h.z]
    mixes = [[n] for n in every] + [every]
    if a.all_mixes:
        mixes = [list(c) for k in range(1, len(every) + 1) for c in itertools.combinations(every, k)]
    for condition in a.conditions.split(","):
        print("\n" + condition + ": mean over folds / mean over pages / pooled")
        for nets in mixes:
            m, o, p, folds, own = h.rates(condition, nets)
            print("  %-34s %.1f / %.1f / %.1f   folds %s" % ("+".join(nets), 100 * m, 100 * o, 100 * p, " ".join("%.1f" % (100 * f) for f in folds)))
        if condition == "clean":
            print("  pages:", ", ".join("%s %.0f (%d/%d)" % (p, 100 * e, b, f) for p, e, b, f in own))
            print("  interval of the last, pages drawn: %.1f-%.1f" % tuple(100 * h.bootstrap(condition, mixes[-1])))
    if "earlier" in a.nets:
        z = h.get("clean", "earlier", "all")
        b, f = z[(h.set == "pages") & (h.kind == "b")], z[(h.set == "pages") & (h.kind != "b")]
        print("\nwhat training began with: pooled %.1f" % (100 * judge.eer(b, f)))
    for condition in a.conditions.split(","):
        line = []
        for s in sorted(set(h.set) - {"pages"}):
            z = h.score(condition, every, "all")[h.set == s]
            z = z[~np.isnan(z)]
            if len(z):
                line.append("%s (%d) %.2f / %.2f" % (s, len(z), np.median(z), np.quantile(z, 0.99)))
        print(condition, "people, copy `all`, median / 99 %:", ", ".join(line))


if __name__ == "__main__":
    main(ap.parse_args())
