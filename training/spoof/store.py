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


def speech_span(x, below_db):
    """First and last sample of what is within so many dB of the loud frames (10 ms), nothing around it."""
    f = x[: len(x) // 160 * 160].reshape(-1, 160).astype(np.float32)
    level = 10 * np.log10((f * f).mean(1) + 1e-3)
    loud = np.flatnonzero(level > np.percentile(level, 95) - below_db)
    return (int(loud[0]) * 160, int(loud[-1] + 1) * 160) if len(loud) else (0, len(x))


def floor_spectrum(x):
    """Shape of the noise floor: mean power spectrum (257 bins) of the quietest tenth of the frames, scaled to a mean of one."""
    f = x[: len(x) // 512 * 512].reshape(-1, 512).astype(np.float32)
    e = (f * f).mean(1)
    quiet = f[np.argsort(e)[: max(2, len(e) // 10)]] * np.hanning(512).astype(np.float32)
    p = (np.abs(np.fft.rfft(quiet)) ** 2).mean(0) + 1e-6
    return p / p.mean()


class Store:
    """Named groups of utterances on the device. Shorter utterances than a crop repeat from their beginning, as in serving.

    Crops of both classes are cut alike: `TIGHT` of them to the very speech, `AROUND` with up to 1.5 s between the end and the next beginning, filled with
    the noise floor of some other recording or with nothing, the rest as the recording is. So how a recording begins and ends says nothing."""
    TIGHT, AROUND = 0.45, 0.25

    def __init__(self, device):
        self.dev, self.groups, self.floors, self.bank = device, {}, [], None

    def add(self, name, waves, cut=True):
        lens = torch.tensor([len(w) for w in waves], device=self.dev)
        flat = torch.from_numpy(np.concatenate(waves)).to(self.dev)
        starts = torch.cumsum(lens, 0) - lens
        spans = [[speech_span(w, d) for d in (20, 28)] if cut else [(0, len(w))] * 2 for w in waves]
        self.groups[name] = (flat, starts, lens, torch.tensor(spans, device=self.dev))
        if cut:
            self.floors += [floor_spectrum(w) for w in waves[:: max(1, len(waves) // 400)] if len(w) > 8192]
            self.bank = None

    def size(self, name):
        return len(self.groups[name][2])

    def floor(self, n, g):
        """n crops of stationary noise of unit level, each coloured as the floor of some recording, whichever its class."""
        if self.bank is None:
            self.bank = torch.tensor(np.array(self.floors), device=self.dev, dtype=torch.float32).sqrt()
        shape = self.bank[torch.randint(0, len(self.bank), (n,), device=self.dev, generator=g)]
        shape = torch.nn.functional.interpolate(shape[:, None], size=32769, mode="linear", align_corners=True)[:, 0]
        z = torch.fft.irfft(torch.fft.rfft(torch.randn(n, 65536, device=self.dev, generator=g)) * shape)[:, :CROP]
        return z / z.pow(2).mean(1, keepdim=True).sqrt().clamp_min(1e-6)

    def pair(self, first, second, n, g):
        """The same crops of two groups that hold the same recordings before and after an attack; all are CROP long."""
        u = torch.randint(0, self.size(first), (n,), device=self.dev, generator=g)
        idx = u[:, None] * CROP + torch.arange(CROP, device=self.dev)[None]
        return self.groups[first][0][idx].float(), self.groups[second][0][idx].float()

    def draw(self, name, n, g, faster=0.0):
        """n crops; a share `faster` of them is played 10 % slower to 10 % faster."""
        flat, starts, lens, spans = self.groups[name]
        if n <= 0:
            return torch.zeros(0, CROP, device=self.dev)
        rnd = lambda *s: torch.rand(*s, device=self.dev, generator=g)
        # longer recordings are drawn more often, but not in proportion
        p = lens.float().clamp(SR, 10 * SR).sqrt()
        u = torch.multinomial(p, n, replacement=True, generator=g)
        how, span = rnd(n), spans[u, (rnd(n) < 0.5).long()]
        tight, around = how < self.TIGHT, (how >= self.TIGHT) & (how < self.TIGHT + self.AROUND)
        first = starts[u] + torch.where(tight, span[:, 0], 0)
        ln = torch.where(tight, span[:, 1] - span[:, 0], lens[u])
        period = ln + torch.where(around, (rnd(n) * 1.5 * SR).long(), 0)
        off = torch.where(around, rnd(n) * period, rnd(n) * (ln - CROP).clamp_min(0)).long()[:, None]
        here = torch.arange(CROP, device=self.dev)[None]
        first, ln, period = first[:, None], ln[:, None], period[:, None]

        def at(i, k):
            i = i % period[:k]
            return flat[first[:k] + torch.minimum(i, ln[:k] - 1)].float() * (i < ln[:k])
        out = at(off + here, n)
        k = int(n * faster)
        if k:
            pos = off[:k] + here * (0.9 + 0.2 * rnd(k, 1))
            i = pos.floor()
            w = (pos - i).float()
            a, b, c, d = (at(i.long() + s, k) for s in (-1, 0, 1, 2))
            out[:k] = b + 0.5 * w * (c - a + w * (2 * a - 5 * b + 4 * c - d + w * (3 * (b - c) + d - a)))
        m = around & (rnd(n) < 0.75)
        k = int(m.sum())
        if k:
            level = out[m].pow(2).mean(1, keepdim=True).sqrt() * 10 ** (-(25 + 40 * rnd(k, 1)) / 20)
            out[m] = out[m] + self.floor(k, g) * level * (out[m] == 0)
        return out

    def silence(self, x, g, share=0.45):
        """In a share of the crops what is quiet is taken down and replaced by the floor of another recording or by nothing, for both classes alike."""
        n, rnd = len(x), lambda *s: torch.rand(*s, device=self.dev, generator=g)
        m = rnd(n) < share
        k = int(m.sum())
        if not k:
            return x
        y = x[m]
        e = y.reshape(k, -1, 160).pow(2).mean(2).add(1e-2).log10() * 10
        active = (e > torch.quantile(e, 0.95, 1, keepdim=True) - 18 - 22 * rnd(k, 1)).float()[:, None]
        wide = torch.nn.functional.max_pool1d(active, 13, 1, 6)
        active = torch.where(rnd(k, 1, 1) < 0.5, wide, torch.nn.functional.max_pool1d(active, 3, 1, 1))
        gate = torch.nn.functional.interpolate(active, size=x.shape[1], mode="linear", align_corners=False)[:, 0]
        left = torch.where(rnd(k, 1) < 0.5, 0.0, 10 ** (-30 * rnd(k, 1) / 20))
        level = y.pow(2).mean(1, keepdim=True).sqrt() * 10 ** (-(25 + 45 * rnd(k, 1)) / 20) * (rnd(k, 1) < 0.75)
        out = x.clone()
        out[m] = y * (gate + (1 - gate) * left) + self.floor(k, g) * level * torch.where(rnd(k, 1) < 0.5, 1 - gate, 1.0)
        return out


if __name__ == "__main__":
    for _ in read(sys.argv[1], sys.argv[2]):
        pass
    second_pass(sys.argv[1], sys.argv[2])
