"""Owns the first 869 hand-made statistics: numbers that sum up a window of speech (spectra, cepstra, modulation, how bands move together, pulses, phases). Silence weighs little: frames count by their power."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

from spectra import Phases, Spectrum


def groups(x, size):
    """Mean over neighbouring rows: [B, K, T] -> [B, K / size, T]."""
    b, k, t = x.shape
    return x.reshape(b, k // size, size, t).mean(2)


def weighted(x, w):
    """Mean over time, [B, K]; w [B, 1, T] sums to one."""
    return (x * w).sum(2)


def moments(x, w):
    """Mean, spread and skewness over time."""
    m = weighted(x, w)
    d = x - m[:, :, None]
    v = weighted(d * d, w) + 1e-4
    return m, v.sqrt(), weighted(d * d * d, w) / v.pow(1.5)


def moves(x, w, lag):
    """Spread of the change over so many frames."""
    d = x[:, :, lag:] - x[:, :, :-lag]
    return (weighted(d * d, w[:, :, lag:]) + 1e-4).sqrt().log()


def together(x, w, lag):
    """Correlation of each band with the one `lag` bands above."""
    d = x - weighted(x, w)[:, :, None]
    v = (weighted(d * d, w) + 1e-3).sqrt()
    return weighted(d[:, lag:] * d[:, :-lag], w) / (v[:, lag:] * v[:, :-lag])


class Statistics(nn.Module):
    STEPS = (2, 3, 4, 5, 6, 8, 10, 12)

    def __init__(self):
        super().__init__()
        self.fine, self.fast, self.narrow = Phases(512, 320, 160, 256), Spectrum(64, 64, 16, 32, cmn=False), Spectrum(1024, 1024, 640, 512, cmn=False)
        k, n = torch.arange(1, 161, dtype=torch.float64)[:, None], torch.arange(256, dtype=torch.float64)[None] + 0.5
        self.register_buffer("basis_cepstrum", (torch.cos(math.pi * k * n / 256) / 16).float()[None])
        t, f = torch.arange(399, dtype=torch.float64)[:, None], torch.arange(4, 200, dtype=torch.float64)[None]
        angle, win = 2 * math.pi * t * f / 399, torch.hann_window(399, periodic=False, dtype=torch.float64)[:, None]
        self.register_buffer("basis_cos", (torch.cos(angle) * win).float())
        self.register_buffer("basis_sin", (torch.sin(angle) * win).float())
        hz = torch.arange(4, 200) / 3.99
        edges = (1, 2, 4, 8, 16, 32, 51)
        self.register_buffer("basis_rate", torch.stack([((hz >= a) & (hz < b)).float() for a, b in zip(edges, edges[1:])], 1))

    @property
    def framed(self):
        return self.fine.framed

    @framed.setter
    def framed(self, yes):
        for s in (self.fine, self.fast, self.narrow):
            s.framed = yes

    def key(self):
        return (type(self),)

    def spectral(self, power, w):
        logs = (power + self.fine.floor).log()
        bands, wide = (groups(power, 8) + self.fine.floor).log(), (groups(power, 16) + self.fine.floor).log()
        m, sd, skew = moments(bands, w)
        out = [m - m.mean(1, keepdim=True), sd, skew, *(moves(bands, w, lag) for lag in (1, 2, 4))]
        c = self.basis_cepstrum @ logs
        low, high = c[:, :40], groups(c[:, 40:] * c[:, 40:], 15)
        out += [weighted(low, w), moments(low, w)[1].log(), moves(low, w, 1), moves(low, w, 3)]
        out += [weighted(high, w).add(1e-4).log(), moments((high + 1e-3).log(), w)[1]]
        out += [together(bands, w, lag) for lag in (1, 2, 4, 8)]
        x = wide - wide.mean(2, keepdim=True)
        rates = ((x @ self.basis_cos) ** 2 + (x @ self.basis_sin) ** 2) @ self.basis_rate
        out.append(((rates + 1e-2) / (rates.sum(2, keepdim=True) + 6e-2)).log().flatten(1))
        ordered = wide.sort(2)[0]
        out += [ordered[:, :, 379] - ordered[:, :, at] for at in (20, 80, 200)]
        return out

    def pulses(self, wave, speech):
        """Envelopes of eight bands every millisecond, relative to their mean over 25 ms: do the pulses of the voice come at once in all bands?"""
        re, im = self.fast.parts(wave)
        env = (groups(re * re + im * im, 4) + 1e-4).sqrt()
        local = F.avg_pool1d(env, 25, 1, 12, count_include_pad=False)
        r = env / (local + 0.01) - 1
        w = F.interpolate(speech, size=r.shape[2], mode="nearest")
        w = w / (w.sum(2, keepdim=True) + 1e-6)  # nothing to hear: nothing counts
        v = weighted(r * r, w) + 1e-3
        out = [v.log(), weighted(r * r * (r * r), w) / (v * v)]
        out += [weighted(r[:, lag:] * r[:, :-lag], w) / (v[:, lag:] * v[:, :-lag]).sqrt() for lag in range(1, 8)]
        three = torch.stack([r[:, :2].mean(1), r[:, 2:5].mean(1), r[:, 5:].mean(1)], 1)
        v3 = weighted(three * three, w) + 1e-3
        return out + [weighted(three[:, :, lag:] * three[:, :, :-lag], w[:, :, lag:]) / v3 for lag in self.STEPS]

    def phases(self, course, power, w):
        """In sixteen bands, strong bins counting more: direction and steadiness of group delay (a, b) and of the frequency's deviation (c, d)."""
        (a, b, c, d), p = course, (power + self.fine.floor).pow(0.3) * w
        total = groups(p, 16).sum(2) + 1e-9

        def mean(x, weight=p, over=total):
            return groups(x * weight, 16).sum(2) / over
        q = F.pad(p[:, 1:], (0, 0, 0, 1))
        both = (p * q).clamp_min(0).sqrt()
        norm = groups(both, 16).sum(2) + 1e-9
        up = lambda x: F.pad(x[:, 1:], (0, 0, 0, 1))
        later = lambda x: F.pad(x[:, :, 1:], (0, 1))
        return [mean(a), mean(a * a), mean(c), mean(c * c), mean(a * up(a) + b * up(b), both, norm), mean(c * up(c) + d * up(d), both, norm), mean(c * later(c) + d * later(d)), mean(a * later(a) + b * later(b))]

    def harmonics(self, wave):
        """How far the fine structure of a 64 ms spectrum stands out of its own smooth course, band by band."""
        re, im = self.narrow.parts(wave)
        power = re * re + im * im
        w = power.mean(1, keepdim=True)
        w = w / (w + 0.05)
        w = w / (w.sum(2, keepdim=True) + 1e-6)
        logs = (power + self.narrow.floor).log().transpose(1, 2)
        rest = (logs - F.avg_pool1d(logs, 17, 1, 8, count_include_pad=False)).transpose(1, 2)
        v = (groups(rest * rest, 32) + 1e-3).log()
        m, sd, _ = moments(v, w)
        return [m, sd, groups(rest * rest * rest, 32).mul(w).sum(2)]

    def forward(self, wave):
        re, im = self.fine.parts(wave)
        power = re * re + im * im
        speech = power.mean(1, keepdim=True)
        speech = speech / (speech + 0.03)
        w = speech / (speech.sum(2, keepdim=True) + 1e-6)
        return torch.cat([*self.spectral(power, w), *self.pulses(wave, speech), *self.phases(self.fine.course(re, im), power, w), *self.harmonics(wave)], 1)
