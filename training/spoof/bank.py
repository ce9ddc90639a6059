"""Owns the speech in device memory: recordings of every source in one int16 tensor, each with a label, drawn as 4 s crops.

Usage: bank.py OPUS_TOOL X.json [Y.json ...]     decode packs (X.raw) and make the second version of their speech through Opus at other rates (X.alt.raw)

Crops of both classes are cut alike: `TIGHT` of them to the very speech, `AROUND` with up to 1.5 s between the end and the next beginning, filled with the noise
floor of some other recording or with nothing, the rest as the recording is. Shorter recordings repeat from their beginning, as in serving.
"""
import glob
import json
import os
import random
import subprocess
import sys
from typing import NamedTuple

import numpy as np
import torch

from store import CROP, SR, floor_spectrum, speech_span

RATES = [-9000, 9000, 12000, 14000, 18000, 22000, 28000, 40000, 64000]
SPEECH_KINDS = ("train", "spoof", "attacks")


class Label(NamedTuple):
    """`kind`: b original, s synthetic, v vocoded, c neural codec, copy and orig for our own copies. `page` also names a corpus or a family of vocoders."""
    kind: str
    page: str
    system: str


def decode(base, tool, slices=6):
    """X.pack -> X.raw and X.alt.raw: the same speech once more through Opus, one rate per recording, narrow band among them. Each appears when complete."""
    meta = json.load(open(base + ".json"))
    if not os.path.exists(base + ".raw"):
        subprocess.run([tool, "unpack", base + ".pack", base + ".raw.tmp"], check=True)
        os.rename(base + ".raw.tmp", base + ".raw")
    if meta["kind"] in SPEECH_KINDS and not os.path.exists(base + ".spans.npy"):
        save_spans(base, [x for _, x in read(base)])
    if meta["kind"] not in SPEECH_KINDS or os.path.exists(base + ".alt.raw"):
        return
    rng, raw, at, jobs = random.Random(os.path.basename(base)), np.memmap(base + ".raw", np.int16, "r"), 0, []
    for k, part in enumerate(np.array_split(np.arange(len(meta["utts"])), slices)):
        lens = [meta["utts"][i][1] for i in part]
        name = f"{base}.alt{k}"
        raw[at:at + sum(lens)].tofile(name + ".in")
        at += sum(lens)
        with open(name + ".len", "w") as f:
            f.write("".join(f"{n} {rng.choice(RATES)}\n" for n in lens))
        jobs.append((name, subprocess.Popen([tool, "recode", name + ".in", name + ".len", name + ".out"])))
    with open(base + ".alt.tmp", "wb") as f:
        for name, job in jobs:
            if job.wait() != 0:
                raise RuntimeError("recode failed " + name)
            f.write(open(name + ".out", "rb").read())
            for end in (".in", ".len", ".out"):
                os.remove(name + end)
    os.rename(base + ".alt.tmp", base + ".alt.raw")


def save_spans(base, waves):
    """Where the speech of each recording is, [recordings, 2, 2]: measured by the processes that decode, not by the one that trains."""
    np.save(base + ".spans.tmp.npy", np.array([[speech_span(w, d) for d in (20, 28)] for w in waves]))
    os.rename(base + ".spans.tmp.npy", base + ".spans.npy")


def read(base, version=""):
    """[(speaker, int16 array), ...] of a decoded pack; versions: as it came, `.alt` (Opus again), `.tel` (telephone)."""
    raw, at, out = np.fromfile(f"{base}{version}.raw", np.int16), 0, []
    for speaker, n in json.load(open(base + ".json"))["utts"]:
        out.append((speaker, raw[at:at + n]))
        at += n
    assert at == len(raw), (base, at, len(raw))
    return out


def ready(folder, alt_too=True):
    """Packs that are decoded, as (base, header); those of speech only with their second version."""
    for path in sorted(glob.glob(folder + "/*.json")):
        base, meta = path[:-5], json.load(open(path))
        speech = alt_too and meta["kind"] in SPEECH_KINDS
        if os.path.exists(base + (".alt.raw" if speech else ".raw")) and (not speech or os.path.exists(base + ".spans.npy")):
            yield base, meta


class Bank:
    def __init__(self, device, hours):
        self.dev, self.end, self.labels, self.floors, self.floor_bank = device, 0, [], [], None
        self.flat = torch.zeros(int(hours * 3600 * SR), dtype=torch.int16, device=device)
        self.table = torch.zeros(0, 6, dtype=torch.long, device=device)  # start, length, two spans of speech

    def add(self, waves, labels, spans=None):
        """Returns the new recordings' numbers. `spans`: those of the originals, where these are copies of them."""
        spans = spans or [[speech_span(w, d) for d in (20, 28)] for w in waves]
        rows = []
        for w, s in zip(waves, spans):
            rows.append([self.end, len(w), *s[0], *s[1]])
            self.end += len(w)
        self.flat[rows[0][0]:self.end] = torch.from_numpy(np.concatenate(waves)).to(self.dev)
        self.table = torch.cat([self.table, torch.tensor(rows, device=self.dev)])
        first = len(self.labels)
        self.labels += labels
        self.floors += [floor_spectrum(w) for w in waves[:: max(1, len(waves) // 200)] if len(w) > 8192]
        self.floor_bank = None
        return list(range(first, len(self.labels)))

    def floor(self, n, g):
        """n crops of stationary noise of unit level, each coloured as the floor of some recording, whichever its class."""
        if self.floor_bank is None:
            self.floor_bank = torch.tensor(np.array(self.floors), device=self.dev, dtype=torch.float32).sqrt()
        shape = self.floor_bank[torch.randint(0, len(self.floor_bank), (n,), device=self.dev, generator=g)]
        shape = torch.nn.functional.interpolate(shape[:, None], size=32769, mode="linear", align_corners=True)[:, 0]
        z = torch.fft.irfft(torch.fft.rfft(torch.randn(n, 65536, device=self.dev, generator=g)) * shape)[:, :CROP]
        return z / z.pow(2).mean(1, keepdim=True).sqrt().clamp_min(1e-6)

    def crops(self, which, g, tight=0.45, around=0.25, faster=0.3):
        """One crop of each recording `which`; a share `faster` is played up to 12 % slower or faster."""
        n = len(which)
        rnd = lambda *s: torch.rand(*s, device=self.dev, generator=g)
        row = self.table[torch.as_tensor(which, device=self.dev)]
        how, other = rnd(n), rnd(n) < 0.5
        low, high = torch.where(other, row[:, 4], row[:, 2]), torch.where(other, row[:, 5], row[:, 3])
        cut, gap = how < tight, (how >= tight) & (how < tight + around)
        first = row[:, 0] + torch.where(cut, low, 0)
        ln = torch.where(cut, high - low, row[:, 1])
        period = ln + torch.where(gap, (rnd(n) * 1.5 * SR).long(), 0)
        off = torch.where(gap, rnd(n) * period, rnd(n) * (ln - CROP).clamp_min(0)).long()[:, None]
        first, ln, period = first[:, None], ln[:, None], period[:, None]
        here = torch.arange(CROP, device=self.dev)[None]

        def at(i, k):
            i = i % period[:k]
            return self.flat[first[:k] + torch.minimum(i, ln[:k] - 1)].float() * (i < ln[:k])
        order = torch.randperm(n, device=self.dev, generator=g)
        first, ln, period, off = first[order], ln[order], period[order], off[order]
        out = at(off + here, n)
        k = int(n * faster)
        if k:  # cubic interpolation between samples
            pos = off[:k] + here * (0.88 + 0.24 * rnd(k, 1))
            i = pos.floor()
            w = (pos - i).float()
            a, b, c, d = (at(i.long() + s, k) for s in (-1, 0, 1, 2))
            out[:k] = b + 0.5 * w * (c - a + w * (2 * a - 5 * b + 4 * c - d + w * (3 * (b - c) + d - a)))
        back = torch.empty_like(out)
        back[order] = out
        level = back.pow(2).mean(1, keepdim=True).sqrt() * 10 ** (-(25 + 40 * rnd(n, 1)) / 20)
        fill = (gap & (rnd(n) < 0.75))[:, None] & (back == 0)
        return back + self.floor(n, g) * level * fill

    def silence(self, x, g, share=0.45):
        """In a share of the crops what is quiet is taken down and replaced by the floor of another recording or by nothing, for both classes alike."""
        n, rnd = len(x), lambda *s: torch.rand(*s, device=self.dev, generator=g)
        e = x.reshape(n, -1, 160).pow(2).mean(2).add(1e-2).log10() * 10
        active = (e > torch.quantile(e, 0.95, 1, keepdim=True) - 18 - 22 * rnd(n, 1)).float()[:, None]
        wide = torch.nn.functional.max_pool1d(active, 13, 1, 6)
        active = torch.where(rnd(n, 1, 1) < 0.5, wide, torch.nn.functional.max_pool1d(active, 3, 1, 1))
        gate = torch.nn.functional.interpolate(active, size=x.shape[1], mode="linear", align_corners=False)[:, 0]
        left = torch.where(rnd(n, 1) < 0.5, 0.0, 10 ** (-30 * rnd(n, 1) / 20))
        level = x.pow(2).mean(1, keepdim=True).sqrt() * 10 ** (-(25 + 45 * rnd(n, 1)) / 20) * (rnd(n, 1) < 0.75)
        y = x * (gate + (1 - gate) * left) + self.floor(n, g) * level * torch.where(rnd(n, 1) < 0.5, 1 - gate, 1.0)
        return torch.where(rnd(n, 1) < share, y, x)


if __name__ == "__main__":
    for path in sys.argv[2:]:
        decode(path[:-5], sys.argv[1])
