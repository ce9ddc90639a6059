"""Owns the spectra that the detectors look at, computed inside the graph by fixed convolutions (DFT)."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class Spectrum(nn.Module):
    """Log power spectrum [B, 1, bins, T], level-free: each window is scaled to unit RMS and floored 60 dB under it,
    so that neither loudness nor digital silence can tell the classes apart. `cmn` removes each bin's mean over time (channel)."""

    CHANNELS = 1

    def __init__(self, n_fft, window, hop, bins, cmn, floor_db=-60.0, first=1):
        super().__init__()
        self.hop, self.cmn, self.framed, self.first, self.given = hop, cmn, False, first, None
        n = torch.arange(window, dtype=torch.float64)
        win = 0.5 - 0.5 * torch.cos(2 * math.pi * (n + 0.5) / window)
        k = torch.arange(first, first + bins, dtype=torch.float64)[:, None]
        angle = 2 * math.pi * k * n[None] / n_fft
        basis = torch.cat([torch.cos(angle) * win, torch.sin(angle) * win]) / win.pow(2).sum().sqrt()
        self.register_buffer("basis", basis.float()[:, None])
        self.floor = 10 ** (floor_db / 10)
        self.bins = bins

    def key(self):
        """Equal keys, equal output."""
        return type(self), tuple(self.basis.shape), self.hop, self.cmn, self.first

    def parts(self, wave):
        """Real and imaginary part, [B, bins, T] each; `given`: computed already, for another statistic."""
        if self.given is not None:
            return self.given
        x = wave - wave.mean(1, keepdim=True)
        x = x / ((x * x).mean(1, keepdim=True) + 1.0).sqrt()
        if self.framed:  # the same sums; frames times matrix is much faster on a GPU than a long one-channel convolution
            y = (x.unfold(1, self.basis.shape[2], self.hop) @ self.basis[:, 0].t()).transpose(1, 2)
        else:
            y = F.conv1d(x[:, None], self.basis, stride=self.hop)
        lines = len(self.basis) // 2
        return y[:, :lines], y[:, lines:]

    def forward(self, wave):
        re, im = self.parts(wave)
        s = (re * re + im * im + self.floor).log()
        if self.cmn:
            s = s - s.mean(2, keepdim=True)
        else:
            s = s - s.mean((1, 2), keepdim=True)
        return s[:, None] * 0.4


class Phases(Spectrum):
    """Beside the log power how phases run: from bin to bin (group delay, counted from the middle of the window) and from frame to frame (deviation from the bin's own
    frequency), each as cosine and sine. [B, 5, bins, T]. A vocoder that makes its own phases shows here even where its magnitudes are right."""
    CHANNELS = 5

    def __init__(self, n_fft, window, hop, bins, floor_db=-60.0):
        super().__init__(n_fft, window, hop, bins, False, floor_db)
        middle = 2 * math.pi * (window - 1) / 2 / n_fft
        self.middle = (math.cos(middle), math.sin(middle))
        turn = 2 * math.pi * torch.arange(1, bins + 1, dtype=torch.float64) * hop / n_fft
        self.register_buffer("basis_turn", torch.stack([torch.cos(turn), torch.sin(turn)]).float()[:, :, None])

    def forward(self, wave):
        re, im = self.parts(wave)
        s = (re * re + im * im + self.floor).log()
        return torch.stack([(s - s.mean((1, 2), keepdim=True)) * 0.4, *self.course(re, im)], 1)

    def course(self, re, im):
        """Cosine and sine of both: from bin to bin, from frame to frame."""
        im = -im  # the basis holds cos and +sin, so the spectrum is re - i im
        a, b = self.unit(*self.times_conj(re[:, 1:], im[:, 1:], re[:, :-1], im[:, :-1]))
        a, b = a * self.middle[0] - b * self.middle[1], a * self.middle[1] + b * self.middle[0]
        c, d = self.unit(*self.times_conj(re[:, :, 1:], im[:, :, 1:], re[:, :, :-1], im[:, :, :-1]))
        tc, ts = self.basis_turn[0], self.basis_turn[1]
        c, d = c * tc + d * ts, d * tc - c * ts
        return F.pad(a, (0, 0, 1, 0)), F.pad(b, (0, 0, 1, 0)), F.pad(c, (1, 0)), F.pad(d, (1, 0))

    @staticmethod
    def times_conj(a, b, c, d):
        return a * c + b * d, b * c - a * d

    def unit(self, a, b):
        r = (a * a + b * b + self.floor * self.floor).sqrt()
        return a / r, b / r
