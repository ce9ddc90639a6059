"""Training speech on the accelerator: split, speed variants, and a sampler of crop pairs."""

from __future__ import annotations

import math
import random

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from common.packs import SAMPLE_RATE, Utterance, by_speaker

# Speakers kept out of training for calibration: how many per corpus, with at least so many utterances.
HOLD_OUT = {"cv": (110, 4), "so762": (30, 4), "libri": (8, 5), "gsc": (40, 8)}
HELD_OUT_NOISE = 80  # the last clips of the noise pack never enter training


def split(utterances: list[Utterance], seed: int = 7) -> tuple[dict[str, list[Utterance]], dict[str, list[Utterance]]]:
    """(training speakers, held-out speakers); depends on nothing but the corpus and the seed."""
    speakers = by_speaker(utterances)
    held: dict[str, list[Utterance]] = {}
    for corpus, (count, at_least) in HOLD_OUT.items():
        names = sorted(n for n, u in speakers.items() if u[0].corpus == corpus and len(u) >= at_least)
        random.Random(seed).shuffle(names)
        held.update({n: speakers[n] for n in names[:count]})
    return {n: u for n, u in speakers.items() if n not in held}, held


def change_speed(x: Tensor, num: int, den: int, half: int = 24) -> Tensor:
    """Plays `x` at num/den times the speed (pitch moves along): polyphase windowed sinc."""
    cut = min(1.0, den / num) * 0.96
    width = 2 * half + num
    taps = torch.arange(width, dtype=torch.float64)
    kernels = []
    for phase in range(den):
        offset = taps - half - phase * num / den
        window = torch.where(offset.abs() <= half, 0.5 + 0.5 * torch.cos(math.pi * offset / half), torch.zeros_like(offset))
        kernels.append(torch.sinc(offset * cut) * cut * window)
    kernel = torch.stack(kernels).float().to(x.device)[:, None]
    out, chunk = [], num * 160_000
    padded = F.pad(x.float(), (half, width + num))
    for start in range(0, len(x), chunk):
        piece = padded[start:start + chunk + width - num]
        out.append(F.conv1d(piece[None, None], kernel, stride=num)[0].t().reshape(-1).round().clamp(-32768, 32767).to(torch.int16))
    return torch.cat(out)


class SpeechStore:
    """All training speech as one int16 tensor; each speaker at each speed is a class."""

    def __init__(self, speakers: dict[str, list[Utterance]], device: str,
                 speeds=((9, 10), (1, 1), (11, 10)), min_seconds: float = 2.2, speed_weights=None):
        self.device, self.speeds = device, len(speeds)
        self.names = [n for n in sorted(speakers) if sum(len(u.samples) for u in speakers[n]) >= min_seconds * SAMPLE_RATE]
        joined = [np.concatenate([u.samples for u in speakers[n]]) for n in self.names]
        lengths = np.array([len(x) for x in joined])
        starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
        base = torch.from_numpy(np.concatenate(joined)).to(device)
        waves, first, size, offset = [], [], [], 0
        for num, den in speeds:
            wave = base if num == den else change_speed(base, num, den)
            first.append(offset + (starts * den / num).astype(np.int64))
            size.append((lengths * den / num).astype(np.int64) - 2)
            waves.append(wave)
            offset += len(wave)
        self.wave = torch.cat(waves)
        self.first = torch.from_numpy(np.concatenate(first)).to(device)
        self.size = torch.from_numpy(np.concatenate(size)).to(device)
        self.hours = float(lengths.sum()) / SAMPLE_RATE / 3600
        seconds = self.size.float() / SAMPLE_RATE
        self.weights = seconds.clamp(3, 120).sqrt()
        if speed_weights is not None:
            self.weights = self.weights * torch.tensor(speed_weights, device=device).repeat_interleave(len(self.names))

    @property
    def classes(self) -> int:
        return len(self.first)

    def crops(self, labels: Tensor, position: Tensor, samples: int) -> Tensor:
        """Crops of the given classes that start at the fraction `position`; short speech wraps around."""
        first, size = self.first[labels], self.size[labels]
        start = (position * size).long()
        index = (start[:, None] + torch.arange(samples, device=self.device)[None]) % size[:, None]
        return self.wave[first[:, None] + index].float()

    def pairs(self, speakers: int, samples: int) -> tuple[Tensor, Tensor]:
        """[first crops; second crops] of `speakers` classes; the second starts far from the first."""
        return self.pairs_of(torch.multinomial(self.weights, speakers, replacement=False), samples)

    def pairs_of(self, labels: Tensor, samples: int) -> tuple[Tensor, Tensor]:
        """The same for given classes."""
        clean, _, both = self.two_lengths(labels, samples, samples)
        return clean, both

    def two_lengths(self, labels: Tensor, samples: int, more: int) -> tuple[Tensor, Tensor, Tensor]:
        """Pairs as above, and longer crops from the same starting points (for a teacher)."""
        speakers = len(labels)
        position = torch.rand(speakers, device=self.device)
        other = (position + 0.3 + 0.4 * torch.rand(speakers, device=self.device)) % 1.0
        both = torch.cat([labels, labels])
        crops = self.crops(both, torch.cat([position, other]), more)
        return crops[:, :samples], crops, both
