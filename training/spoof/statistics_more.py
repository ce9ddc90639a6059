"""Owns more hand-made statistics beside those of statistics_view.py, in named groups so that each one's worth can be measured: cepstra and their courses, modulation of cepstra, fine texture,
linear prediction and its residual, pitch, asymmetry in time, coupling of bands, bispectrum, quiet frames, mel cepstra, long windows. Operations that can be exported only."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

from spectra import Phases, Spectrum
from statistics_view import groups, moments, moves, weighted

ORDER = 16  # of the linear prediction
RATES = (1, 2, 4, 8, 16, 32, 51)
CELL = 4  # bispectrum: frequencies are taken together by four


def shape_of(d, w):
    """Skewness and (bounded) fourth moment of what has no mean."""
    v = weighted(d * d, w) + 1e-5
    return weighted(d * d * d, w) / v.pow(1.5), (weighted(square(d * d), w) / (v * v)).add(1e-3).log()


def square(x):
    return x * x


def local_mean(x, size):
    """Mean over `size` neighbours of each sample, [B, 1, N]: by running sums, for a pool of hundreds would cost more than all else together."""
    n, half = x.shape[2], size // 2
    c = F.pad(x, (half + 1, half)).double().cumsum(2)
    at = torch.arange(n, device=x.device)
    count = (at + half).clamp(max=n - 1) - (at - half).clamp(min=0) + 1
    return (c[:, :, size:] - c[:, :, :-size]).float().clamp_min(0) / count.float()


def alike(x, w, lag):
    """Autocorrelation over so many frames."""
    d = x - weighted(x, w)[:, :, None]
    v = weighted(d * d, w) + 1e-4
    return weighted(d[:, :, lag:] * d[:, :, :-lag], w[:, :, lag:]) / v


def crossed(a, b, w):
    """All correlations of rows of a with rows of b (both of zero mean), [B, KA * KB]."""
    va, vb = weighted(a * a, w) + 1e-4, weighted(b * b, w) + 1e-4
    return ((a * w) @ b.transpose(1, 2) / (va[:, :, None] * vb[:, None]).sqrt()).flatten(1)


def ripple(power, size, pool, w, floor):
    """How the power of single bins lies about its neighbourhood: mean and spread of the log ratio, third moment, and energy of the ratio, band by band."""
    around = F.avg_pool2d(power[:, None], (pool[0], 1), 1, (pool[0] // 2, 0), count_include_pad=False)
    around = F.avg_pool2d(around, (1, pool[1]), 1, (0, pool[1] // 2), count_include_pad=False)[:, 0] + floor
    r = (power + 0.02 * around) / around
    logs = r.log()
    m = weighted(groups(logs, size), w)
    v = weighted(groups(logs * logs, size), w)
    return [m, (v - m * m).clamp_min(1e-4).sqrt(), weighted(groups(logs * logs * logs, size), w), weighted(groups(r * r, size), w).add(1e-3).log()]


def flatness(power, size, w, floor):
    p = power + floor
    flat = groups(p.log(), size) - groups(p, size).log()
    m, sd, skew = moments(flat, w)
    return [m, sd, skew, moves(flat, w, 1)]


class MoreStatistics(nn.Module):
    """`forward` gives {group: [B, K]}."""

    def __init__(self):
        super().__init__()
        self.fine, self.fast = Phases(512, 320, 160, 256), Spectrum(64, 64, 16, 32, cmn=False)
        self.narrow, self.long, self.low = Spectrum(1024, 1024, 640, 512, cmn=False), Spectrum(2048, 2048, 640, 512, cmn=False), Spectrum(256, 256, 40, 128, cmn=False)
        put = lambda name, x: self.register_buffer("basis_" + name, x.float())
        k, n = torch.arange(0, 30, dtype=torch.float64)[:, None], torch.arange(256, dtype=torch.float64)[None] + 0.5
        put("cepstrum", (torch.cos(math.pi * k * n / 256) / 16)[None])
        t, f = torch.arange(399, dtype=torch.float64)[:, None], torch.arange(4, 200, dtype=torch.float64)[None]
        win = torch.hann_window(399, periodic=False, dtype=torch.float64)[:, None]
        put("cos", torch.cos(2 * math.pi * t * f / 399) * win), put("sin", torch.sin(2 * math.pi * t * f / 399) * win)
        hz = torch.arange(4, 200) / 3.99
        put("rate", torch.stack([((hz >= a) & (hz < b)).float() for a, b in zip(RATES, RATES[1:])], 1))
        put("lag", torch.cos(2 * math.pi * torch.arange(0, ORDER + 1, dtype=torch.float64)[:, None] * torch.arange(1, 257, dtype=torch.float64)[None] / 512)[None] / 256)
        lags = torch.arange(8, 81, dtype=torch.float64)
        put("period", torch.cos(2 * math.pi * lags[:, None] * torch.arange(1, 129, dtype=torch.float64)[None] / 256)[None] / 128)
        put("log_period", lags.log()[None, :, None])
        m = 2595 * torch.log10(1 + torch.arange(1, 257, dtype=torch.float64) * 31.25 / 700)
        centre = torch.linspace(float(m[0]), float(m[-1]), 42, dtype=torch.float64)
        mel = torch.stack([torch.minimum((m - a) / (b - a), (c - m) / (c - b)).clamp_min(0) for a, b, c in zip(centre, centre[1:], centre[2:])])
        put("mel", (mel / mel.sum(1, keepdim=True).clamp_min(1e-6))[None])
        k, n = torch.arange(0, 20, dtype=torch.float64)[:, None], torch.arange(40, dtype=torch.float64)[None] + 0.5
        put("mel_cepstrum", (torch.cos(math.pi * k * n / 40) / math.sqrt(20))[None])
        n = torch.arange(31, dtype=torch.float64) - 15
        put("thin", (torch.sinc(n / 4) / 4 * torch.hann_window(33, periodic=False, dtype=torch.float64)[1:-1])[None, None])
        pairs = [(i, j) for i in range(1, 33) for j in range(i, 33 - i)]
        cells = sorted({((i - 1) // CELL, (j - 1) // CELL) for i, j in pairs})
        self.first, self.second, self.sum = ([4 * p - 1 for p in row] for row in zip(*[(i, j, i + j) for i, j in pairs]))  # every 125 Hz up to 4 kHz
        put("cell", torch.tensor([[float(((i - 1) // CELL, (j - 1) // CELL) == c) for c in cells] for i, j in pairs], dtype=torch.float64))
        self.basis_cell /= self.basis_cell.sum(0, keepdim=True)

    @property
    def framed(self):
        return self.fine.framed

    @framed.setter
    def framed(self, yes):
        for s in (self.fine, self.fast, self.narrow, self.long, self.low):
            s.framed = yes

    def rates(self, x):
        """Shares of the modulation's power by rate, [B, K * 6]."""
        x = x - x.mean(2, keepdim=True)
        p = (square(x @ self.basis_cos) + square(x @ self.basis_sin)) @ self.basis_rate
        return ((p + 1e-2) / (p.sum(2, keepdim=True) + 6e-2)).log().flatten(1)

    def cepstra(self, c, w):
        low = c[:, 1:]
        d = low[:, :, 1:] - low[:, :, :-1]
        dd, w1, w2 = d[:, :, 1:] - d[:, :, :-1], w[:, :, 1:], w[:, :, 2:]
        return [shape_of(low - weighted(low, w)[:, :, None], w)[1], *shape_of(d, w1), shape_of(dd, w2)[1], *(alike(low, w, lag) for lag in (1, 2, 4, 8, 16))]

    def together(self, c, w):
        x = c[:, 1:13] - weighted(c[:, 1:13], w)[:, :, None]
        return [crossed(x, x, w), crossed(x[:, :, 1:], x[:, :, :-1], w[:, :, 1:]), crossed(x[:, :, 4:], x[:, :, :-4], w[:, :, 4:])]

    def texture(self, power, w, wave):
        re, im = self.narrow.parts(wave)
        p64, w64 = self.own_weight(re * re + im * im)
        re, im = self.fast.parts(wave)
        p4, w4 = self.own_weight(re * re + im * im)
        fl = self.fine.floor
        return [*ripple(power, 16, (5, 5), w, fl), *ripple(p64, 32, (9, 3), w64, fl), *ripple(p4, 4, (3, 15), w4, fl), *flatness(power, 16, w, fl), *flatness(p64, 32, w64, fl)]

    @staticmethod
    def own_weight(power):
        w = power.mean(1, keepdim=True)
        w = w / (w + 0.04)
        return power, w / (w.sum(2, keepdim=True) + 1e-6)

    def prediction(self, power):
        """Levinson's recursion: reflection coefficients [B, ORDER, T], the filter [[B, T], ...], the gain [B, T]."""
        r = self.basis_lag @ power
        r0 = r[:, 0] * 1.0005 + 1e-4
        a, e, k_all = [], r0, []
        for i in range(1, ORDER + 1):
            acc = r[:, i]
            for j, c in enumerate(a):
                acc = acc + c * r[:, i - 1 - j]
            k = (-acc / e).clamp(-0.995, 0.995)
            a = [c + k * b for c, b in zip(a, reversed(a))] + [k]
            e = e * (1 - k * k)
            k_all.append(k)
        return torch.stack(k_all, 1), a, (e / r0).clamp_min(1e-5).log()

    def residual(self, wave, power, w):
        k, a, gain = self.prediction(power)
        area = ((1 + k) / (1 - k)).log()
        m, sd, skew = moments(area, w)
        out = [m, sd, skew, moves(area, w, 1), moves(area, w, 3), alike(area, w, 2)]
        g = gain[:, None]
        out += [*moments(g, w), moves(g, w, 1), moves(g, w, 4)]
        x = wave - wave.mean(1, keepdim=True)
        x = x / ((x * x).mean(1, keepdim=True) + 1.0).sqrt()
        pad = F.pad(x, (ORDER, 0))
        piece = lambda j: pad[:, ORDER - j:ORDER - j + 64000].reshape(-1, 400, 160)[:, :399]
        e = piece(0)
        for j, c in enumerate(a):
            e = e + c[:, :, None] * piece(j + 1)
        m2, m3, m4, top = (e * e).mean(2) + 1e-6, (e * e * e).mean(2), square(e * e).mean(2), e.abs().amax(2)
        rows = torch.stack([(m3 / m2.pow(1.5)).abs(), m3 / m2.pow(1.5), (m4 / (m2 * m2)).add(1e-2).log(), (top / m2.sqrt()).add(1e-2).log(), (m2.sqrt() / (e.abs().mean(2) + 1e-4)).add(1e-2).log()], 1)
        out += [*moments(rows, w), alike(rows, w, 1), moves(rows, w, 1)]
        one = e.flatten(1)[:, None]
        wide = F.interpolate(w, size=one.shape[2], mode="nearest") / 160
        unit = one / (local_mean(one * one, 321) + 1e-3).sqrt()
        both = [(unit[:, :, lag:] * unit[:, :, :-lag], wide[:, :, lag:]) for lag in (1, 2, 3, 5, 8)]
        skews = weighted(unit * unit * unit, wide)
        return out + [skews.abs(), skews, weighted(square(unit * unit), wide).add(1e-3).log()] + [weighted(p, q) for p, q in both] + [weighted(p * p, q).add(1e-3).log() for p, q in both]

    def pitch(self, wave, speech, w):
        x = F.conv1d(wave[:, None], self.basis_thin, stride=4, padding=15)[:, 0]
        re, im = self.low.parts(x)
        p = (re * re + im * im + 1e-4).sqrt()
        r = (self.basis_period @ p) / p.mean(1, keepdim=True)
        peak = r.amax(1, keepdim=True)
        n = peak.shape[2]
        at = (torch.softmax(60 * r, 1) * self.basis_log_period).sum(1, keepdim=True)
        voiced = torch.sigmoid(18 * (peak - 0.42)) * speech[:, :, 2:n + 2]  # the middles of its frames lie 22 ms later
        v = voiced / (voiced.sum(2, keepdim=True) + 1e-6)
        energy = (p.mean(1, keepdim=True) + 1e-3).log()
        out = [voiced.mean(2), *moments(peak, v), *moments(at, v), alike(voiced, torch.ones_like(voiced) / n, 4), alike(voiced, torch.ones_like(voiced) / n, 16), moves(voiced, torch.ones_like(voiced) / n, 1)]
        for lag in (1, 2, 4, 8):
            both = (voiced[:, :, lag:] * voiced[:, :, :-lag])
            both = both / (both.sum(2, keepdim=True) + 1e-6)
            d, s, q = at[:, :, lag:] - at[:, :, :-lag], energy[:, :, lag:] - energy[:, :, :-lag], peak[:, :, lag:] - peak[:, :, :-lag]
            for z in (d, s, q):
                out += [(weighted(z * z, both) + 1e-6).log(), weighted((z.abs() + 1e-3).log(), both), shape_of(z, both)[1]]
            out += [weighted((d.abs() < limit).float(), both) for limit in (0.004, 0.01, 0.025, 0.06)] + [weighted(d * s, both) * 10, weighted(z, both)]
        second = at[:, :, 2:] - 2 * at[:, :, 1:-1] + at[:, :, :-2]
        three = voiced[:, :, 2:] * voiced[:, :, 1:-1] * voiced[:, :, :-2]
        three = three / (three.sum(2, keepdim=True) + 1e-6)
        return out + [(weighted(second * second, three) + 1e-6).log(), weighted((second.abs() + 1e-3).log(), three)]

    def asymmetry(self, wave, bands, w, envelopes, w_env):
        x = wave - wave.mean(1, keepdim=True)
        x = (x / ((x * x).mean(1, keepdim=True) + 1.0).sqrt())[:, None]
        unit = x / (local_mean(x * x, 641) + 1e-2).sqrt()
        out, full = [], torch.ones_like(unit) / unit.shape[2]
        for lag in (1, 2, 4, 8, 16, 32, 64):
            s, k = shape_of(unit[:, :, lag:] - unit[:, :, :-lag], full[:, :, lag:])
            out += [s.abs(), s, k]
        for lag in (1, 2, 4):
            out += [*shape_of(bands[:, :, lag:] - bands[:, :, :-lag], w[:, :, lag:]), *shape_of(envelopes[:, :, lag:] - envelopes[:, :, :-lag], w_env[:, :, lag:])]
        return out

    def coupling(self, bands, w, envelopes, w_env):
        r = envelopes - F.avg_pool1d(envelopes, 25, 1, 12, count_include_pad=False)
        b = bands - weighted(bands, w)[:, :, None]
        d = bands[:, :, 1:] - bands[:, :, :-1]
        out = [crossed(r, r, w_env)] + [crossed(r[:, :, lag:], r[:, :, :-lag], w_env[:, :, lag:]) for lag in (1, 2, 4)]
        return out + [crossed(b, b, w), crossed(d, d, w[:, :, 1:]), crossed(d[:, :, 1:], d[:, :, :-1], w[:, :, 2:])]

    def bispectrum(self, re, im, w):
        im = -im
        a, b, c, d, e, f = re[:, self.first], im[:, self.first], re[:, self.second], im[:, self.second], re[:, self.sum], im[:, self.sum]
        pr, pi = a * c - b * d, a * d + b * c
        tr, ti = weighted(pr * e + pi * f, w), weighted(pi * e - pr * f, w)
        n = ((weighted(pr * pr + pi * pi, w) + 1e-6) * (weighted(e * e + f * f, w) + 1e-6)).sqrt()
        size = (tr * tr + ti * ti).sqrt() / n
        return [size @ self.basis_cell, (size * size) @ self.basis_cell, (tr / n) @ self.basis_cell, (ti / n).abs() @ self.basis_cell]

    def quiet(self, bands, level, w):
        """Frames 25 dB and more below the loud ones: their colour and unrest against those of speech."""
        top = level.amax(2, keepdim=True)
        q = torch.sigmoid((top - 5.7 - level) * 2)
        share = q.mean(2)
        q = q / (q.sum(2, keepdim=True) + 1e-3)
        m, sd, _ = moments(bands, q)
        return [m - weighted(bands, w), sd, share, moves(bands, q, 1), moments(level, torch.ones_like(level) / level.shape[2])[1], moments(level, torch.ones_like(level) / level.shape[2])[2]]

    def mels(self, power, w):
        c = self.basis_mel_cepstrum @ ((self.basis_mel @ power) + self.fine.floor).log()
        m, sd, skew = moments(c, w)
        d = c[:, :, 1:] - c[:, :, :-1]
        return [m[:, 1:], sd.log(), skew, moves(c, w, 1), moves(c, w, 4), *shape_of(d, w[:, :, 1:]), alike(c, w, 3)]

    def long_windows(self, wave):
        out = []
        for spectrum, pool, size in ((self.long, 33, 64), (self.narrow, 17, 64)):
            re, im = spectrum.parts(wave)
            p, w = self.own_weight(re * re + im * im)
            logs = (p + spectrum.floor).log().transpose(1, 2)
            rest = (logs - F.avg_pool1d(logs, pool, 1, pool // 2, count_include_pad=False)).transpose(1, 2)
            v = groups(rest * rest, size) + 1e-2
            m, sd, skew = moments(v.log(), w)
            same = groups(rest[:, :, 1:] * rest[:, :, :-1], size) / (v[:, :, 1:] * v[:, :, :-1]).sqrt()
            up = groups(F.pad(rest[:, 2:], (0, 0, 0, 2)) * rest, size) / v
            out += [m, sd, skew, weighted(same, w[:, :, 1:]), moments(same, w[:, :, 1:])[1], weighted(up, w), weighted(groups(square(rest * rest), size), w).add(1e-3).log()]
        return out

    def forward(self, wave):
        re, im = self.fine.parts(wave)
        power = re * re + im * im
        speech = power.mean(1, keepdim=True)
        level = (speech + self.fine.floor).log()
        speech = speech / (speech + 0.03)
        w = speech / (speech.sum(2, keepdim=True) + 1e-6)
        c = self.basis_cepstrum @ (power + self.fine.floor).log()
        bands, eight = (groups(power, 16) + self.fine.floor).log(), (groups(power, 32) + self.fine.floor).log()
        fr, fi = self.fast.parts(wave)
        envelopes = ((groups(fr * fr + fi * fi, 4) + 1e-4).sqrt() + 1e-2).log()
        w_env = F.interpolate(speech, size=envelopes.shape[2], mode="nearest")
        w_env = w_env / (w_env.sum(2, keepdim=True) + 1e-6)
        out = {
            "cepstra": self.cepstra(c, w), "together": self.together(c, w), "modulation": [self.rates(c[:, :20])], "texture": self.texture(power, w, wave), "residual": self.residual(wave, power, w),
            "pitch": self.pitch(wave, speech, w), "asymmetry": self.asymmetry(wave, bands, w, envelopes, w_env), "coupling": self.coupling(eight, w, envelopes, w_env),
            "bispectrum": self.bispectrum(re, im, w), "quiet": self.quiet(bands, level, w), "mel": self.mels(power, w), "long": self.long_windows(wave),
        }
        return {name: torch.cat(parts, 1) for name, parts in out.items()}
