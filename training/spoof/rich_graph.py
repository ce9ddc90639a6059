"""Owns the statistics of rich_view.Rich as few, large operations, for serving: the same numbers in the same order. What several statistics want (moments over time, changes over some frames, correlations) is computed
for all rows at once, and picked at the end; what a lag leaves out at the beginning is zero here instead of cut off."""
import torch
import torch.nn as nn
import torch.nn.functional as F

from rich_sheet import LAYOUT, Sheet
from statistics_more import ORDER

FRAMES, FAST, NARROW, LONG, LOW, RESIDUAL = 399, 3997, 99, 97, 394, 63840
LAGS, ENV_LAGS, WAVE_LAGS, UNIT_LAGS, PITCH_LAGS = (1, 2, 3, 4), (1, 2, 4), (1, 2, 4, 8, 16, 32, 64), (1, 2, 3, 5, 8), (1, 2, 4, 8)
# Rows over the 399 frames: those whose changes' shape is wanted, those whose changes are wanted, the others; the last two kinds are not centred.
ROWS = (("bands16", 16), ("low", 40), ("mel", 20), ("bands32", 32), ("flat", 16), ("area", 16), ("gain", 1), ("pulse", 5), ("raw", 32), ("z", 32), ("s", 32), ("total", 1), ("highlog", 8), ("eight", 8), ("high", 8))
SHAPED, MOVING, COUNT = 76, 178, sum(n for _, n in ROWS)
AT = {name: sum(n for _, n in ROWS[:i]) for i, (name, _) in enumerate(ROWS)}
GRAM = [AT["low"] + i for i in range(12)] + [AT["eight"] + i for i in range(8)] + [AT["bands32"] + i for i in range(32)] + [AT["z"] + i for i in range(32)]


def later(x, lag):
    """x(t - lag), zeros first."""
    return F.pad(x, (lag, -lag))


def higher(x, rows):
    """The row so many rows above, zeros last."""
    return F.pad(x, (0, 0, -rows, rows))


def bands(rows, size):
    """Mean over neighbouring rows as a matrix, [rows / size, rows]."""
    return torch.eye(rows // size).repeat_interleave(size, 1) / size


def from_lag(lags, frames):
    """One where a value that many steps earlier exists, [lags, frames]."""
    return torch.stack([(torch.arange(frames) >= lag).float() for lag in lags])


def shares(power):
    """Weights over time, [B, T, 1]."""
    loud = power.mean(1, keepdim=True)
    def by(half):
        w = loud / (loud + half)
        return (w / (w.sum(2, keepdim=True) + 1e-6)).transpose(1, 2)
    return by


def shape(t2, t3, t4):
    """Skewness and bounded fourth moment."""
    v = t2 + 1e-5
    return t3 / (v * v.sqrt()), (t4 / (v * v) + 1e-3).log()


def shape_of(d, w):
    dd = d * d
    return shape(dd @ w, (dd * d) @ w, (dd * dd) @ w)


def moments(x, w):
    m = x @ w
    d = x - m
    v = (d * d) @ w + 1e-4
    sd = v.sqrt()
    return m, sd, (d * d * d) @ w / (v * sd)


def correlations(rows, w, eps, n):
    """Of all n rows with each other, [B, n * n, 1]; w [B, T, 1]."""
    turned = rows.transpose(1, 2)
    s = ((rows * rows) @ w + eps).sqrt()
    return (rows @ (turned * w) / (s * s.transpose(1, 2))).reshape(-1, n * n, 1)


def local_mean(x, size, count):
    c = F.pad(x, (size // 2 + 1, size // 2)).double().cumsum(2)
    return (c[:, :, size:] - c[:, :, :-size]).float().clamp_min(0) / count


class RichGraph(nn.Module):
    """Takes the place of `rich` (a rich_view.Rich with its weights) when a model is exported; `sharing`: other views' spectra like the finest one, which are given what was computed here."""

    def __init__(self, rich, sharing=()):
        super().__init__()
        self.rich, self.sharing, self.given_key = rich, list(sharing), rich.key()
        base, more = rich.base, rich.more
        put = lambda name, x: self.register_buffer(name, x.float())
        put("basis_power", torch.cat([bands(256, 8), bands(256, 16), bands(256, 32), more.basis_mel[0]]))
        put("basis_logs", torch.cat([more.basis_cepstrum[0, :1], base.basis_cepstrum[0], bands(256, 16)]))
        put("basis_high", bands(120, 15)), put("basis_fast", bands(32, 4)), put("basis_three", torch.tensor([[.5] * 2 + [0] * 6, [0, 0] + [1 / 3] * 3 + [0] * 3, [0] * 5 + [1 / 3] * 3]))
        put("basis_16", bands(256, 16).t()), put("basis_32", bands(512, 32)), put("basis_64", bands(512, 64)), put("basis_4", bands(32, 4).t())
        put("basis_turns", torch.cat([more.basis_cos, more.basis_sin], 1)), put("basis_rates", torch.cat([more.basis_rate, more.basis_rate]))
        pick = torch.zeros(FRAMES, 6)
        for k, at in enumerate((20, 80, 200)):
            pick[379, k], pick[at, k] = 1, -1
        for k, at in enumerate((40, 200, 360)):
            pick[at, 3 + k] = 1
        put("basis_pick", pick)
        middle, turn = base.fine.middle, base.fine.basis_turn[:, :, 0]
        put("basis_turn_cos", torch.stack([torch.full((256,), middle[0]), turn[0]])[None, :, :, None]), put("basis_turn_sin", torch.stack([torch.full((256,), middle[1]), -turn[1]])[None, :, :, None])
        put("basis_taps", torch.eye(ORDER + 1).flip(1)[:, None])
        steps = torch.zeros(8, 13)
        for k, lag in enumerate(base.STEPS):
            steps[k, 12 - lag] = 1
        put("basis_steps", steps.repeat(3, 1)[:, None])
        put("first", torch.tensor([1.0] + [0.0] * ORDER)[None, :, None])
        put("mask", from_lag(LAGS, FRAMES)[None, :, :, None]), put("mask_env", from_lag(ENV_LAGS, FAST)[None, :, :, None]), put("mask_wave", from_lag(WAVE_LAGS, 64)[None])
        put("mask_narrow", from_lag((1,), NARROW)[:, :, None]), put("mask_long", from_lag((1,), LONG)[:, :, None]), put("mask_low", from_lag(PITCH_LAGS, LOW)[None, :, :, None])
        put("limits", torch.tensor([0.004, 0.01, 0.025, 0.06])[None, None, :, None])
        count = lambda n, size: torch.minimum(torch.arange(n) + size // 2, torch.tensor(n - 1)) - (torch.arange(n) - size // 2).clamp_min(0) + 1
        put("count_residual", count(RESIDUAL, 321)), put("count_wave", count(64000, 641))
        row = lambda own, other: torch.cat([torch.full((n,), own.get(name, other)) for name, n in ROWS])[None, :, None]
        put("centre", row({"raw": 0.0, "high": 0.0}, 1.0)), put("eps_fourth", row({"raw": 1e-3}, 1e-5)), put("add_fourth", row({"raw": 1e-2}, 1e-3)), put("eps_alike", row({"raw": 1e-3}, 1e-4))
        put("eps_gram", torch.cat([torch.full((20,), 1e-4), torch.full((64,), 1e-3), torch.full((72,), 1e-4)])[None, :, None]), put("eps_env", torch.cat([torch.full((8,), 1e-3), torch.full((56,), 1e-4)])[None, :, None])
        self.register_buffer("at_fast", (torch.arange(FAST, dtype=torch.float64) * FRAMES / FAST).floor().long())
        with torch.no_grad():
            self.register_buffer("order", self.sheet(torch.randn(1, 64000) * 1000).order())

    def key(self):
        return self.given_key

    def forward(self, wave):
        s = torch.cat(self.sheet(wave).parts, 1).flatten(1).index_select(1, self.order)
        return ((s - self.rich.mean) / self.rich.sd).clamp(-3.5, 3.5)

    def sheet(self, wave):
        out, r = Sheet(), self.rich
        x = wave - wave.mean(1, keepdim=True)
        x = (x / ((x * x).mean(1, keepdim=True) + 1.0).sqrt())[:, None]
        parts = lambda s: F.conv1d(x, s.basis, stride=s.hop).split(s.bins, 1)
        (re, im), floor = parts(r.base.fine), r.base.fine.floor
        for s in self.sharing:
            s.given = re, im
        power = re * re + im * im
        logs = (power + floor).log()
        loud = power.mean(1, keepdim=True)
        speech = loud / (loud + 0.03)
        w = speech / (speech.sum(2, keepdim=True) + 1e-6)
        wt = w.transpose(1, 2)
        b = (self.basis_power @ power + floor).log()
        c = self.basis_logs @ logs
        b32, b16, eight = b[:, :32], b[:, 32:48], b[:, 48:56]
        high = self.basis_high @ (c[:, 41:161] * c[:, 41:161])
        reflections, taps, gain = self.prediction(r.more.basis_lag @ power)
        pulse = self.residual(out, x, taps, wt)
        z, s = self.surprise(b32)
        total = (0.5 * z * z + s).mean(1, keepdim=True)
        area = ((1 - reflections) / (1 + reflections)).log()
        mel = r.more.basis_mel_cepstrum @ b[:, 56:]
        rows = torch.cat([b16, c[:, 1:41], mel, b32, c[:, 161:] - b16, area, gain, pulse, z, z, s, total, (high + 1e-3).log(), eight, high], 1)
        d, mean, first = self.engine(out, rows, wt)
        self.gram(out, d, wt)
        self.rates(out, torch.cat([b16, c[:, :20]], 1))
        out.ordered(torch.topk(torch.cat([b16, total], 1), FRAMES, 2, largest=False)[0] @ self.basis_pick)
        self.phases(out, re, im, (logs * 0.3).exp() * w)
        fr, fi = parts(r.base.fast)
        fast = fr * fr + fi * fi
        self.envelopes(out, fast, speech)
        self.asymmetry(out, x)
        self.bispectrum(out, re, im, power, wt)
        self.quiet(out, b16, (loud + floor).log(), mean[:, :16], first)
        nr, ni = parts(r.base.narrow)
        narrow = nr * nr + ni * ni
        self.ripples(out, [(power, wt, (5, 5), self.basis_16), (narrow, shares(narrow)(0.04), (9, 3), self.basis_32.t()), (fast, shares(fast)(0.04), (3, 15), self.basis_4)], floor)
        self.narrow_windows(out, narrow, floor)
        lr, li = parts(r.more.long)
        fine = lr * lr + li * li
        self.long_windows(out, "l", self.fine_structure(fine, 33, floor), shares(fine)(0.04), self.mask_long)
        self.pitch(out, wave, speech)
        out.put(r.speaker(wave)[:, :, None], "speaker")
        return out

    def prediction(self, r):
        """Levinson's recursion for all frames: reflection coefficients with their sign turned [B, ORDER, T], the filter [B, ORDER + 1, T], the logarithm of its gain."""
        r0 = r[:, :1] * 1.0005 + 1e-4
        a, e, found = self.first, r0, []
        for i in range(1, ORDER + 1):
            back = a[:, [i - j if j <= i else i for j in range(ORDER + 1)]]  # turned round; row i is still zero
            k = ((back * r).sum(1, keepdim=True) / e).clamp(-0.995, 0.995)
            a, e = a - k * back, e * (1 - k * k)
            found.append(k)
        return torch.cat(found, 1), a, (e / r0).clamp_min(1e-5).log()

    def residual(self, out, x, taps, wt):
        """Five rows that describe each frame of what the prediction leaves; what is wanted of it sample by sample is put out here."""
        past = F.conv1d(F.pad(x[:, :, :RESIDUAL], (ORDER, 0)), self.basis_taps).reshape(-1, ORDER + 1, FRAMES, 160)
        e = (past * taps[:, :, :, None]).sum(1, keepdim=True)
        ee, size = e * e, e.abs()
        m = torch.cat([ee, ee * e, ee * ee, size], 1).mean(3)
        m2 = m[:, :1] + 1e-6
        s = m2.sqrt()
        skew = m[:, 1:2] / (m2 * s)
        rows = torch.cat([skew.abs(), skew, (torch.cat([m[:, 2:3] / (m2 * m2), size.amax(3) / s, s / (m[:, 3:] + 1e-4)], 1) + 1e-2).log()], 1)
        one = e.reshape(-1, 1, RESIDUAL)
        unit = one / (local_mean(one * one, 321, self.count_residual) + 1e-3).sqrt()
        pair, square = torch.cat([later(unit, lag) for lag in UNIT_LAGS], 1) * unit, unit * unit
        m = torch.cat([square * unit, pair, square * square, pair * pair], 1).reshape(-1, 12, FRAMES, 160).mean(3) @ wt
        out.put(m[:, :6].abs(), (0, "u.abs", 1)), out.put(m[:, :6], (0, "u.skew", 1), (1, "u.pair", 5)), out.put((m[:, 6:] + 1e-3).log(), (0, "u.fourth", 1), (1, "u.square", 5))
        return rows

    def surprise(self, b32):
        x = b32 - b32.mean((1, 2), keepdim=True)
        m, s = self.rich.surprise.predict(x)
        return ((x - m) * (-s).exp()).clamp(-8, 8), s

    def engine(self, out, rows, wt):
        """Moments of all rows and of their changes; the centred rows, their means, and the first sixteen rows' changes over one frame."""
        m = rows @ wt
        d = rows - m * self.centre
        dd = d * d
        v = dd @ wt
        v4 = v + 1e-4
        sd = v4.sqrt()
        ve = v + self.eps_fourth
        place = lambda **names: [(AT[row], name) for row, name in names.items()]
        out.put(m, *place(low="low.m", area="area.m", gain="g.m", pulse="pulse.m", flat="flat.m", z="z.m", s="s.m", total="total.m"), (AT["mel"] + 1, "mel.m"))
        out.put(sd, *place(bands32="b.sd", highlog="high.sd", area="area.sd", gain="g.sd", pulse="pulse.sd", flat="flat.sd", s="s.sd", total="total.sd"))
        out.put(sd.log(), *place(low="low.sd", mel="mel.sd", z="z.sd"))
        out.put((dd * d) @ wt / (v4 * sd), *place(bands32="b.skew", area="area.skew", gain="g.skew", pulse="pulse.skew", flat="flat.skew", mel="mel.skew", z="z.skew", total="total.skew"))
        out.put(((dd * dd) @ wt / (ve * ve) + self.add_fourth).log(), (AT["low"], "cep.fourth"), (AT["raw"], "z.fourth"))
        b, raw = AT["bands32"], AT["raw"]
        out.put(m[:, b:b + 32] - m[:, b:b + 32].mean(1, keepdim=True), "b.m"), out.put((m[:, AT["high"]:] + 1e-4).log(), "high.m")
        out.put(v[:, raw:raw + 32] * 0.5 + m[:, AT["s"]:AT["s"] + 32], "z.cost")
        moving, each = d[:, None, :MOVING], lambda lag, row: (lag - 1) * MOVING + AT[row]
        shifted = torch.cat([later(moving, lag) for lag in LAGS], 1)
        w, masked = wt[:, None], wt[:, None] * self.mask
        alike = ((shifted * moving) @ w / (v + self.eps_alike)[:, None, :MOVING]).reshape(-1, 4 * MOVING, 1)
        out.put(alike, *((each(lag, "low"), f"cep.alike{lag}") for lag in (1, 2, 4)), (each(2, "area"), "area.alike"), (each(1, "pulse"), "pulse.alike"), (each(3, "mel"), "mel.alike"), (each(1, "raw"), "z.lag1"), (each(2, "raw"), "z.lag2"))
        change = moving - shifted
        square = change * change
        v = square @ masked
        out.put(((v + 1e-4).log() * 0.5).reshape(-1, 4 * MOVING, 1), *((each(lag, row), f"{row if row != 'bands32' else 'b'}.moves{lag}") for row, lags in (("bands32", (1, 2, 4)), ("low", (1, 3)), ("flat", (1,)), ("area", (1, 3)), ("pulse", (1,)), ("mel", (1, 4))) for lag in lags),
                (each(1, "gain"), "g.moves1"), (each(4, "gain"), "g.moves4"))
        few, square = change[:, :, :SHAPED], square[:, :, :SHAPED]
        for name, x in zip(("skew", "fourth"), shape(v[:, :, :SHAPED], (square * few) @ masked, (square * square) @ masked)):
            at = lambda lag, row: (lag - 1) * SHAPED + AT[row]
            out.put(x.reshape(-1, 4 * SHAPED, 1), (at(1, "low"), f"cep.d.{name}"), (at(1, "mel"), f"mel.d.{name}"), *((at(lag, "bands16"), f"asym{lag}.{name}") for lag in (1, 2, 4)))
        one = change[:, 0, 16:56]
        second = one - later(one, 1)
        second = second * second
        v2 = second @ masked[:, 1] + 1e-5
        out.put(((second * second) @ masked[:, 1] / (v2 * v2) + 1e-3).log(), (0, "cep.dd"))
        low = d[:, None, 16:56]
        far = (torch.cat([later(low, 8), later(low, 16)], 1) * low) @ w / v4[:, None, 16:56]
        out.put(far.reshape(-1, 80, 1), (0, "cep.alike8"), (40, "cep.alike16"))
        return d, m, (change[:, 0, :16], masked[:, 0])

    def gram(self, out, d, wt):
        rows = d[:, GRAM]
        x, e, (m1, m2, _, m4) = rows[:, :12], rows[:, 12:20], (self.mask[:, k, :, 0] for k in range(4))
        change = (e - later(e, 1)) * m1
        rows = torch.cat([rows, x * m1, later(x, 1), x * m4, later(x, 4), change, change * m2, later(change, 1)], 1)
        n, at = 156, {"x": 0, "e": 12, "b": 20, "z": 52, "x1": 84, "x1-": 96, "x4": 108, "x4-": 120, "d": 132, "d2": 140, "d2-": 148}
        pairs = lambda name, a, b, k: [((at[a] + i) * n + at[b], name, k, k * i) for i in range(k)]
        beside = lambda name, a, lag: [((at[a] + lag + i) * n + at[a] + i, name, 1, i) for i in range(32 - lag)]
        out.put(correlations(rows, wt, self.eps_gram, n), *pairs("t0", "x", "x", 12), *pairs("t1", "x1", "x1-", 12), *pairs("t4", "x4", "x4-", 12), *pairs("c.b", "e", "e", 8), *pairs("c.d", "d", "d", 8), *pairs("c.dd", "d2", "d2-", 8),
                *(p for lag in (1, 2, 4, 8) for p in beside(f"b.together{lag}", "b", lag)), *(p for lag in (1, 4) for p in beside(f"z.together{lag}", "z", lag)))

    def rates(self, out, x):
        y = (x - x.mean(2, keepdim=True)) @ self.basis_turns
        p = (y * y) @ self.basis_rates
        out.put(((p + 1e-2) / (p.sum(2, keepdim=True) + 6e-2)).log().reshape(-1, 216, 1), (0, "b.rates"), (96, "cep.rates"))

    def phases(self, out, re, im, p):
        """From bin to bin and from frame to frame at once, [B, 2, bins, T]."""
        shifted = lambda x: torch.cat([F.pad(x, (0, 0, 1, -1)), later(x, 1)], 1)
        re, im, p = re[:, None], im[:, None], p[:, None]
        sr, si = shifted(re), shifted(im)
        a, b = re * sr + im * si, re * si - im * sr
        size = (a * a + b * b + self.rich.base.fine.floor ** 2).sqrt()
        a, b = a / size, b / size
        a, b = a * self.basis_turn_cos - b * self.basis_turn_sin, a * self.basis_turn_sin + b * self.basis_turn_cos
        both = (p * higher(p, 1)).sqrt()
        steady = a * F.pad(a, (-1, 1)) + b * F.pad(b, (-1, 1))
        above = a * higher(a, 1) + b * higher(b, 1)
        t = torch.cat([(torch.cat([a, a * a, steady], 1) * p).sum(3), (above * both).sum(3), p.sum(3), both.sum(3)], 1) @ self.basis_16
        t = torch.cat([t[:, :6] / (t[:, 8:9] + 1e-9), t[:, 6:8] / (t[:, 9:] + 1e-9)], 1).reshape(-1, 128, 1)
        out.put(t, *((16 * k, "phases", 16, 16 * at) for k, at in enumerate((0, 2, 1, 3, 7, 6, 4, 5))))

    def envelopes(self, out, fast, speech):
        env = (self.basis_fast @ fast + 1e-4).sqrt()
        logs = (env + 1e-2).log()
        local = F.avg_pool1d(torch.cat([env, logs], 1), 25, 1, 12, count_include_pad=False)
        w = speech.index_select(2, self.at_fast)
        w = w / (w.sum(2, keepdim=True) + 1e-6)
        wt = w.transpose(1, 2)
        r, rest = env / (local[:, :8] + 0.01) - 1, logs - local[:, 8:]
        rr = r * r
        v = rr @ wt + 1e-3
        out.put(v.log(), "p.v"), out.put((rr * rr) @ wt / (v * v), "p.fourth")
        three = self.basis_three @ r
        steps = F.conv1d(F.pad(three, (12, 0)), self.basis_steps, groups=3).reshape(-1, 3, 8, FAST)
        steps = (steps * three[:, :, None]) @ wt[:, None] / ((three * three) @ wt + 1e-3)[:, :, None]
        out.put(steps.reshape(-1, 24, 1), *((8 * i + k, "p.steps", 1, 3 * k + i) for i in range(3) for k in range(8)))
        masks = [self.mask_env[:, k, :, 0] for k in range(3)]
        rows = torch.cat([r, rest] + [y for lag, m in zip(ENV_LAGS, masks) for y in (rest * m, later(rest, lag))], 1)
        pairs = lambda name, a, b: [((a + i) * 64 + b, name, 8, 8 * i) for i in range(8)]
        out.put(correlations(rows, wt, self.eps_env, 64), *((64 * (lag + i) + i, f"p.together{lag}", 1, i) for lag in range(1, 8) for i in range(8 - lag)), *pairs("c.r", 8, 8),
                *(p for k, lag in enumerate(ENV_LAGS) for p in pairs(f"c.r{lag}", 16 + 16 * k, 24 + 16 * k)))
        logs = logs[:, None]
        change = logs - torch.cat([later(logs, lag) for lag in ENV_LAGS], 1)
        for name, x in zip(("skew", "fourth"), shape_of(change, wt[:, None] * self.mask_env)):
            out.put(x.reshape(-1, 24, 1), *((8 * k, f"asym{lag}.env.{name}") for k, lag in enumerate(ENV_LAGS)))

    def asymmetry(self, out, x):
        unit = x / (local_mean(x * x, 641, self.count_wave) + 1e-2).sqrt()
        d = (unit - torch.cat([later(unit, lag) for lag in WAVE_LAGS], 1)) * F.pad(self.mask_wave, (0, 64000 - 64), value=1.0)
        dd = d * d
        s, k = shape(*(y.mean(2, keepdim=True) for y in (dd, dd * d, dd * dd)))
        for j, y in enumerate((s.abs(), s, k)):
            out.put(y, *((i, "asym.wave", 1, 3 * i + j) for i in range(7)))

    def bispectrum(self, out, re, im, power, wt):
        """The sign of the imaginary part does not matter here."""
        more = self.rich.more
        a, b, c, d, e, f = re[:, more.first], im[:, more.first], re[:, more.second], im[:, more.second], re[:, more.sum], im[:, more.sum]
        pr, pi = a * c - b * d, a * d + b * c
        tr, ti = (pr * e + pi * f) @ wt, (pi * e - pr * f) @ wt
        n = (((pr * pr + pi * pi) @ wt + 1e-6) * ((power @ wt)[:, more.sum] + 1e-6)).sqrt()
        size = (tr * tr + ti * ti).sqrt() / n
        cells = torch.cat([size, size * size, tr / n, (ti / n).abs()], 2).transpose(1, 2) @ more.basis_cell
        out.put(cells.reshape(-1, 80, 1), "bispectrum")

    def quiet(self, out, b16, level, mean, first):
        change, mask = first
        q = torch.sigmoid((level.amax(2, keepdim=True) - 5.7 - level) * 2)
        out.put(q.mean(2, keepdim=True), "q.share")
        q = (q / (q.sum(2, keepdim=True) + 1e-3)).transpose(1, 2)
        m, sd, _ = moments(b16, q)
        out.put(m - mean, "q.m"), out.put(sd, "q.sd"), out.put((((change * change) @ (q * self.mask[:, 0])) + 1e-4).log() * 0.5, "q.moves")
        d = level - level.mean(2, keepdim=True)
        v = (d * d).mean(2, keepdim=True) + 1e-4
        out.put(v.sqrt(), "q.level"), out.put((d * d * d).mean(2, keepdim=True) / (v * v.sqrt()), "q.skew")

    def ripples(self, out, spectra, floor):
        got = []
        for power, w, (rows, frames), band in spectra:
            p = power[:, None]
            around = F.avg_pool2d(p, (rows, 1), 1, (rows // 2, 0), count_include_pad=False)
            around = F.avg_pool2d(around, (1, frames), 1, (0, frames // 2), count_include_pad=False) + floor
            r = (p + 0.02 * around) / around
            logs = r.log()
            square = logs * logs
            w = w[:, None]
            got.append(torch.cat([logs @ w, square @ w, (square * logs) @ w, (r * r) @ w], 1)[:, :, :, 0] @ band)
        t = torch.cat(got, 2)
        m = t[:, :1]
        t = torch.cat([m, (t[:, 1:2] - m * m).clamp_min(1e-4).sqrt(), t[:, 2:3], (t[:, 3:] + 1e-3).log()], 1).reshape(-1, 160, 1)
        out.put(t, *((40 * k + at, name, n, n * k) for k in range(4) for name, at, n in (("ripple", 0, 16), ("ripple.narrow", 16, 16), ("ripple.fast", 32, 8))))

    def fine_structure(self, power, pool, floor):
        logs = (power + floor).log()
        return logs - F.avg_pool2d(logs[:, None], (pool, 1), 1, (pool // 2, 0), count_include_pad=False)[:, 0]

    def narrow_windows(self, out, power, floor):
        w, rest = shares(power), self.fine_structure(power, 17, floor)
        flat = self.basis_32 @ (power + floor).log() - (self.basis_32 @ power + floor).log()
        near, far = w(0.04), w(0.05)
        m, sd, skew = moments(flat, near)
        change = flat - later(flat, 1)
        out.put(m, "flat64.m"), out.put(sd, "flat64.sd"), out.put(skew, "flat64.skew"), out.put(((change * change) @ (near * self.mask_narrow) + 1e-4).log() * 0.5, "flat64.moves")
        m, sd, _ = moments((self.basis_32 @ (rest * rest) + 1e-3).log(), far)
        out.put(m, "h.m"), out.put(sd, "h.sd"), out.put(self.basis_32 @ ((rest * rest * rest) @ far), "h.third")
        self.long_windows(out, "n", rest, near, self.mask_narrow)

    def long_windows(self, out, name, rest, w, mask):
        square = rest * rest
        v = self.basis_64 @ square + 1e-2
        same = self.basis_64 @ (rest * later(rest, 1)) / (v * (later(v, 1) + (1 - mask.transpose(1, 2)))).sqrt()
        m, sd, skew = moments(v.log(), w)
        ms, sds, _ = moments(same, w * mask)
        for part, x in (("m", m), ("sd", sd), ("skew", skew), ("same", ms), ("same.sd", sds), ("up", (self.basis_64 @ (higher(rest, 2) * rest) / v) @ w), ("fourth", (self.basis_64 @ ((square * square) @ w) + 1e-3).log())):
            out.put(x, f"{name}.{part}")

    def pitch(self, out, wave, speech):
        more = self.rich.more
        x = F.conv1d(wave[:, None], more.basis_thin, stride=4, padding=15)
        x = x - x.mean(2, keepdim=True)
        x = x / ((x * x).mean(2, keepdim=True) + 1.0).sqrt()
        re, im = F.conv1d(x, more.low.basis, stride=more.low.hop).split(more.low.bins, 1)
        p = (re * re + im * im + 1e-4).sqrt()
        loud = p.mean(1, keepdim=True)
        r = (more.basis_period @ p) / loud
        peak = r.amax(1, keepdim=True)
        at = more.basis_log_period.transpose(1, 2) @ torch.softmax(60 * r, 1)
        voiced = torch.sigmoid(18 * (peak - 0.42)) * speech[:, :, 2:LOW + 2]
        share = voiced.mean(2, keepdim=True)
        m, sd, skew = moments(torch.cat([peak, at], 1), (voiced / (voiced.sum(2, keepdim=True) + 1e-6)).transpose(1, 2))
        out.put(share, "f.voiced")
        for k, y in enumerate((m, sd, skew)):
            out.put(y, (0, "f.peak", 1, k), (1, "f.at", 1, k))
        rows = torch.cat([at, (loud + 1e-3).log(), peak, voiced], 1)[:, None]
        before = torch.cat([later(rows, lag) for lag in PITCH_LAGS], 1)
        d = voiced - share
        far, v = (d * torch.cat([later(d, 4), later(d, 16)], 1)).mean(2, keepdim=True), (d * d).mean(2, keepdim=True) + 1e-4
        out.put(far / v, "f.alike")
        change = (rows - before)[:, :, :3]
        step = (rows - before)[:, 0, 3:] * self.mask_low[:, 0, :, 0]
        out.put(((step * step).mean(2, keepdim=True) + 1e-4).log() * 0.5, "f.moves")
        both = rows[:, :, 3:] * before[:, :, 3:]
        both = (both / (both.sum(3, keepdim=True) + 1e-6)).transpose(2, 3)
        size, square = change.abs(), change * change
        v, few = square @ both, (size[:, :, :1] < self.limits).float()
        fourth = ((square * square) @ both / ((v + 1e-5) * (v + 1e-5)) + 1e-3).log()
        t = torch.cat([(v + 1e-6).log(), (size + 1e-3).log() @ both, fourth, few @ both, (change[:, :, :1] * change[:, :, 1:2]) @ both * 10, change[:, :, 2:] @ both], 2).reshape(-1, 60, 1)
        out.put(t, *((15 * k + at, "f.lags", 1, 15 * k + i) for k in range(4) for i, at in enumerate((0, 3, 6, 1, 4, 7, 2, 5, 8, 9, 10, 11, 12, 13, 14))))
        second = at - 2 * later(at, 1) + later(at, 2)
        three = voiced * later(voiced, 1) * later(voiced, 2)
        three = (three / (three.sum(2, keepdim=True) + 1e-6)).transpose(1, 2)
        out.put(((second * second) @ three + 1e-6).log(), "f.second"), out.put((second.abs() + 1e-3).log() @ three, "f.second.log")


assert sum(LAYOUT.values()) == 4573
