"""Owns the scoring of a labelled attack pack with a finished ONNX file on a CPU, by the serving rule: attacks against the originals of the same pages.

Usage: score_pack.py MODEL.onnx X.json OUT.json [--conditions clean,telephone] [--most 12]     X.raw (decoded) beside X.json
attacks-dev is for measuring only: each look at it is written down in the card.
"""
import argparse
import json

import numpy as np

import bank
import judge
import pages
from store import SR

ap = argparse.ArgumentParser()
ap.add_argument("model"), ap.add_argument("pack"), ap.add_argument("out")
ap.add_argument("--conditions", default="clean,telephone")
ap.add_argument("--most", type=float, default=12, help="seconds of each recording")


def interval(parts, rounds=1000):
    """95 % of the pooled rate, pages drawn with replacement."""
    rng, names, got = np.random.default_rng(5), sorted(parts), []
    for _ in range(rounds):
        pick = rng.choice(names, len(names))
        b, f = (np.concatenate([parts[p][k] for p in pick]) for k in (0, 1))
        if len(b) and len(f):
            got.append(judge.eer(b, f))
    return tuple(100 * np.percentile(got, [2.5, 97.5]))


def main(a):
    import onnxruntime as ort
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    net = ort.InferenceSession(a.model, options)
    rows = [(pages.parse(s), x) for s, x in bank.read(a.pack[:-5]) if len(x) >= 0.8 * SR]
    out = {"labels": [f"{p.kind}:{p.system}" for p, _ in rows], "scores": {}}
    for condition in a.conditions.split(","):
        z = []
        for x in (x for _, x in rows):
            w = np.stack(judge.windows(judge.condition(x[: int(a.most * SR)], condition, None, None))).astype(np.float32)
            z.append(float(np.mean([net.run(None, {"wave": one[None]})[0] for one in w])))
        out["scores"][condition] = [round(v, 4) for v in z]
        json.dump(out, open(a.out, "w"))
        z, parts = np.array(z), {}
        for (p, _), v in zip(rows, z):
            parts.setdefault(p.page, ([], []))[p.kind != "b"].append(v)
        parts = {p: (np.array(b), np.array(f)) for p, (b, f) in parts.items()}
        b, f = (np.concatenate([v[k] for v in parts.values()]) for k in (0, 1))
        print(f"{condition}: EER {100 * judge.eer(b, f):.1f} % [{'%.1f-%.1f' % interval(parts)}], {len(b)} originals, {len(f)} attacks, {len(parts)} pages", flush=True)
        for kind in "svc":
            part = np.array([v for (p, _), v in zip(rows, z) if p.kind == kind])
            if len(part):
                print(f"  kind {kind}: {100 * judge.eer(b, part):.1f} ({len(part)})")
        for p, (b1, f1) in sorted(parts.items()):
            if len(b1) >= 6 and len(f1) >= 6:
                print(f"  {p}: {100 * judge.eer(b1, f1):.1f} ({len(b1)} originals, {len(f1)} attacks)")


if __name__ == "__main__":
    main(ap.parse_args())
