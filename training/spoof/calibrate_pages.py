"""Owns the step from the page-wise training's scores to what ships: how the views are put together, calibration, thresholds, and the card's tables.

Usage: calibrate_pages.py SCORES.npz INDEX.json VIEW[*SHARE][,VIEW ...] fusion.json                      how the views are fused (export.py wants it), tables on standard output
       calibrate_pages.py SCORES.npz INDEX.json VIEW[,VIEW ...] fusion.json NAME REVISION MODEL.onnx OUT_DIR     the manifest too

Everything that involves attacks comes from the copies of the folds on pages that they never met. These copies' scores are brought to the scale of the copy that ships (`all`) by median and
spread on people whom no copy met. Thresholds come from `all` on people of corpora that it never met and from the pages' own originals as the folds score them: the strictest of them all.
"""
import hashlib
import json
import os
import sys

import numpy as np

import judge
import pages
from calibrate import cllr, logistic
from report_pages import Held

PEOPLE = ("cv-fresh", "libri-fresh", "so762-fresh", "voxforge", "cvdev", "calls-dev")
OUTSIDE = ("voxforge", "cvdev", "calls-dev")  # corpora of which training met nobody and nothing
WIDE, NARROW = ("clean", "noisy20"), ("telephone", "phone")
FLOOR = 50  # below it "low reliability" and no risk: a quarter of the answers would be wrong on pages never met
CLEAR_MISS = 0.05  # at most this share of attacks of unmet pages may get the all-clear
band_of = lambda condition: "narrow" if condition in NARROW else "wide"


def level(z):
    z = z[~np.isnan(z)]
    return float(np.median(z)), float(np.quantile(z, 0.9) - np.quantile(z, 0.1))


class Fusion:
    """Each view's logit becomes a member on the scale of log-likelihood ratios; the score is the members' mean. VIEW*2 counts twice."""

    def __init__(self, held, views):
        self.share = {v.split("*")[0]: float((v.split("*") + ["1"])[1]) for v in views}
        views = list(self.share)
        self.h, self.views = held, views
        self.people = np.isin(held.set, PEOPLE)
        self.kind, self.page = held.kind, held.page
        self.folds = [k for k in range(pages.FOLDS) if any(n.endswith(f"/f{k}") for n in held.z)]
        self.conditions = [c for c in ("clean", "telephone", "phone", "noisy20", "short2s") if any(n.startswith(c + "/") for n in held.z)]
        self.shift = {}
        for v in views:
            m, d = level(held.get("clean", v, "all")[self.people])
            for k in self.folds:
                mk, dk = level(held.get("clean", v, f"f{k}")[self.people])
                self.shift[v, k] = (d / dk, m - mk * d / dk)
        mean = sum(self.share.values()) / len(views)
        self.maps = {v: tuple(x * self.share[v] / mean for x in logistic(*self.split(self.unmet("clean", v)))) for v in views}

    def unmet(self, condition, view):
        """Recordings of the pages as the fold that never met the page scores them, on the scale of `all`; NaN elsewhere."""
        out = np.full(len(self.h.rows), np.nan)
        for k in self.folds:
            a, b = self.shift[view, k]
            here = self.h.fold == k
            out[here] = a * self.h.get(condition, view, f"f{k}")[here] + b
        return out

    def split(self, z):
        ok = ~np.isnan(z) & (self.h.set == "pages")
        return z[ok & (self.kind == "b")], z[ok & (self.kind != "b")]

    def members(self, condition, shipped=False):
        """[views, recordings]: pages by the folds, people by `all`; with `shipped` everything by `all`."""
        rows = []
        for v in self.views:
            a, b = self.maps[v]
            z = self.h.get(condition, v, "all").astype(float).copy()
            if not shipped:
                own = self.h.set == "pages"
                z[own] = self.unmet(condition, v)[own]
            rows.append(a * z + b)
        return np.array(rows)

    def score(self, condition):
        return self.members(condition).mean(0)

    def spread(self, condition):
        return self.members(condition).std(0)


def by_fold(f, z):
    out = []
    for k in f.folds:
        m = (f.h.fold == k) & ~np.isnan(z)
        out.append(judge.eer(z[m & (f.kind == "b")], z[m & (f.kind != "b")]))
    return out


def by_page(f, z):
    for p in sorted(set(f.page) - {""}):
        m = (f.page == p) & ~np.isnan(z)
        b, a = z[m & (f.kind == "b")], z[m & (f.kind != "b")]
        if len(b) >= 6 and len(a) >= 6:
            yield p, judge.eer(b, a), len(b), len(a)


def interval(f, z, rounds=600):
    """95 % of the pooled rate, pages drawn with replacement."""
    rng, names, got = np.random.default_rng(5), sorted(set(f.page[np.isin(f.h.fold, f.folds)])), []
    parts = {p: (z[(f.page == p) & (f.kind == "b") & ~np.isnan(z)], z[(f.page == p) & (f.kind != "b") & ~np.isnan(z)]) for p in names}
    for _ in range(rounds):
        pick = rng.choice(names, len(names))
        b, a = (np.concatenate([parts[p][k] for p in pick]) for k in (0, 1))
        if len(b) and len(a):
            got.append(judge.eer(b, a))
    return tuple(100 * np.percentile(got, [2.5, 97.5]))


def groups(f, llr, band, without=None):
    """{(people, condition): their log-likelihood ratios} of this band: corpora, and as one more the pages' own originals."""
    out = {}
    for name in (*PEOPLE, "originals"):
        who = (f.h.set == "pages") & (f.kind == "b") if name == "originals" else f.h.set == name
        for c in WIDE if band == "wide" else NARROW:
            z = llr[c][who & ~np.isnan(llr[c])] if c in f.conditions else []
            if len(z) >= 50 and name != without:
                out[name, c] = z
    return out


def threshold(f, llr, band, share, without=None):
    """The strictest of what the groups want."""
    return max(float(np.quantile(z, 1 - share)) for z in groups(f, llr, band, without).values())


def page_left_out(f, llr, condition, share):
    """False alarms on the originals of a page at the line that the other pages' originals want, each page left out in turn; all recordings count alike."""
    z = llr[condition]
    own = (f.h.set == "pages") & (f.kind == "b") & ~np.isnan(z)
    z, page = z[own], f.page[own]
    return float(np.mean(np.concatenate([z[page == p] >= np.quantile(z[page != p], 1 - share) for p in sorted(set(page))])))


def calibrate(f):
    """(calibration, thresholds, {condition: log-likelihood ratios})."""
    cal, llr = {}, {}
    for band, conditions in (("wide", WIDE), ("narrow", NARROW)):
        got = [f.split(f.score(c)) for c in conditions if c in f.conditions]
        a, b = logistic(np.concatenate([g[0] for g in got]), np.concatenate([g[1] for g in got]))
        cal[band] = {"a": round(a, 5), "b": round(b, 5)}
    for c in f.conditions:
        llr[c] = cal[band_of(c)]["a"] * f.score(c) + cal[band_of(c)]["b"]
    thr = {}
    for band, conditions in (("wide", WIDE), ("narrow", NARROW)):
        attacks = np.concatenate([f.split(llr[c])[1] for c in conditions if c in f.conditions])
        thr[band] = {"fa1": round(threshold(f, llr, band, 0.01), 4), "fa5": round(threshold(f, llr, band, 0.05), 4), "callers": round(threshold(f, llr, band, 0.01, "originals"), 4), "clear": round(float(np.quantile(attacks, CLEAR_MISS)), 4)}
    return cal, thr, llr


def wrong(f, llr, thr, condition):
    """Share of wrong answers among those given (alarm or all-clear; between the two lines it gives none) on pages never met, were there as many attacks as people."""
    b, a = f.split(llr[condition])
    t = thr[band_of(condition)]
    alarm, clear = [(z >= t["fa1"]).mean() for z in (b, a)], [(z <= t["clear"]).mean() for z in (b, a)]
    return float((alarm[0] + clear[1]) / max(sum(alarm) + sum(clear), 1e-9))


def cannot_know(f, llr, thr, limits=(50, 60, 70, 80, 90, 95)):
    """Does the spread between the members tell where the detector errs? Errors below and above each limit (a quantile of the spread of pages and outside people), clean."""
    s, z = f.spread("clean"), llr["clean"]
    ok = ~np.isnan(z) & ((f.h.set == "pages") | np.isin(f.h.set, OUTSIDE))
    fake, rows = (f.kind != "b") & ok, []
    for q in limits:
        limit = float(np.quantile(s[ok], q / 100))
        row = [q, limit]
        for m in (s <= limit, s > limit):
            b, a = z[ok & ~fake & m], z[fake & m]
            row += [100 * judge.eer(b, a), 100 * (a <= thr["wide"]["clear"]).mean(), 100 * (b >= thr["wide"]["fa1"]).mean(), len(b), len(a)]
        rows.append(row)
    return rows


def tables(f, cal, thr, llr):
    print("views:", ", ".join(f.views))
    print("\n### Pages never met (copies of the folds), EER % by fold and their mean; pooled [95 %, pages drawn with replacement]\n")
    print("| condition | " + " | ".join(f.views) + " | **together** | pooled |\n|---" * 1 + "|---" * (len(f.views) + 2) + "|")
    show = lambda r: " / ".join("%.1f" % (100 * x) for x in r) + " (%.1f)" % (100 * np.mean(r))
    for c in f.conditions:
        z = f.score(c)
        one = [show(by_fold(f, f.unmet(c, v))) for v in f.views]
        print(f"| {c} | " + " | ".join(one) + f" | **{show(by_fold(f, z))}** | {100 * judge.eer(*f.split(z)):.1f} [{'%.1f-%.1f' % interval(f, z)}] |")
    print("\nby page, clean: " + ", ".join("%s %.0f (%d originals, %d attacks)" % (p, 100 * e, b, a) for p, e, b, a in by_page(f, f.score("clean"))))
    for kind in "svc":
        b, _ = f.split(llr["clean"])
        a = llr["clean"][(f.h.set == "pages") & (f.kind == kind)]
        print(f"kind {kind}: {100 * judge.eer(b, a[~np.isnan(a)]):.1f} ({len(a)})")
    print("\n### Caught at the thresholds on pages never met, % (fa1 / fa5 / callers), all-clear given to attacks / to originals\n")
    for c in f.conditions:
        b, a = f.split(llr[c])
        t = thr[band_of(c)]
        print(f"- {c}: {100 * (a >= t['fa1']).mean():.1f} / {100 * (a >= t['fa5']).mean():.1f} / {100 * (a >= t['callers']).mean():.1f}; all-clear {100 * (a <= t['clear']).mean():.1f} / {100 * (b <= t['clear']).mean():.1f}; Cllr {cllr(b, a):.3f}")
    print("\n### False alarms, % at fa1 / fa5 [at thresholds set without that corpus]\n")
    for band in ("wide", "narrow"):
        for (name, c), z in groups(f, llr, band).items():
            rest = [100 * (z >= threshold(f, llr, band, s, name)).mean() for s in (0.01, 0.05)]
            print(f"- {c}, {name} ({len(z)}): {100 * (z >= thr[band]['fa1']).mean():.1f} / {100 * (z >= thr[band]['fa5']).mean():.1f} [{rest[0]:.1f} / {rest[1]:.1f}]; own 99 % {np.quantile(z, .99):.2f}; all-clear {100 * (z <= thr[band]['clear']).mean():.0f}")
    for c in ("clean", "telephone"):
        print(f"- {c}, a page's originals at the line of the other pages' originals, each left out in turn: {100 * page_left_out(f, llr, c, 0.01):.1f} / {100 * page_left_out(f, llr, c, 0.05):.1f}")
    print("\n### Where the members disagree (limit: quantile of their spread): EER %, attacks given the all-clear %, false alarms %, people, attacks; at most / above the limit\n")
    for r in cannot_know(f, llr, thr):
        print("- %d %% (%.2f): %.1f, %.1f, %.1f (%d, %d) / %.1f, %.1f, %.1f (%d, %d)" % tuple(r))
    print("\ncalibration", cal, "thresholds", thr)


def main(scores, index, views, fusion, name=None, revision=None, model=None, out=None):
    f = Fusion(Held(scores, index), views.split(","))
    cal, thr, llr = calibrate(f)
    json.dump({"views": {v: {"slope": round(a, 5), "offset": round(b, 5)} for v, (a, b) in f.maps.items()}}, open(fusion, "w"), indent=1)
    tables(f, cal, thr, llr)
    if name is None:
        return
    rate = {c: wrong(f, llr, thr, c) for c in f.conditions}
    rate["noisy20"] = max(rate["clean"], rate["noisy20"])
    narrow = max(rate[c] for c in NARROW if c in rate)
    value = lambda e: max(0, round(100 * (1 - 2 * e)))
    rows = []
    for band, base in (("wide", rate["clean"]), ("narrow", narrow)):
        for snr, more in ((28, 0.0), (15, rate["noisy20"] - rate["clean"])):
            for net, less in ((2.5, 0.0), (1.2, max(0.0, rate["short2s"] - rate["clean"]))):
                rows.append({"bandwidth": band, "min_snr_db": snr, "min_net_speech_s": net, "value": value(min(0.5, base + more + less))})
    rows.append({"bandwidth": "any", "min_snr_db": -100, "min_net_speech_s": 0, "value": 5})
    blob = open(model, "rb").read()
    manifest = {
        "name": name, "revision": revision, "kind": "synthetic", "file": "model.onnx", "sha256": hashlib.sha256(blob).hexdigest(), "bytes": len(blob),
        "branches": views, "input": {"name": "wave", "sample_rate": 16000, "scale": "int16", "samples": 64000},
        "output": {"name": "score", "higher": "attack"}, "experimental": True,
        "window": {"samples": 64000, "hop": 64000, "min_rest": 16000, "max": 8, "short": "tile", "combine": "mean"},
        "calibration": cal, "thresholds": {**thr, "shipped": "fa1"}, "reliability": rows, "reliability_floor": FLOOR,
    }
    os.makedirs(out, exist_ok=True)
    json.dump(manifest, open(f"{out}/manifest.json", "w"), indent=2)
    print("reliability:", [(r["bandwidth"], r["min_snr_db"], r["min_net_speech_s"], r["value"]) for r in rows])


if __name__ == "__main__":
    main(*sys.argv[1:])
