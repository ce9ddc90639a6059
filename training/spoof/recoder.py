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

    def __init__(self, out, tool, rng, slices=6):
        self.out, self.tool, self.rng, self.slices, self.open = out, tool, rng, slices, []

    def put(self, folder, name, waves, labels, alike=False):
        """`waves`: originals and copies, [n, CROP] each; `labels`: the page or corpus of each. `alike`: both sides are made here, so both are coded at the same rate."""
        part = f"{self.out}/{folder}.part"
        os.makedirs(part, exist_ok=True)
        for side, rows, rates in zip(("orig", "copy"), waves, side_rates(self.rng, len(labels)) if not alike else [[self.rng.choice((0, *PACK_RATES, *RATES)) for _ in labels]] * 2):
            base, jobs = f"{part}/{name}.{side}", []
            for k, some in enumerate(np.array_split(np.arange(len(labels)), self.slices)):
                piece = f"{base}.{k}"
                rows[some].clip(-32768, 32767).round().astype(np.int16).tofile(piece + ".in")
                with open(piece + ".len", "w") as f:
                    f.write("".join(f"{CROP} {rates[i]}\n" for i in some))
                jobs.append((piece, subprocess.Popen(["nice", "-n", "5", self.tool, "recode", piece + ".in", piece + ".len", piece + ".out"])))
            self.open.append((folder, jobs, base))
        with open(f"{part}/{name}.json", "w") as f:
            json.dump({"system": name, "pages": labels}, f)

    def finish(self, folder):
        for _, jobs, base in [o for o in self.open if o[0] == folder]:
            with open(base + ".raw", "wb") as f:
                for piece, job in jobs:
                    if job.wait() != 0:
                        raise RuntimeError("recode failed " + piece)
                    f.write(open(piece + ".out", "rb").read())
                    for end in (".in", ".len", ".out"):
                        os.remove(piece + end)
            if base.endswith(".orig"):
                bank.save_spans(base[:-5], np.fromfile(base + ".raw", np.int16).reshape(-1, CROP))
        self.open = [o for o in self.open if o[0] != folder]
        os.rename(f"{self.out}/{folder}.part", f"{self.out}/{folder}")
