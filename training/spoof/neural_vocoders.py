"""Owns copy-synthesis by small neural vocoders that we train ourselves for some minutes on bona fide speech.

Seven families, because each leaves its own traces: an iSTFT head on frame features (Vocos-like), transposed convolutions (HiFi-GAN-like), the same with
repeated samples, transposed convolutions followed by a short iSTFT (iSTFTNet-like), the same driven by sines at the pitch (neural source-filter),
a quantised convolutional autoencoder (neural-codec-like), and speech put together again from few quantised tokens (as token language models do).
"""
import math
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

from dsp_vocoders import SR, mel_basis, pitch, smooth, stft

HOP, N_FFT, MELS = 256, 1024, 80
_bases = {}


def log_mel(x, mels=MELS, hi=8000):
    """x in [-1, 1] -> [B, mels, T] with T = N / 256."""
    key = (mels, hi, str(x.device))
    if key not in _bases:
        _bases[key] = mel_basis(N_FFT, mels, 20, hi, x.device)
    mag = stft(x, N_FFT, HOP).abs()[:, :, : x.shape[1] // HOP]
    return (_bases[key] @ mag).clamp_min(1e-5).log()


class ConvNext(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.dw, self.norm = nn.Conv1d(c, c, 7, padding=3, groups=c), nn.GroupNorm(1, c)
        self.a, self.b = nn.Conv1d(c, 3 * c, 1), nn.Conv1d(3 * c, c, 1)
        self.gamma = nn.Parameter(0.2 * torch.ones(c, 1))

    def forward(self, x):
        return x + self.gamma * self.b(F.gelu(self.a(self.norm(self.dw(x)))))


class FrameIstft(nn.Module):
    def __init__(self, c=320, depth=6, inputs=MELS):
        super().__init__()
        self.pre = nn.Conv1d(inputs, c, 7, padding=3)
        self.body = nn.Sequential(*[ConvNext(c) for _ in range(depth)])
        self.head = nn.Conv1d(c, N_FFT + 2, 1)
        self.register_buffer("win", torch.hann_window(N_FFT))

    def forward(self, mel, length):
        h = self.head(self.body(self.pre(mel))).float()
        mag, phi = h.chunk(2, 1)
        X = mag.clamp(-12, 5).exp() * torch.exp(1j * phi)
        return torch.istft(F.pad(X, (0, 1)), N_FFT, HOP, window=self.win, length=length)


class Snake(nn.Module):
    """Periodic activation with a frequency per channel, as BigVGAN has it."""

    def __init__(self, c):
        super().__init__()
        self.a = nn.Parameter(torch.ones(c, 1))

    def forward(self, x):
        a = self.a.abs() + 0.05
        return x + torch.sin(a * x).pow(2) / a


class Res(nn.Module):
    def __init__(self, c, k, snake=False):
        super().__init__()
        self.convs = nn.ModuleList([nn.Conv1d(c, c, k, dilation=d, padding=d * (k - 1) // 2) for d in (1, 3, 5)])
        self.acts = nn.ModuleList([Snake(c) if snake else nn.LeakyReLU(0.1) for _ in self.convs])

    def forward(self, x):
        for conv, act in zip(self.convs, self.acts):
            x = x + conv(act(x))
        return x


class Upsampler(nn.Module):
    """Transposed convolutions; with `istft` the last factor comes from a 16-point iSTFT, with `nearest` from repeated samples."""

    def __init__(self, inputs=MELS, c=192, rates=(8, 8, 2, 2), short_istft=False, nearest=False, snake=False):
        super().__init__()
        self.short = short_istft
        rates = (8, 8) if short_istft else rates
        self.pre, self.ups, self.res, self.nearest = nn.Conv1d(inputs, c, 7, padding=3), nn.ModuleList(), nn.ModuleList(), nearest
        self.rates = rates
        for r in rates:
            o = max(c // 2, 24)
            self.ups.append(nn.Conv1d(c, o, 2 * r + 1, padding=r) if nearest else nn.ConvTranspose1d(c, o, 2 * r, r, padding=r // 2))
            self.res.append(nn.ModuleList([Res(o, 3, snake), Res(o, 7, snake)]))
            c = o
        self.post = nn.Conv1d(c, 18 if short_istft else 1, 7, padding=3)
        self.register_buffer("win", torch.hann_window(16))

    def forward(self, mel, length):
        x = self.pre(mel)
        for r, up, res in zip(self.rates, self.ups, self.res):
            x = F.leaky_relu(x, 0.1)
            x = up(F.interpolate(x, scale_factor=float(r), mode="nearest")) if self.nearest else up(x)
            x = sum(b(x) for b in res) / len(res)
        x = self.post(F.leaky_relu(x, 0.1)).float()
        if not self.short:
            return torch.tanh(x[:, 0])[:, :length]
        mag, phi = x.chunk(2, 1)
        return torch.istft(F.pad(mag.clamp(-12, 4).exp() * torch.exp(1j * phi), (0, 1)), 16, 4, window=self.win, length=length)


class Codec(nn.Module):
    """Wave -> strided convolutions -> finite scalar quantisation -> transposed convolutions. Takes the wave instead of the mel."""

    def __init__(self, c=24, levels=5, dims=24):
        super().__init__()
        layers, i = [nn.Conv1d(1, c, 7, padding=3)], c
        for r in (2, 4, 5, 8):
            layers += [nn.LeakyReLU(0.1), Res(i, 3), nn.Conv1d(i, min(2 * i, 192), 2 * r, r, padding=r // 2 + (r % 2))]
            i = min(2 * i, 192)
        self.enc, self.half = nn.Sequential(*layers, nn.LeakyReLU(0.1), nn.Conv1d(i, dims, 3, padding=1)), (levels - 1) / 2
        self.dec = Upsampler(dims, 192, (8, 5, 4, 2))
        # odd factors need one output sample fewer on a side; exact length is restored in forward
        self.dec.ups[1] = nn.ConvTranspose1d(96, 48, 10, 5, padding=3, output_padding=1)

    def forward(self, wave, length):
        z = torch.tanh(self.enc(wave[:, None]).float()) * self.half
        z = z + (torch.round(z) - z).detach()
        y = self.dec(z, length + 512)
        return F.pad(y, (0, max(0, length - y.shape[1])))[:, :length]


class SourceIstft(nn.Module):
    """Transposed convolutions to a quarter of the rate, where sines at multiples of the pitch and noise come in, then a short iSTFT."""

    def __init__(self, c=224, sines=8):
        super().__init__()
        self.up, self.sines = Upsampler(c=c, short_istft=True), sines
        last = self.up.post.in_channels
        self.source, self.mix = nn.Conv1d(sines + 1, last, 15, 4, padding=7), Res(last, 7)

    def forward(self, cond, length):
        mel, f0, voicing = cond
        lift = lambda a: F.interpolate(a[:, None], size=length, mode="linear", align_corners=False)[:, 0]
        f, v = lift(f0), (lift(voicing) > 0.5).float()
        phase = 2 * math.pi * torch.cumsum(f / SR, 1)
        waves = [torch.sin(h * phase) * v * (f * h < 7900) * 0.3 for h in range(1, self.sines + 1)]
        e = self.source(torch.stack(waves + [torch.randn_like(f) * (0.03 + 0.1 * (1 - v))], 1))
        x = self.up.pre(mel)
        for k, (up, res) in enumerate(zip(self.up.ups, self.up.res)):
            x = up(F.leaky_relu(x, 0.1))
            if k == len(self.up.ups) - 1:
                x = x + e[:, :, : x.shape[2]]
            x = sum(b(x) for b in res) / len(res)
        x = self.up.post(F.leaky_relu(self.mix(x), 0.1)).float()
        mag, phi = x.chunk(2, 1)
        return torch.istft(F.pad(mag.clamp(-12, 4).exp() * torch.exp(1j * phi), (0, 1)), 16, 4, window=self.up.win, length=length)


class Tokens(nn.Module):
    """Mel frames -> few quantised numbers every 32 ms -> frames -> iSTFT head: what is left when speech passes through tokens."""

    def __init__(self, c=256, dims=12, levels=5):
        super().__init__()
        self.enc = nn.Sequential(nn.Conv1d(MELS, c, 5, padding=2), ConvNext(c), nn.Conv1d(c, c, 4, 2, padding=1), ConvNext(c), nn.Conv1d(c, dims, 1))
        self.half, self.dec, self.head = (levels - 1) / 2, nn.Sequential(nn.Conv1d(dims, c, 3, padding=1), ConvNext(c), ConvNext(c)), FrameIstft(inputs=c)

    def forward(self, mel, length):
        T = mel.shape[2]
        z = torch.tanh(self.enc(F.pad(mel, (0, T % 2))).float()) * self.half
        z = z + (torch.round(z) - z).detach()
        return self.head(F.interpolate(self.dec(z), scale_factor=2.0, mode="nearest")[:, :, :T], length)


class Critic(nn.Module):
    """Spectrogram critics at three resolutions and, with `periods`, critics that fold the wave at these periods."""

    def __init__(self, sizes=(256, 512, 1024), c=24, periods=()):
        super().__init__()
        self.sizes, self.periods = sizes, periods
        self.folded = nn.ModuleList([nn.ModuleList([nn.Conv2d(i, o, (5, 1), (3, 1), (2, 0)) for i, o in ((1, 16), (16, 48), (48, 96))] + [nn.Conv2d(96, 1, (3, 1), padding=(1, 0))]) for _ in periods])
        self.nets = nn.ModuleList([nn.ModuleList([nn.Conv2d(2, c, (3, 7), padding=(1, 3)), nn.Conv2d(c, c, (3, 7), (1, 2), (1, 3)), nn.Conv2d(c, c, (3, 7), (1, 2), (1, 3)),
                                                  nn.Conv2d(c, 1, 3, padding=1)]) for _ in sizes])

    def forward(self, x):
        outs, feats = [], []
        for n, layers in zip(self.sizes, self.nets):
            X = torch.stft(x, n, n // 4, window=torch.hann_window(n, device=x.device), return_complex=True)
            h = torch.view_as_real(X / X.abs().clamp_min(1e-5) * X.abs().clamp_min(1e-5).pow(0.5)).permute(0, 3, 2, 1)
            for i, layer in enumerate(layers):
                h = layer(h)
                if i < len(layers) - 1:
                    h = F.leaky_relu(h, 0.1)
                    feats.append(h)
            outs.append(h)
        for p, layers in zip(self.periods, self.folded):
            h = F.pad(x, (0, (-x.shape[1]) % p), mode="reflect").reshape(len(x), 1, -1, p)
            for i, layer in enumerate(layers):
                h = layer(h)
                if i < len(layers) - 1:
                    h = F.leaky_relu(h, 0.1)
                    feats.append(h)
            outs.append(h)
        return outs, feats


def stretch(x, length):
    """Band-limited change of rate: x as if it had `length` samples."""
    X = torch.fft.rfft(x)
    bins = length // 2 + 1
    X = F.pad(X, (0, bins - X.shape[1])) if bins > X.shape[1] else X[:, :bins]
    return torch.fft.irfft(X, n=length) * (length / x.shape[1])


def refine(x, y, rng):
    """A young vocoder's copy y of x made as good as a grown one's: magnitudes mostly of the original with the copy's phases, or the copy in one band only."""
    n = rng.choice([512, 1024])
    X, Y = stft(x, n, n // 4), stft(y, n, n // 4)
    if rng.random() < 0.7:
        a = rng.uniform(0.5, 1.0)
        Z = X.abs().clamp_min(1e-3) ** a * Y.abs().clamp_min(1e-3) ** (1 - a) * torch.exp(1j * Y.angle())
    else:
        f = torch.arange(X.shape[1], device=x.device)[None, :, None] * SR / n
        up = torch.sigmoid((f - rng.uniform(1500, 5500)) / 150)
        up = up if rng.random() < 0.7 else 1 - up
        Z = X * (1 - up) + Y * up
    return torch.istft(Z, n, n // 4, window=torch.hann_window(n, device=x.device), length=x.shape[1])


def spectral_loss(y, x):
    loss = 0.0
    for n in (256, 512, 1024, 2048):
        a, b = (torch.stft(v, n, n // 4, window=torch.hann_window(n, device=v.device), return_complex=True).abs().clamp_min(1e-5) for v in (y, x))
        loss = loss + (a.log() - b.log()).abs().mean() + (a - b).norm() / b.norm().clamp_min(1e-3)
    return loss + 3 * (log_mel(y) - log_mel(x)).abs().mean()


FAMILIES = {
    "frame-istft": lambda: FrameIstft(inputs=100), "upsample": lambda: Upsampler(), "short-istft": lambda: Upsampler(c=256, short_istft=True),
    "codec": lambda: Codec(), "nearest": lambda: Upsampler(inputs=64, c=128, nearest=True), "source-istft": lambda: SourceIstft(), "tokens": lambda: Tokens(),
    "snake": lambda: Upsampler(inputs=100, c=256, rates=(4, 4, 4, 4), snake=True),
}
MEL_OF = {"frame-istft": (100, 8000), "nearest": (64, 7600), "snake": (100, 8000)}
# The newer training (copies.py): copies as if at these rates, and period critics for those that make the wave by convolutions.
PLAY_RATES = (16000, 16000, 22050, 24000)
FOLDED = {"upsample", "snake", "source-istft", "short-istft"}


class Vocoder:
    """One generator with its critic and optimisers. `exact`: in 32 bits, as published vocoders are run; what 16 bits of brain float leave in a copy is no vocoder's trace."""

    exact = False

    def __init__(self, family, device, lr=6e-4):
        self.family, self.device = family, device
        self.gen, self.critic = FAMILIES[family]().to(device), Critic(periods=(2, 3, 5, 7) if family in FOLDED else ()).to(device)
        self.og = torch.optim.AdamW(self.gen.parameters(), lr, betas=(0.8, 0.99))
        self.od = torch.optim.AdamW(self.critic.parameters(), lr / 2, betas=(0.8, 0.99))
        self.steps = 0

    def mels(self):
        """Number of mel bands and their upper end, where they are not the usual ones."""
        return MEL_OF.get(self.family)

    def condition(self, x, blur=None):
        """What the generator is told about x; `blur` makes the mel as vague as an acoustic model would."""
        if self.family == "codec":
            return x
        mel = log_mel(x, *(self.mels() or (MELS, 8000)))
        mel = mel if blur is None else smooth(mel, blur)
        if self.family != "source-istft":
            return mel
        with torch.no_grad():
            f0, voicing = pitch(x * 30000, HOP)
        return mel, f0[:, : mel.shape[2]], voicing[:, : mel.shape[2]]

    def synth(self, x, cond=None):
        cond = self.condition(x) if cond is None else cond
        with torch.autocast(self.device, dtype=torch.bfloat16, enabled=self.device == "cuda" and not self.exact):
            return self.gen(cond, x.shape[1])

    def step(self, x, adversarial):
        y = self.synth(x)
        loss = spectral_loss(y, x)
        if adversarial:
            with torch.autocast(self.device, dtype=torch.bfloat16, enabled=self.device == "cuda"):
                real, feats_real = self.critic(x)
                fake, _ = self.critic(y.detach())
                d = sum(F.relu(1 - r.float()).mean() + F.relu(1 + f.float()).mean() for r, f in zip(real, fake))
            self.od.zero_grad(set_to_none=True)
            d.backward()
            self.od.step()
            with torch.autocast(self.device, dtype=torch.bfloat16, enabled=self.device == "cuda"):
                fake, feats = self.critic(y)
                loss = loss + sum(-f.float().mean() for f in fake) * 0.5 + sum((a.float() - b.float().detach()).abs().mean() for a, b in zip(feats, feats_real))
        self.og.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.gen.parameters(), 5.0)
        self.og.step()
        self.steps += 1
        return loss.detach()

    @torch.no_grad()
    def copy(self, x, rng=random):
        """x: [B, N] int16 scale -> vocoded, same scale and level. The mel is sometimes blurred, as a text-to-speech model would."""
        peak = x.abs().amax(1, keepdim=True).clamp_min(1)
        u = x / peak * 0.7
        pad = (-u.shape[1]) % 1280
        u = F.pad(u, (0, pad))
        y = torch.nan_to_num(self.synth(u, self.condition(u, rng if rng.random() < 0.4 else None)).float())[:, : x.shape[1]]
        level = lambda a: a.pow(2).mean(1, keepdim=True).sqrt().clamp_min(1e-4)
        return (y * level(x) / level(y)).clamp(-32768, 32767)


class Flow(nn.Module):
    """Conditional flow matching: from noise to the compressed complex spectrum in a few steps, told the mel and the time. No critic, no sines."""

    def __init__(self, c=384, depth=8, n=512, hop=128):
        super().__init__()
        self.n, self.hop, bins = n, hop, n // 2 + 1
        self.pre, self.time = nn.Conv1d(2 * bins + MELS, c, 5, padding=2), nn.Linear(32, c)
        self.body, self.post = nn.ModuleList([ConvNext(c) for _ in range(depth)]), nn.Conv1d(c, 2 * bins, 1)

    def spectrum(self, x):
        X = stft(x, self.n, self.hop)
        X = X / X.abs().clamp_min(1e-5).sqrt() * 0.8
        return torch.cat([X.real, X.imag], 1)

    def wave(self, z, length):
        X = torch.complex(*z.float().chunk(2, 1)) / 0.8
        return torch.istft(X * X.abs(), self.n, self.hop, window=torch.hann_window(self.n, device=z.device), length=length)

    def speed(self, z, mel, t):
        e = t[:, None] * 3.14 * torch.arange(1, 17, device=z.device)[None]
        h = self.pre(torch.cat([z, mel], 1)) + self.time(torch.cat([e.sin(), e.cos()], 1))[:, :, None]
        for b in self.body:
            h = b(h)
        return self.post(h)


class FlowVocoder:
    """The same handles as Vocoder. Its copies are for judging alone."""

    def __init__(self, device, lr=6e-4):
        self.family, self.device, self.gen = "flow", device, Flow().to(device)
        self.og = torch.optim.AdamW(self.gen.parameters(), lr)
        self.od = self.og

    def mel(self, x, frames):
        return F.interpolate((log_mel(x) + 4) / 3, size=frames, mode="linear")

    def step(self, x, adversarial):
        z = self.gen.spectrum(x)
        noise, t = torch.randn_like(z), torch.rand(len(x), device=self.device)
        s = t[:, None, None]
        with torch.autocast(self.device, dtype=torch.bfloat16, enabled=self.device == "cuda"):
            v = self.gen.speed((1 - s) * noise + s * z, self.mel(x, z.shape[2]), t)
        loss = (v.float() - (z - noise)).pow(2).mean()
        self.og.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.gen.parameters(), 1.0)
        self.og.step()
        return loss.detach()

    @torch.no_grad()
    def copy(self, x, rng=random, steps=16):
        u = x / x.abs().amax(1, keepdim=True).clamp_min(1) * 0.7
        u = F.pad(u, (0, (-u.shape[1]) % 1280))
        shape = self.gen.spectrum(u).shape
        z, mel = torch.randn(shape, device=self.device), self.mel(u, shape[2])
        for k in range(steps):
            z = z + self.gen.speed(z, mel, torch.full((len(u),), k / steps, device=self.device)) / steps
        y = torch.nan_to_num(self.gen.wave(z, u.shape[1]))[:, : x.shape[1]]
        level = lambda a: a.pow(2).mean(1, keepdim=True).sqrt().clamp_min(1e-4)
        return (y * level(x) / level(y)).clamp(-32768, 32767)


def make_vocoder(family, device):
    return FlowVocoder(device) if family == "flow" else Vocoder(family, device)
