"""Owns the speech in device memory: packs are decoded once, kept as one int16 tensor, and drawn from as 4 s crops.

Usage: store.py DATA OPUS_TOOL     decode every pack and make a second version of all speech through Opus at other rates (X.alt.raw)
"""
import glob
import json
import os
import random
import subprocess
import sys

import numpy as np
import torch

SR = 16000
CROP = 4 * SR


def read(folder, tool, again=False):
    """Yield (set, kind, [(speaker, int16 array), ...]) of each X.json with X.raw (or X.pack, decoded now)."""
    jobs = []
    for j in sorted(glob.glob(folder + "/*.json")):
        base = j[:-5]
        if not os.path.exists(base + ".raw"):
            jobs.append(subprocess.Popen([tool, "unpack", base + ".pack", base + ".raw"]))
    for p in jobs:
        if p.wait() != 0:
            raise RuntimeError("unpack failed")
    for j in sorted(glob.glob(folder + "/*.json")):
        meta = json.load(open(j))
        out = []
        for path in (j[:-5] + ".raw", j[:-5] + ".alt.raw"):
            if not os.path.exists(path) or (path.endswith(".alt.raw") and not again):
                continue
            raw, at = np.fromfile(path, np.int16), 0
            for speaker, n in meta["utts"]:
                out.append((speaker, raw[at:at + n]))
                at += n
            assert at == len(raw), (path, at, len(raw))
        if meta.get("join"):  # single words: those of one speaker become one recording
            words = {}
            for speaker, x in out:
                words.setdefault(speaker, []).append(x)
            out = [(speaker, np.concatenate(xs)) for speaker, xs in words.items()]
        yield meta["set"], meta["kind"], out


def second_pass(folder, tool):
    """Speech of both classes once more through Opus: one rate per utterance, narrow band among them."""
    jobs = []
    for j in sorted(glob.glob(folder + "/*.json")):
        base, meta = j[:-5], json.load(open(j))
        if meta["kind"] not in ("bonafide", "spoof") or os.path.exists(base + ".alt.raw"):
            continue
        rng = random.Random(meta["set"])
        with open(base + ".alt.len", "w") as f:
            f.write("".join(f"{n} {rng.choice([-9000, 9000, 12000, 14000, 18000, 22000, 28000, 40000, 64000])}\n" for _, n in meta["utts"]))
        jobs.append((subprocess.Popen([tool, "recode", base + ".raw", base + ".alt.len", base + ".alt.tmp"]), base))
    for p, base in jobs:
        if p.wait() != 0:
            raise RuntimeError("recode failed " + base)
        os.rename(base + ".alt.tmp", base + ".alt.raw")


def write(base, name, kind, rows):
    np.concatenate([x for _, x in rows]).astype(np.int16).tofile(base + ".raw")
    json.dump({"set": name, "kind": kind, "utts": [[str(s), len(x)] for s, x in rows]}, open(base + ".json.tmp", "w"))
    os.rename(base + ".json.tmp", base + ".json")


class Store:
    """Named groups of utterances on the device. Shorter utterances than a crop repeat from their beginning, as in serving."""

    def __init__(self, device):
        self.dev, self.groups = device, {}

    def add(self, name, waves):
        lens = torch.tensor([len(w) for w in waves], device=self.dev)
        flat = torch.from_numpy(np.concatenate(waves)).to(self.dev)
        starts = torch.cumsum(lens, 0) - lens
        self.groups[name] = (flat, starts, lens)

    def size(self, name):
        return len(self.groups[name][2])

    def pair(self, first, second, n, g):
        """The same crops of two groups that hold the same recordings before and after an attack; all are CROP long."""
        u = torch.randint(0, self.size(first), (n,), device=self.dev, generator=g)
        idx = u[:, None] * CROP + torch.arange(CROP, device=self.dev)[None]
        return self.groups[first][0][idx].float(), self.groups[second][0][idx].float()

    def draw(self, name, n, g, faster=0.0):
        """n crops; a share `faster` of them is played 10 % slower to 10 % faster."""
        flat, starts, lens = self.groups[name]
        if n <= 0:
            return torch.zeros(0, CROP, device=self.dev)
        # longer recordings are drawn more often, but not in proportion
        p = lens.float().clamp(SR, 10 * SR).sqrt()
        u = torch.multinomial(p, n, replacement=True, generator=g)
        ln = lens[u][:, None]
        slack = (ln[:, 0] - CROP).clamp_min(0).float()
        off = (torch.rand(n, device=self.dev, generator=g) * slack).long()[:, None]
        here = torch.arange(CROP, device=self.dev)[None]
        out = flat[starts[u][:, None] + (off + here) % ln].float()
        k = int(n * faster)
        if k:
            pos = off[:k] + here * (0.9 + 0.2 * torch.rand(k, 1, device=self.dev, generator=g))
            i = pos.floor()
            w = (pos - i).float()
            a, b, c, d = (flat[starts[u[:k]][:, None] + (i.long() + s) % ln[:k]].float() for s in (-1, 0, 1, 2))
            out[:k] = b + 0.5 * w * (c - a + w * (2 * a - 5 * b + 4 * c - d + w * (3 * (b - c) + d - a)))
        return out


if __name__ == "__main__":
    for _ in read(sys.argv[1], sys.argv[2]):
        pass
    second_pass(sys.argv[1], sys.argv[2])
