"""Owns the detectors: raw 16 kHz waveform in, one logit out. The spectrum is computed inside the graph by fixed convolutions (DFT),
so the serving side needs no front end of its own."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class Spectrum(nn.Module):
    """Log power spectrum [B, 1, bins, T], level-free: each window is scaled to unit RMS and floored 60 dB under it,
    so that neither loudness nor digital silence can tell the classes apart. `cmn` removes each bin's mean over time (channel)."""

    CHANNELS = 1

    def __init__(self, n_fft, window, hop, bins, cmn, floor_db=-60.0):
        super().__init__()
        self.hop, self.cmn, self.framed = hop, cmn, False
        n = torch.arange(window, dtype=torch.float64)
        win = 0.5 - 0.5 * torch.cos(2 * math.pi * (n + 0.5) / window)
        k = torch.arange(1, bins + 1, dtype=torch.float64)[:, None]
        angle = 2 * math.pi * k * n[None] / n_fft
        basis = torch.cat([torch.cos(angle) * win, torch.sin(angle) * win]) / win.pow(2).sum().sqrt()
        self.register_buffer("basis", basis.float()[:, None])
        self.floor = 10 ** (floor_db / 10)
        self.bins = bins

    def parts(self, wave):
        """Real and imaginary part, [B, bins, T] each."""
        x = wave - wave.mean(1, keepdim=True)
        x = x / ((x * x).mean(1, keepdim=True) + 1.0).sqrt()
        if self.framed:  # the same sums; frames times matrix is much faster on a GPU than a long one-channel convolution
            y = (x.unfold(1, self.basis.shape[2], self.hop) @ self.basis[:, 0].t()).transpose(1, 2)
        else:
            y = F.conv1d(x[:, None], self.basis, stride=self.hop)
        return y[:, : self.bins], y[:, self.bins:]

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
        # the basis holds cos and +sin, so the spectrum is re - i im
        im = -im
        s = (re * re + im * im + self.floor).log()
        a, b = self.unit(*self.times_conj(re[:, 1:], im[:, 1:], re[:, :-1], im[:, :-1]))
        a, b = a * self.middle[0] - b * self.middle[1], a * self.middle[1] + b * self.middle[0]
        c, d = self.unit(*self.times_conj(re[:, :, 1:], im[:, :, 1:], re[:, :, :-1], im[:, :, :-1]))
        tc, ts = self.basis_turn[0], self.basis_turn[1]
        c, d = c * tc + d * ts, d * tc - c * ts
        a, b, c, d = F.pad(a, (0, 0, 1, 0)), F.pad(b, (0, 0, 1, 0)), F.pad(c, (1, 0)), F.pad(d, (1, 0))
        return torch.stack([(s - s.mean((1, 2), keepdim=True)) * 0.4, a, b, c, d], 1)

    @staticmethod
    def times_conj(a, b, c, d):
        return a * c + b * d, b * c - a * d

    def unit(self, a, b):
        r = (a * a + b * b + self.floor * self.floor).sqrt()
        return a / r, b / r


class Block(nn.Module):
    def __init__(self, i, o, stride):
        super().__init__()
        self.a, self.na = nn.Conv2d(i, o, 3, stride, 1, bias=False), nn.BatchNorm2d(o)
        self.b, self.nb = nn.Conv2d(o, o, 3, 1, 1, bias=False), nn.BatchNorm2d(o)
        self.skip = nn.Sequential(nn.Conv2d(i, o, 1, stride, bias=False), nn.BatchNorm2d(o)) if stride != 1 or i != o else nn.Identity()
        self.se1, self.se2 = nn.Conv2d(o, o // 4, 1), nn.Conv2d(o // 4, o, 1)

    def forward(self, x):
        y = self.nb(self.b(F.relu(self.na(self.a(x)))))
        g = torch.sigmoid(self.se2(F.relu(self.se1(y.mean((2, 3), keepdim=True)))))
        return F.relu(y * g + self.skip(x))


class Branch(nn.Module):
    """A small residual network over one spectrum, attentive statistics over time, a linear logit."""

    def __init__(self, spectrum, widths=(16, 24, 40, 80)):
        super().__init__()
        self.spectrum = spectrum
        w = widths
        self.stem, self.ns = nn.Conv2d(spectrum.CHANNELS, w[0], 5, 2, 2, bias=False), nn.BatchNorm2d(w[0])
        self.body = nn.Sequential(Block(w[0], w[1], 2), Block(w[1], w[2], 2), Block(w[2], w[2], 1), Block(w[2], w[3], 2), Block(w[3], w[3], 1))
        flat = w[3] * (spectrum.bins // 16)
        self.squeeze, self.nq = nn.Conv1d(flat, 128, 1, bias=False), nn.BatchNorm1d(128)
        self.att1, self.att2 = nn.Conv1d(128, 32, 1), nn.Conv1d(32, 128, 1)
        self.nf, self.fc = nn.BatchNorm1d(256), nn.Linear(256, 1)
        self.drop = nn.Dropout(0.3)

    def features(self, s):
        x = self.body(F.relu(self.ns(self.stem(s))))
        x = F.relu(self.nq(self.squeeze(x.flatten(1, 2))))
        w = torch.softmax(self.att2(torch.tanh(self.att1(x))), 2)
        mu = (x * w).sum(2)
        sd = ((x * x * w).sum(2) - mu * mu).clamp_min(1e-4).sqrt()
        return torch.cat([mu, sd], 1)

    def judge(self, s):
        return self.fc(self.drop(self.nf(self.features(s))))[:, 0]

    def forward(self, wave):
        return self.judge(self.spectrum(wave))


def wide_branch():
    """0-8 kHz, 20 ms windows every 10 ms: formants, noise bands, vocoder high band, echo decays."""
    return Branch(Spectrum(512, 320, 160, 256, cmn=False))


def wide_cmn_branch():
    """As the wide branch, per-bin mean removed: what remains when every constant channel is taken away."""
    return Branch(Spectrum(512, 512, 160, 256, cmn=True))


def short_branch():
    """8 ms windows every 5 ms: the shape of each glottal pulse and of onsets. Half as dear as the wide branch."""
    return Branch(Spectrum(128, 128, 80, 64, cmn=False))


def long_branch():
    """0-4 kHz, 64 ms windows every 20 ms: the fine structure of the harmonics and how it moves."""
    return Branch(Spectrum(1024, 1024, 320, 256, cmn=False))


def big_branch():
    """25 ms windows, per-bin mean removed, a wider network."""
    return Branch(Spectrum(512, 400, 160, 256, cmn=True), widths=(24, 40, 72, 128))


def phase_branch():
    """20 ms windows with the course of the phases."""
    return Branch(Phases(512, 320, 160, 256), widths=(16, 32, 56, 96))


BRANCHES = {"wide": wide_branch, "cmn": wide_cmn_branch, "short": short_branch, "long": long_branch, "big": big_branch, "phase": phase_branch}


class Mean(nn.Module):
    """Several branches, one logit: the weighted sum. Branches that look at the same spectrum share its computation."""

    def __init__(self, branches, weights):
        super().__init__()
        self.branches, self.weights = nn.ModuleList(branches), weights

    def forward(self, wave):
        spectra, total = {}, 0.0
        for w, b in zip(self.weights, self.branches):
            key = (type(b.spectrum), tuple(b.spectrum.basis.shape), b.spectrum.hop, b.spectrum.cmn)
            if key not in spectra:
                spectra[key] = b.spectrum(wave)
            total = total + w * b.judge(spectra[key])
        return total


class Each(Mean):
    """The same branches, one logit each: [B, branches]."""

    def forward(self, wave):
        return torch.stack([b(wave) for b in self.branches], 1)
