"""Owns the speech in device memory: packs are decoded once, kept as one int16 tensor, and drawn from as 4 s crops."""
import glob
import json
import os
import subprocess

import numpy as np
import torch

SR = 16000
CROP = 4 * SR


def read(folder, tool):
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
        raw = np.fromfile(j[:-5] + ".raw", np.int16)
        out, at = [], 0
        for speaker, n in meta["utts"]:
            out.append((speaker, raw[at:at + n]))
            at += n
        assert at == len(raw), (j, at, len(raw))
        yield meta["set"], meta["kind"], out


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

    def draw(self, name, n, g):
        flat, starts, lens = self.groups[name]
        if n <= 0:
            return torch.zeros(0, CROP, device=self.dev)
        # longer recordings are drawn more often, but not in proportion
        p = lens.float().clamp(SR, 10 * SR).sqrt()
        u = torch.multinomial(p, n, replacement=True, generator=g)
        ln = lens[u][:, None]
        slack = (ln[:, 0] - CROP).clamp_min(0).float()
        off = (torch.rand(n, device=self.dev, generator=g) * slack).long()[:, None]
        idx = (off + torch.arange(CROP, device=self.dev)[None]) % ln
        return flat[starts[u][:, None] + idx].float()
