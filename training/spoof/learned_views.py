"""Owns two sources of statistics that were learned without any attack: what the inner layers of the speaker network say, and how surprising speech is to a small network that predicts the next frame of
people's speech."""
import math
import os
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

from spectra import Spectrum
from statistics_view import groups, moments, together, weighted

BANDS = 32


class SpeakerLayers(nn.Module):
    """Mean and spread over time of each layer of the speaker network's first revision (training/checkpoints/speaker-ecapa512-r1.pt); `forward` gives {layer: [B, K]}."""

    def __init__(self, weights, folder=os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."), second=False):
        super().__init__()
        sys.path.insert(0, folder)
        from common.features import LogMel
        from speaker.model import load
        self.mel, self.net, self.second = LogMel(), load(weights), second

    def forward(self, wave):
        n = self.net
        x = n.b0(F.relu(n.c0(self.mel(wave).transpose(1, 2))))
        x1 = n.l[0](x)
        x2 = n.l[1](x + x1)
        two = lambda y: torch.cat([y.mean(2), (y.var(2, unbiased=False) + 1e-5).sqrt()], 1)
        if self.second:  # the one that was found worth it
            return {"speaker2": two(x2)}
        x3 = n.l[2](x + x1 + x2)
        last = F.relu(n.c4(torch.cat([x1, x2, x3], 1)))
        return {"speaker0": two(x), "speaker1": two(x1), "speaker2": two(x2), "speaker3": two(x3), "speaker4": two(last)}


class Surprise(nn.Module):
    """Predicts each frame of 32 log bands from those before it: mean and spread. Learned from people alone; `forward` gives statistics of what differs from the prediction, [B, K]."""

    def __init__(self, width=160):
        super().__init__()
        self.fine = Spectrum(512, 320, 160, 256, cmn=False)
        self.a, self.b, self.c, self.d = (nn.Conv1d(i, width, 3, dilation=r) for i, r in ((BANDS, 1), (width, 2), (width, 4), (width, 8)))
        self.out = nn.Conv1d(width, 2 * BANDS, 1)

    def bands(self, wave):
        re, im = self.fine.parts(wave)
        power = re * re + im * im
        x = (groups(power, 8) + self.fine.floor).log()
        speech = power.mean(1, keepdim=True)
        return x - x.mean((1, 2), keepdim=True), speech / (speech + 0.03)

    def predict(self, x):
        """Mean and log spread of frame t from the frames before t."""
        y = F.pad(x, (1, 0))[:, :, :-1]
        back = lambda z, reach: F.pad(z, (2 * reach, 0))
        y = F.relu(self.a(back(y, 1)))
        y = y + F.relu(self.b(back(y, 2)))
        y = y + F.relu(self.c(back(y, 4)))
        y = y + F.relu(self.d(back(y, 8)))
        y = self.out(y)
        return y[:, :BANDS], y[:, BANDS:].clamp(-4, 3)

    def loss(self, wave):
        x, w = self.bands(wave)
        m, s = self.predict(x)
        each = 0.5 * ((x - m) * (-s).exp()) ** 2 + s
        return ((each * w).sum() / (w.sum() * BANDS)) + 0.5 * math.log(2 * math.pi)

    def forward(self, wave):
        x, speech = self.bands(wave)
        w = speech / (speech.sum(2, keepdim=True) + 1e-6)
        m, s = self.predict(x)
        z = ((x - m) * (-s).exp()).clamp(-8, 8)
        mean, sd, skew = moments(z, w)
        v = weighted(z * z, w) + 1e-3
        total = (0.5 * z * z + s).mean(1, keepdim=True)
        lag = lambda k: weighted(z[:, :, k:] * z[:, :, :-k], w[:, :, k:]) / v
        return torch.cat([mean, sd.log(), skew, (weighted(z * z * (z * z), w) / (v * v)).add(1e-2).log(), weighted(s, w), moments(s, w)[1], weighted(z * z / 2 + s, w), lag(1), lag(2), together(z, w, 1), together(z, w, 4),
                          *moments(total, w), *((total.sort(2)[0])[:, :, at] for at in (40, 200, 360))], 1)
