"""Owns the copies of recordings by a vocoder and a neural coder that come ready-made: FARGAN and DRED of Opus 1.5 (feature_tool.c). Runs on CPU cores beside the training and hands over
pairs like those of copies.py.

Usage: feature_copies.py PACKS MADE OPUS_TOOL FEATURE_TOOL [--small]     waits for packs, in two rounds
"""
import os
import random
import subprocess
import sys
import tempfile
import time
from multiprocessing.pool import ThreadPool

import numpy as np

import bank
import pages
from recoder import Recoder
from store import CROP, SR

# packs and how many recordings of each; what came by then is taken
ROUNDS = [({"attacks-train": 420, "librispeech": 560}, 90), ({"attacks-train": 420, "librispeech": 400, "commonvoice-0": 1100, "commonvoice-1": 500, "speechocean762": 400}, 240)]
MODES = (("fargan", 0.3), ("pitch", 0.2), ("dred0", 0.1), ("dred4", 0.15), ("dred8", 0.15), ("dred13", 0.1))
CHUNK, THREADS = 32, 9


def recordings(base, count, rng):
    """[(page or corpus, crop of at most 4 s), ...] of people whom training may meet."""
    _, meta = next((b, m) for b, m in bank.ready(os.path.dirname(base), alt_too=False) if b == base)
    rows = []
    for who, x in bank.read(base):
        label = pages.parse(who) if meta["kind"] == "attacks" else bank.Label("b", meta["set"], who)
        if label.kind == "b" and len(x) >= 1.5 * SR and not (meta["kind"] == "train" and pages.is_fresh(meta["set"], who)):
            k = rng.randrange(max(1, len(x) - CROP))
            rows.append((label.page, x[k:k + CROP]))
    rng.shuffle(rows)
    return rows[:count]


def copied(job):
    tool, mode, waves = job
    with tempfile.TemporaryDirectory() as tmp:
        np.concatenate(waves).tofile(tmp + "/in")
        open(tmp + "/len", "w").write("".join(f"{len(w)}\n" for w in waves))
        subprocess.run(["nice", "-n", "5", tool, mode, tmp + "/in", tmp + "/len", tmp + "/out"], check=True)
        return np.split(np.fromfile(tmp + "/out", np.int16), np.cumsum([len(w) for w in waves])[:-1])


def alike(x, y):
    """The copy at the original's level; None where there is nothing to hear."""
    x, y = x.astype(np.float32), y.astype(np.float32)
    return None if min(x.std(), y.std()) < 30 else y * (x.std() / y.std())


def main(packs, made, opus_tool, tool, small=""):
    rng, start = random.Random(21), time.time()
    rec = Recoder(made, opus_tool, rng)
    for number, (wanted, patience) in enumerate(ROUNDS):
        while not all(os.path.exists(f"{packs}/{p}.raw") for p in wanted) and time.time() - start < (1 if small else patience):
            time.sleep(1)
        rows = [r for p, n in wanted.items() if os.path.exists(f"{packs}/{p}.raw") for r in recordings(f"{packs}/{p}", 8 if small else n, rng)]
        rng.shuffle(rows)
        jobs, at = [], 0
        for mode, share in MODES:
            mine = rows[at:at + int(share * len(rows))]
            at += len(mine)
            jobs += [(mode, mine[k:k + CHUNK]) for k in range(0, len(mine), CHUNK)]
        by = {}
        with ThreadPool(2 if small else THREADS) as pool:
            for (mode, part), copies in zip(jobs, pool.map(copied, [(tool, mode, [x for _, x in part]) for mode, part in jobs])):
                for (page, x), y in zip(part, copies):
                    y = alike(x, y)
                    if y is not None:
                        by.setdefault(mode, []).append((page, np.resize(x.astype(np.float32), CROP), np.resize(y, CROP)))
        folder = f"features-{number}"
        for mode, triples in by.items():
            rec.put(folder, f"{mode}@{number}", (np.stack([t[1] for t in triples]), np.stack([t[2] for t in triples])), [t[0] for t in triples])
        rec.finish(folder)
        print("[features %.0fs]" % (time.time() - start), {m: len(t) for m, t in by.items()}, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
