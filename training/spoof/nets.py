"""Owns the detectors: raw 16 kHz waveform in, one logit out. The spectrum is computed inside the graph by fixed convolutions (DFT),
so the serving side needs no front end of its own."""
import torch
import torch.nn as nn
import torch.nn.functional as F

from encoder_time import TimeBranch
from encoder_view import EncoderBranch
from rich_view import RichBranch
from spectra import Spectrum


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


def short_branch():
    """8 ms windows every 5 ms: the shape of each glottal pulse and of onsets. Half as dear as the wide branch."""
    return Branch(Spectrum(128, 128, 80, 64, cmn=False))


def long_branch():
    """0-4 kHz, 64 ms windows every 20 ms: the fine structure of the harmonics and how it moves."""
    return Branch(Spectrum(1024, 1024, 320, 256, cmn=False))


BRANCHES = {"wide": wide_branch, "short": short_branch, "long": long_branch, "rich": RichBranch, "enc": EncoderBranch, "time": TimeBranch}


def make(name):
    """A network by the name of a view: BRANCH, with @light where it was shown nearly clean speech alone, with @NUMBER for another beginning."""
    return BRANCHES[name.split("@")[0]]()


class Mean(nn.Module):
    """Several branches, one logit: the weighted sum. Branches that look at the same spectrum share its computation."""

    def __init__(self, branches, weights):
        super().__init__()
        self.branches, self.weights = nn.ModuleList(branches), weights

    def forward(self, wave):
        spectra, total = {}, 0.0
        for w, b in zip(self.weights, self.branches):
            key = b.spectrum.key()
            if key not in spectra:
                spectra[key] = b.spectrum(wave)
            total = total + w * b.judge(spectra[key])
        return total


class Fused(nn.Module):
    """Views on one scale: each member is the mean of some branches' logits, by slope and offset (`members`: [(branches, slope, offset), ...]). Gives the members' mean and each of them
    ([B, members])."""

    def __init__(self, members):
        super().__init__()
        self.groups, self.maps = nn.ModuleList([nn.ModuleList(b) for b, _, _ in members]), [(a, c) for _, a, c in members]

    def forward(self, wave):
        spectra, members = {}, []
        for group, (a, c) in zip(self.groups, self.maps):
            logits = []
            for b in group:
                key = b.spectrum.key()
                if key not in spectra:
                    spectra[key] = b.spectrum(wave)
                logits.append(b.judge(spectra[key]))
            members.append(a * sum(logits) / len(logits) + c)
        members = torch.stack(members, 1)
        return members.mean(1), members
