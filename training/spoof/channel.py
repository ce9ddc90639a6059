"""Owns the acoustics: rooms, loudspeakers, microphones, noise, telephone. Everything batched on the device, [B, N] int16 scale.

Three families of rooms and three of loudspeakers exist so that one of each can be kept out of training and used to judge it.
"""
import glob
import math

import numpy as np
import torch
from scipy.io import wavfile
from scipy.signal import resample_poly

SR = 16000
NFFT = 81920  # a 4 s crop and a room of 0.6 s, with some to spare


def rms(x):
    return x.pow(2).mean(1, keepdim=True).clamp_min(1).sqrt()


class Channel:
    def __init__(self, device, noise, seed=1, rirs=400):
        self.dev, self.noise, self.devices = device, noise, None
        self.g = torch.Generator(device=device)
        self.g.manual_seed(seed)
        self.f = torch.arange(NFFT // 2 + 1, device=device) * SR / NFFT
        self.rooms = {"tail": self._tail_rooms(rirs), "image": self._image_rooms(rirs // 2), "bands": self._band_rooms(rirs)}

    def rnd(self, *s):
        return torch.rand(*s, device=self.dev, generator=self.g)

    def rand(self, lo, hi, *s):
        return lo + (hi - lo) * self.rnd(*s)

    def normal(self, *s):
        return torch.randn(*s, device=self.dev, generator=self.g)

    # ---- rooms: impulse responses without direct sound; the direct sound is added with the wanted direct-to-reverberant ratio
    def _tail_rooms(self, n, length=9600):
        """Family 1: exponentially decaying coloured noise after a random gap, a few strong early echoes."""
        t = torch.arange(length, device=self.dev)[None] / SR
        rt = self.rand(0.08, 0.9, n, 1)
        h = self.normal(n, length) * torch.exp(-6.9 * t / rt)
        gap = self.rand(0.001, 0.02, n, 1)
        h = h * (t > gap)
        for _ in range(6):
            at = (self.rand(0.001, 0.04, n, 1) * SR).long()
            h.scatter_add_(1, at, (self.rnd(n, 1) - 0.3) * h.norm(dim=1, keepdim=True) * 0.6)
        h[:, 0] = 0
        return h / h.norm(dim=1, keepdim=True)

    def _band_rooms(self, n, length=9600):
        """Family 3: each of five bands decays at its own pace (highs faster), sparse echoes that grow denser with time."""
        t = torch.arange(length, device=self.dev)[None] / SR
        f = torch.fft.rfftfreq(length, 1 / SR, device=self.dev) if self.dev == "cpu" else torch.fft.rfftfreq(length, 1 / SR).to(self.dev)
        edges = [0, 300, 800, 2000, 4500, 8001]
        rt = self.rand(0.15, 1.0, n, 1)
        out = torch.zeros(n, length, device=self.dev)
        for k in range(5):
            spec = torch.fft.rfft(self.normal(n, length)) * ((f >= edges[k]) & (f < edges[k + 1]))
            out = out + torch.fft.irfft(spec, n=length) * torch.exp(-6.9 * t / (rt * self.rand(0.6, 1.2, n, 1) * (1.15 - 0.14 * k))) * self.rand(0.4, 1.6, n, 1)
        dense = (self.rnd(n, length) < (t / self.rand(0.02, 0.09, n, 1)) ** 2 + 0.002).float()
        out = out * dense * (t > self.rand(0.0008, 0.006, n, 1))
        out[:, 0] = 0
        return out / out.norm(dim=1, keepdim=True).clamp_min(1e-6)

    def _image_rooms(self, n, length=9600, order=7):
        """Family 2: image sources of a shoebox room with random size, absorption and places."""
        r = torch.arange(-order, order + 1, device=self.dev).float()
        grid = torch.stack(torch.meshgrid(r, r, r, indexing="ij"), -1).reshape(-1, 3)
        out = torch.zeros(n, length, device=self.dev)
        for i in range(n):
            size = torch.stack([self.rand(2, 9, 1), self.rand(2, 7, 1), self.rand(2.2, 4, 1)]).squeeze(1)
            src, mic = size * self.rand(0.1, 0.9, 3), size * self.rand(0.1, 0.9, 3)
            mic = src + (mic - src) * self.rand(0.1, 1.0, 1)
            beta = self.rand(0.45, 0.93, 1)
            for p in range(8):
                sign = torch.tensor([1 - 2 * (p >> k & 1) for k in range(3)], device=self.dev).float()
                pos = 2 * grid * size + sign * src
                bounces = ((2 * grid - (sign < 0).float()).abs()).sum(1)
                d = (pos - mic).norm(dim=1).clamp_min(0.05)
                direct = (mic - src).norm().clamp_min(0.05)
                delay = (d - direct) / 343 * SR
                k = delay.floor().long()
                ok = (k >= 0) & (k < length - 1) & (bounces > 0)
                a = beta ** bounces / d * torch.where(self.rnd(len(d)) < 0.15, -1.0, 1.0)
                w = delay - k
                out[i].index_add_(0, k[ok], (a * (1 - w))[ok])
                out[i].index_add_(0, k[ok] + 1, (a * w)[ok])
        out[:, 0] = 0
        return out / out.norm(dim=1, keepdim=True).clamp_min(1e-6)

    def add_recorded(self, folder, length=9600):
        """Recorded impulse responses: rooms become the family `real` (what follows the direct sound), short ones of equipment become devices."""
        rooms, devices = [], []
        for path in sorted(glob.glob(folder + "/*.wav")):
            rate, h = wavfile.read(path)
            h = (h if h.ndim == 1 else h[:, 0]).astype(np.float32)
            h = resample_poly(h, SR, rate) if rate != SR else h
            at = int(np.abs(h).argmax())
            h = np.pad(h[at:at + length], (0, max(0, length - len(h) + at)))
            if "equipment" in path or "telephone" in path or "superchamp" in path:
                devices.append(h)
            else:
                h[:24] = 0
                rooms.append(h)
        to = lambda hs: (lambda t: t / t.norm(dim=1, keepdim=True).clamp_min(1e-6))(torch.from_numpy(np.stack(hs)).to(self.dev))
        self.rooms["real"], self.devices = to(rooms), to(devices)

    def room(self, n, family, drr_lo, drr_hi):
        """`any`: of every family, each as often."""
        if family == "any":
            parts = torch.randint(0, len(self.rooms), (n,), device=self.dev, generator=self.g)
            banks = list(self.rooms.values())
            pick = (self.rnd(len(banks), n) * torch.tensor([[len(b)] for b in banks], device=self.dev)).long()
            h = torch.stack([b[pick[k]] for k, b in enumerate(banks)])[parts, torch.arange(n, device=self.dev)]
            return self.with_direct(h, drr_lo, drr_hi)
        bank = self.rooms[family]
        return self.with_direct(bank[torch.randint(0, len(bank), (n,), device=self.dev, generator=self.g)], drr_lo, drr_hi)

    def with_direct(self, h, drr_lo, drr_hi):
        h = h / 10 ** (self.rand(drr_lo, drr_hi, len(h), 1) / 20)
        h[:, 0] = 1.0
        return torch.fft.rfft(h / h.norm(dim=1, keepdim=True), n=NFFT)

    # ---- linear responses
    def smooth_eq(self, n, depth_db):
        """Random smooth magnitude response over log frequency (microphones, handsets)."""
        pos = (torch.log2((self.f + 60) / 60) / math.log2(8060 / 60) * 11).clamp(0, 10.999)
        nodes = self.normal(n, 12) * depth_db
        i = pos.long()
        w = pos - i
        w = (1 - torch.cos(math.pi * w)) / 2
        return 10 ** ((nodes[:, i] * (1 - w) + nodes[:, i + 1] * w) / 20)

    def high_pass(self, n, lo, hi, order):
        fc = lo * (hi / lo) ** self.rnd(n, 1)
        s = 1j * self.f[None] / fc
        return (s / (1 + s)) ** order

    def low_pass(self, n, lo, hi, order):
        fc = lo * (hi / lo) ** self.rnd(n, 1)
        return 1 / (1 + 1j * self.f[None] / fc) ** order

    def resonances(self, n, count, gain_db, lo=150, hi=7000):
        H = torch.ones(n, len(self.f), device=self.dev, dtype=torch.complex64)
        for _ in range(count):
            f0 = lo * (hi / lo) ** self.rnd(n, 1)
            q = 1.5 * 8 ** self.rnd(n, 1)
            gain = 10 ** (gain_db * (self.rnd(n, 1) * 2 - 1) / 20)
            s = 1j * self.f[None] / f0
            H = H * (s * s + s * gain.clamp_min(1) / q + 1) / (s * s + s / gain.clamp_max(1) / q + 1)
        return H

    def filt(self, x, H):
        if len(x) == 0:
            return x
        return torch.fft.irfft(torch.fft.rfft(x, n=NFFT) * H, n=NFFT)[:, : x.shape[1]]

    # ---- loudspeakers
    def loudspeaker(self, x, family):
        """Small speakers lack bass, ring, and bend loud samples. Family `peaks`: resonant filters and soft clipping.
        Family `smooth`: random smooth response with comb, polynomial with memory. Family `driver`: a phone's driver with level control, steep
        band limits, asymmetric clipping and two cabinet modes."""
        n = len(x)
        if family == "peaks":
            y = self.filt(x, self.high_pass(n, 90, 550, 2))
            u = y / y.abs().amax(1, keepdim=True).clamp_min(1)
            drive = 0.3 * 12 ** self.rnd(n, 1)
            bias = self.rand(-0.15, 0.15, n, 1)
            y = torch.tanh(drive * u + bias) - torch.tanh(bias)
            y = y / y.abs().amax(1, keepdim=True).clamp_min(1e-4) * 12000
            return self.filt(y, self.resonances(n, 5, 10) * self.low_pass(n, 3500, 16000, 2))
        if family == "driver":
            y = self.filt(x, self.high_pass(n, 150, 800, 4) * self.resonances(n, 2, 6))
            level = torch.nn.functional.avg_pool1d(y.abs()[:, None], 801, 1, 400, count_include_pad=False)[:, 0]
            y = y * (level / level.amax(1, keepdim=True).clamp_min(1) + 0.05) ** (-self.rand(0.0, 0.6, n, 1))
            u = y / y.abs().amax(1, keepdim=True).clamp_min(1)
            top, low = self.rand(0.25, 1.0, n, 1), self.rand(0.25, 1.0, n, 1)
            y = torch.where(u > 0, top * torch.tanh(u / top), low * torch.tanh(u / low))
            y = (y + self.rand(-0.12, 0.12, n, 1) * y * y) * 12000
            return self.filt(y, self.resonances(n, 2, 14, 250, 2500) * self.resonances(n, 4, 7, 1500, 7800) * self.low_pass(n, 3000, 12000, 3))
        y = self.filt(x, self.high_pass(n, 120, 450, 3))
        u = y / y.abs().amax(1, keepdim=True).clamp_min(1)
        memory = torch.cat([u[:, :3] * 0, u[:, :-3]], 1)
        a2, a3 = self.rand(-0.35, 0.35, n, 1), self.rand(-0.4, 0.05, n, 1)
        y = (u + a2 * u * memory + a3 * u ** 3) * 12000
        delay = self.rand(0.0001, 0.0008, n, 1)
        comb = 1 + self.rand(0.1, 0.5, n, 1) * torch.exp(-2j * math.pi * self.f[None] * delay)
        return self.filt(y, self.smooth_eq(n, 5.0) * comb * self.low_pass(n, 4500, 14000, 1))

    def replay(self, x, speaker, room):
        """A recording of the victim (or a synthetic voice) played by a loudspeaker in a room into another microphone."""
        n = len(x)
        y = self.loudspeaker(x, speaker)
        y = self.filt(y, self.room(n, room, -3, 12) * self.smooth_eq(n, 1.5))
        return y * rms(x) / rms(y)

    def near(self, x, room):
        """An honest talker: mostly close to the microphone, sometimes across the desk; any microphone."""
        n = len(x)
        H = self.smooth_eq(n, 2.5) + 0j
        m = self.rnd(n) < 0.45
        if m.any():
            H[m] = H[m] * self.room(int(m.sum()), room, 2, 20)
        m = self.rnd(n) < 0.3
        if m.any():
            H[m] = H[m] * self.high_pass(int(m.sum()), 60, 300, 1)
        y = self.filt(x, H)
        return y * rms(x) / rms(y)

    # ---- what both classes go through alike
    def light(self, x, room):
        """Room and microphone for the synthetic-speech task: the same for both classes."""
        n = len(x)
        H = self.smooth_eq(n, 2.5) * (self.rnd(n, 1) < 0.6) + 0j
        H = torch.where(H.abs().sum(1, keepdim=True) == 0, torch.ones_like(H), H)
        m = self.rnd(n) < 0.25
        if m.any():
            H[m] = H[m] * self.room(int(m.sum()), room, 3, 20)
        m = self.rnd(n) < 0.1
        if self.devices is not None and m.any():
            pick = torch.randint(0, len(self.devices), (int(m.sum()),), device=self.dev, generator=self.g)
            H[m] = H[m] * torch.fft.rfft(self.devices[pick], n=NFFT)
        y = self.filt(x, H)
        return y * rms(x) / rms(y)

    def coder(self, x, share=0.3):
        """What coders of few bits leave: weak spectral parts vanish and the rest gets coarse levels (transform coders), or noise that follows the speech in time and
        frequency (linear-prediction coders). Phases are left alone: that is what vocoders do."""
        B, N = x.shape
        k = int(B * share / 2)
        if not k:
            return x
        pick = torch.randperm(B, device=self.dev, generator=self.g)
        y, a, b = x.clone(), pick[:k], pick[k:2 * k]
        win = torch.hann_window(512, device=self.dev)
        S = torch.stft(y[a], 512, 256, window=win, return_complex=True)
        mag = S.abs().clamp_min(1e-3)
        step = self.rand(0.5, 4.0, k, 1, 1) / 8.686
        new = torch.exp(torch.round(mag.log() / step) * step)
        gate = mag.amax(1, keepdim=True) * 10 ** (-self.rand(25, 55, k, 1, 1) / 20)
        new = torch.where(mag > gate, new, new * self.rand(0, 0.3, k, 1, 1))
        y[a] = torch.istft(S * (new / mag), 512, 256, window=win, length=N)
        env = torch.stft(y[b], 512, 256, window=win, return_complex=True).abs()
        env = torch.nn.functional.avg_pool1d(env.transpose(1, 2), 9, 1, 4).transpose(1, 2)
        z = torch.istft(torch.polar(env, self.rand(0, 2 * math.pi, *env.shape)), 512, 256, window=win, length=N)
        y[b] = y[b] + z * (rms(y[b]) / rms(z) * 10 ** (-self.rand(6, 26, k, 1) / 20))
        return y

    def rough(self, x, share=0.25):
        """Damage that has nothing to do with the question: deep notches and peaks, a bent amplitude curve, crackle. For both classes alike."""
        B, N = x.shape
        y = x
        k = int(B * share)
        if k:
            pick = torch.randperm(B, device=self.dev, generator=self.g)
            y = x.clone()
            a, b, c = pick[:k], pick[k // 2:k // 2 + k], pick[-k // 2:]
            y[a] = self.filt(y[a], self.resonances(k, 4, 15, 200, 7800))
            peak = y[b].abs().amax(1, keepdim=True).clamp_min(1)
            u = y[b] / peak
            y[b] = (u + self.rand(-0.3, 0.3, k, 1) * u * u + self.rand(-0.3, 0.3, k, 1) * u ** 3) * peak
            hits = (self.rnd(len(c), N) < 10 ** self.rand(-4, -2.5, len(c), 1)).float()
            y[c] = y[c] * (1 + hits * self.normal(len(c), N) * self.rand(0.2, 1.5, len(c), 1))
        return y

    def line(self, x, p_noise=0.45, p_narrow=0.3, p_limit=0.25, snr=(5, 35)):
        """Noise, band limits, telephone companding, gain, clipping."""
        B, N = x.shape
        y = x
        m = self.rnd(B) < p_noise
        k = int(m.sum())
        if k:
            st = (self.rnd(k) * (len(self.noise) - N - 1)).long()
            z = self.noise[st[:, None] + torch.arange(N, device=self.dev)[None]].float()
            w = self.rnd(k) < 0.5
            kw = int(w.sum())
            if kw:
                sp = torch.fft.rfft(self.normal(kw, 65536))
                ff = torch.arange(32769, device=self.dev).clamp_min(1).float()[None] / 65536 * SR
                z[w] = torch.fft.irfft(sp * (ff / 1000).pow(-self.rand(0, 1.1, kw, 1)))[:, :N] * 1000
            y = y.clone()
            y[m] = y[m] + z * (rms(y[m]) / rms(z) * 10 ** (-self.rand(*snr, k, 1) / 20))
        u = self.rnd(B)
        narrow, limit = u < p_narrow, (u >= p_narrow) & (u < p_narrow + p_limit)
        m = narrow | limit
        k = int(m.sum())
        if k:
            nb = narrow[m][:, None]
            hi = torch.where(nb, self.rand(3300, 4000, k, 1), self.rand(4200, 7900, k, 1))
            lo = torch.where(nb & (self.rnd(k, 1) < 0.6), self.rand(50, 320, k, 1), torch.full((k, 1), -500.0, device=self.dev))
            M = torch.sigmoid((self.f[None] - lo) / 25) * torch.sigmoid((hi - self.f[None]) / 40)
            z = self.filt(y[m], M)
            q = z / z.abs().amax(1, keepdim=True).clamp_min(1) * self.rand(0.1, 1.0, k, 1)
            c = torch.round(torch.sign(q) * torch.log1p(255 * q.abs()) / math.log(256.0) * 127) / 127
            law = torch.sign(c) * (256 ** c.abs() - 1) / 255 * 32768
            z = torch.where(nb & (self.rnd(k, 1) < 0.6), law, z)
            y = y.clone()
            y[m] = z
        pk = y.abs().amax(1, keepdim=True)
        lim = torch.where(self.rnd(B, 1) < 0.04, pk * 0.5, pk)
        y = torch.maximum(torch.minimum(y, lim), -lim)
        y = y / pk.clamp_min(1) * 10 ** (-self.rand(0, 24, B, 1) / 20) * 32000
        return y + (self.rnd(B, N) - 0.5)  # dither: no digital silence
