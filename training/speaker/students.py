"""Cheaper networks that learn from others: ECAPA at a lower frame rate, a telephone view, and both in one graph.

* `SlowEcapa` - ECAPA whose frames are 20 or 30 ms apart; starts as the shipped network with its kernels drawn on the coarser grid.
* `PhoneView` - a TDNN over the bins that telephones carry, 30 ms apart; starts at random and imitates an x-vector network trained on telephone speech.
* `Dual`      - both, each of length one, weighted and side by side: the cosine of two prints is the weighted mean of both cosines.

No convolution has a stride: neighbouring frames are stacked instead, which the product's arrangement of the graph can take.
"""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from speaker.ecapa import Ecapa, Res2Block

PHONE_BINS = 60  # of 80: up to 3.8 kHz
BLOCKS = {2: ((3, 1), (5, 1), (3, 2)), 3: ((3, 1), (3, 1), (5, 1))}  # (kernel, dilation) of the blocks for each stacking
OLD_DILATIONS = (2, 3, 4)


def stacked(x: Tensor, n: int) -> Tensor:
    """[B, T, C] -> [B, T // n, n * C]; frames that fill no stack are left out at the end. The ends are constants, so any T will do."""
    return torch.cat([x[:, i:i - n + 1 if i < n - 1 else None:n] for i in range(n)], 2)


class SlowEcapa(Ecapa):
    def __init__(self, n_mels: int = 80, channels: int = 512, emb: int = 192, stack: int = 2):
        super().__init__(n_mels, channels, emb)
        self.stack = stack
        self.c0 = nn.Conv1d(n_mels * stack, channels, 3, padding=1)
        self.l = nn.ModuleList(Res2Block(channels, k, d) for k, d in BLOCKS[stack])

    def pooled(self, x: Tensor) -> Tensor:
        return super().pooled(stacked(x, self.stack))


def on_coarser_grid(w: Tensor, old_dilation: int, stack: int, kernel: int, dilation: int) -> Tensor:
    """Weights [out, in, 3] at old_dilation frames apart as `kernel` taps at `stack` times coarser frames, by straight lines between these."""
    out = w.new_zeros(*w.shape[:2], kernel)
    for tap in range(3):
        place = (tap - 1) * old_dilation / stack / dilation + kernel // 2
        low = math.floor(place)
        for at, share in ((low, 1 - (place - low)), (low + 1, place - low)):
            if share > 0:
                out[..., at] += share * w[..., tap]
    return out


def slow_from(net: Ecapa, stack: int) -> SlowEcapa:
    """The network at a lower frame rate, with the weights of the one at the full rate."""
    old = net.state_dict()
    new = SlowEcapa(old["c0.weight"].shape[1], old["c0.weight"].shape[0], old["fc.weight"].shape[0], stack)
    state = dict(old)
    c0 = torch.zeros_like(new.c0.weight)
    bins = old["c0.weight"].shape[1]
    for tap in range(5):
        frame = tap - 2 + (stack - 1) // 2
        phase = frame % stack
        c0[:, phase * bins:(phase + 1) * bins, frame // stack + 1] = old["c0.weight"][..., tap]
    state["c0.weight"] = c0
    for block, (old_dilation, (kernel, dilation)) in enumerate(zip(OLD_DILATIONS, BLOCKS[stack])):
        for i in range(len(new.l[block].cs)):
            name = f"l.{block}.cs.{i}.weight"
            state[name] = on_coarser_grid(old[name], old_dilation, stack, kernel, dilation)
    new.load_state_dict(state)
    return new


class PhoneView(nn.Module):
    """TDNN with mean and deviation over time; telephone bins, three frames stacked."""

    def __init__(self, width: int = 384, last: int = 1024, emb: int = 128, stack: int = 3, bins: int = PHONE_BINS, kernels=(3, 3, 1, 1, 1)):
        super().__init__()
        self.stack, self.bins = stack, bins
        channels = (bins * stack, width, width, width, width, last)
        sizes = list(zip(channels, channels[1:], kernels))
        self.c = nn.ModuleList(nn.Conv1d(a, b, k, padding=k // 2) for a, b, k in sizes)
        self.b = nn.ModuleList(nn.BatchNorm1d(b) for _, b, _ in sizes)
        self.bp = nn.BatchNorm1d(2 * last)
        self.fc = nn.Linear(2 * last, emb)

    def forward(self, x: Tensor) -> Tensor:
        x = stacked(x[:, :, :self.bins], self.stack).transpose(1, 2)
        for conv, norm in zip(self.c, self.b):
            x = norm(F.relu(conv(x)))
        mean = x.mean(2)
        std = ((x * x).mean(2) - mean * mean).clamp_min(1e-4).sqrt()
        return self.fc(self.bp(torch.cat([mean, std], 1)))


class Dual(nn.Module):
    """`share` of a score comes from the telephone view, drawn to `kept` directions, the rest from ECAPA."""

    def __init__(self, share: float, slow: dict, phone: dict, kept: int = 64):
        super().__init__()
        self.slow, self.phone = SlowEcapa(**slow), PhoneView(**phone)
        self.keep = nn.Linear(self.phone.fc.out_features, kept, bias=False)
        self.weights = ((1 - share) ** 0.5, share ** 0.5)

    def forward(self, x: Tensor) -> Tensor:
        a, b = (p / p.pow(2).sum(1, keepdim=True).sqrt() for p in (self.slow(x), self.phone(x)))
        return torch.cat([self.weights[0] * a, self.weights[1] * self.keep(b)], 1)
