"""Owns the pairs made of ready-made copies: packs of recordings that went through vocoders and codecs found elsewhere (`of` names each one's original) become folders like those of copies.py.
The copy passed through Opus once more than its original, so the original takes the same way again; a second version of both goes through Opus at another rate.

Usage: found_copies.py PACKS MADE OPUS_TOOL X.json [Y.json ...]     waits until the originals' packs are decoded
"""
import json
import os
import random
import subprocess
import sys
import time

import numpy as np

import bank
import pages
from store import CROP

PACK_RATE = 22000
RATES = (10000, 14000, 18000, 22000, 28000, 40000, -9000)


def recode(tool, base, waves, rates):
    np.stack(waves).tofile(base + ".in")
    with open(base + ".len", "w") as f:
        f.write("".join(f"{CROP} {r}\n" for r in rates))
    subprocess.run([tool, "recode", base + ".in", base + ".len", base + ".out"], check=True)
    got = np.fromfile(base + ".out", np.int16).reshape(-1, CROP)
    for end in (".in", ".len", ".out"):
        os.remove(base + end)
    return got


class Originals:
    def __init__(self, packs, patience):
        self.packs, self.read, self.until = packs, {}, time.time() + patience

    def get(self, name, index):
        """(page or corpus, wave), or None for people whom training must not meet and for packs that never came."""
        base = f"{self.packs}/{os.path.basename(name)}"
        if base not in self.read:
            while not os.path.exists(base + ".raw") and time.time() < self.until:
                time.sleep(1)
            there = os.path.exists(base + ".raw")
            self.read[base] = (json.load(open(base + ".json")), bank.read(base)) if there else None
        if self.read[base] is None:
            return None
        meta, rows = self.read[base]
        who, wave = rows[index]
        if meta["kind"] == "attacks":
            return pages.parse(who).page, wave
        return None if pages.is_fresh(meta["set"], who) else (meta["set"], wave)


def crops(original, copy):
    """Pairs of 4 s, the same place of both; what is short repeats, as in serving."""
    n = min(len(original), len(copy))
    if n < 16000:
        return
    for k in range(0, max(1, n - CROP // 2), CROP):
        yield tuple(np.resize(x[k:min(n, k + CROP)], CROP) for x in (original, copy))


def main(packs, made, tool, *found):
    originals, by = Originals(packs, 240), {}
    for path in found:
        base, meta = path[:-5], json.load(open(path))
        while not os.path.exists(base + ".raw"):
            time.sleep(1)
        for (label, copy), of in zip(bank.read(base), meta.get("of") or []):
            own = originals.get(*of) if of else None
            if own and pages.is_copy(pages.parse(label)):
                for pair in crops(own[1], copy):
                    by.setdefault("hunt-" + label.split("/", 1)[1].replace("/", "-"), []).append((own[0], *pair))
    folder, rng = f"{made}/found", random.Random(11)
    os.makedirs(folder + ".part", exist_ok=True)
    for name, rows in sorted(by.items()):
        one = f"{folder}.part/{name}"
        orig, copy = recode(tool, one, [r[1] for r in rows], [PACK_RATE] * len(rows)), np.stack([r[2] for r in rows])
        rates = [rng.choice(RATES) for _ in rows]
        for k, (o, c) in enumerate(((orig, copy), (recode(tool, one, list(orig), rates), recode(tool, one, list(copy), rates)))):
            o.tofile(f"{one}@{k}.orig.raw"), c.tofile(f"{one}@{k}.copy.raw")
            bank.save_spans(f"{one}@{k}", o)
            json.dump({"system": f"{name}@{k}", "pages": [r[0] for r in rows]}, open(f"{one}@{k}.json", "w"))
        print(name, len(rows), "pairs", flush=True)
    os.rename(folder + ".part", folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
