"""Owns the files of a pair: a recording of 4 s and its copy, each through Opus, with the places of speech; a folder appears by its name when every file in it is complete.

More than half of the originals stay as they came (their packs are Opus already) and only the copy is coded, at the packs' rates: then the last step of both is the same, as it is for an original
and an attack of a page. Coding both again would leave Opus twice in every original and once in every copy.
"""
import json
import os
import subprocess

import numpy as np

import bank
from store import CROP

PACK_RATES = (18000, 20000, 22000, 22000, 22000, 24000)
RATES = (10000, 14000, 18000, 22000, 28000, 40000, -9000)


def side_rates(rng, n):
    """Rates of the originals and of the copies; 0 leaves a recording as it is."""
    rows = []
    for _ in range(n):
        u, both = rng.random(), rng.choice(RATES)
        rows.append((0, rng.choice(PACK_RATES)) if u < 0.6 else (0, 0) if u < 0.66 else (both, both))
    return [list(side) for side in zip(*rows)]


class Recoder:
    """Encodes and decodes on the CPU cores while the caller goes on."""

    def __init__(self, out, tool, rng):
        self.out, self.tool, self.rng, self.open = out, tool, rng, []

    def put(self, folder, name, waves, labels):
        """`waves`: originals and copies, [n, CROP] each; `labels`: the page or corpus of each."""
        part = f"{self.out}/{folder}.part"
        os.makedirs(part, exist_ok=True)
        for side, rows, rates in zip(("orig", "copy"), waves, side_rates(self.rng, len(labels))):
            base = f"{part}/{name}.{side}"
            rows.clip(-32768, 32767).round().astype(np.int16).tofile(base + ".in")
            with open(base + ".len", "w") as f:
                f.write("".join(f"{CROP} {r}\n" for r in rates))
            self.open.append((folder, subprocess.Popen([self.tool, "recode", base + ".in", base + ".len", base + ".raw"]), base))
        json.dump({"system": name, "pages": labels}, open(f"{part}/{name}.json", "w"))

    def finish(self, folder):
        for _, job, base in [o for o in self.open if o[0] == folder]:
            if job.wait() != 0:
                raise RuntimeError("recode failed " + base)
            os.remove(base + ".in"), os.remove(base + ".len")
            if base.endswith(".orig"):
                bank.save_spans(base[:-5], np.fromfile(base + ".raw", np.int16).reshape(-1, CROP))
        self.open = [o for o in self.open if o[0] != folder]
        os.rename(f"{self.out}/{folder}.part", f"{self.out}/{folder}")
