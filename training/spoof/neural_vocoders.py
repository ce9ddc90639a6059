"""Owns copy-synthesis by small neural vocoders that we train ourselves for a minute or two on bona fide speech.

Four families, because each leaves its own traces: an iSTFT head on frame features (Vocos-like), transposed convolutions (HiFi-GAN-like),
transposed convolutions followed by a short iSTFT (iSTFTNet-like), and a quantised convolutional autoencoder (neural-codec-like).
"""
import math
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

from dsp_vocoders import SR, mel_basis, smooth, stft

HOP, N_FFT, MELS = 256, 1024, 80


def log_mel(x):
    """x in [-1, 1] -> [B, 80, T] with T = N / 256."""
    mel = mel_basis(N_FFT, MELS, 20, 8000, x.device)
    mag = stft(x, N_FFT, HOP).abs()[:, :, : x.shape[1] // HOP]
    return (mel @ mag).clamp_min(1e-5).log()


class ConvNext(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.dw, self.norm = nn.Conv1d(c, c, 7, padding=3, groups=c), nn.GroupNorm(1, c)
        self.a, self.b = nn.Conv1d(c, 3 * c, 1), nn.Conv1d(3 * c, c, 1)
        self.gamma = nn.Parameter(0.2 * torch.ones(c, 1))

    def forward(self, x):
        return x + self.gamma * self.b(F.gelu(self.a(self.norm(self.dw(x)))))


class FrameIstft(nn.Module):
    def __init__(self, c=320, depth=6):
        super().__init__()
        self.pre = nn.Conv1d(MELS, c, 7, padding=3)
        self.body = nn.Sequential(*[ConvNext(c) for _ in range(depth)])
        self.head = nn.Conv1d(c, N_FFT + 2, 1)
        self.register_buffer("win", torch.hann_window(N_FFT))

    def forward(self, mel, length):
        h = self.head(self.body(self.pre(mel))).float()
        mag, phi = h.chunk(2, 1)
        X = mag.clamp(-12, 5).exp() * torch.exp(1j * phi)
        return torch.istft(F.pad(X, (0, 1)), N_FFT, HOP, window=self.win, length=length)


class Res(nn.Module):
    def __init__(self, c, k):
        super().__init__()
        self.convs = nn.ModuleList([nn.Conv1d(c, c, k, dilation=d, padding=d * (k - 1) // 2) for d in (1, 3, 5)])

    def forward(self, x):
        for conv in self.convs:
            x = x + conv(F.leaky_relu(x, 0.1))
        return x


class Upsampler(nn.Module):
    """Transposed convolutions; with `istft` the last factor comes from a 16-point iSTFT, with `nearest` from repeated samples."""

    def __init__(self, inputs=MELS, c=192, rates=(8, 8, 2, 2), short_istft=False, nearest=False):
        super().__init__()
        self.short = short_istft
        rates = (8, 8) if short_istft else rates
        self.pre, self.ups, self.res, self.nearest = nn.Conv1d(inputs, c, 7, padding=3), nn.ModuleList(), nn.ModuleList(), nearest
        self.rates = rates
        for r in rates:
            o = max(c // 2, 24)
            self.ups.append(nn.Conv1d(c, o, 2 * r + 1, padding=r) if nearest else nn.ConvTranspose1d(c, o, 2 * r, r, padding=r // 2))
            self.res.append(nn.ModuleList([Res(o, 3), Res(o, 7)]))
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


class Critic(nn.Module):
    """Spectrogram critics at three resolutions."""

    def __init__(self, sizes=(256, 512, 1024), c=24):
        super().__init__()
        self.sizes = sizes
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
        return outs, feats


def spectral_loss(y, x):
    loss = 0.0
    for n in (256, 512, 1024, 2048):
        a, b = (torch.stft(v, n, n // 4, window=torch.hann_window(n, device=v.device), return_complex=True).abs().clamp_min(1e-5) for v in (y, x))
        loss = loss + (a.log() - b.log()).abs().mean() + (a - b).norm() / b.norm().clamp_min(1e-3)
    return loss + 3 * (log_mel(y) - log_mel(x)).abs().mean()


FAMILIES = {
    "frame-istft": lambda: FrameIstft(), "upsample": lambda: Upsampler(), "short-istft": lambda: Upsampler(c=256, short_istft=True),
    "codec": lambda: Codec(), "nearest": lambda: Upsampler(c=128, nearest=True),
}


class Vocoder:
    """One generator with its critic and optimisers."""

    def __init__(self, family, device, lr=6e-4):
        self.family, self.device = family, device
        self.gen, self.critic = FAMILIES[family]().to(device), Critic().to(device)
        self.og = torch.optim.AdamW(self.gen.parameters(), lr, betas=(0.8, 0.99))
        self.od = torch.optim.AdamW(self.critic.parameters(), lr / 2, betas=(0.8, 0.99))
        self.steps = 0

    def synth(self, x, source=None):
        cond = x if self.family == "codec" else (log_mel(x) if source is None else source)
        with torch.autocast("cuda", dtype=torch.bfloat16, enabled=self.device == "cuda"):
            return self.gen(cond, x.shape[1])

    def step(self, x, adversarial):
        y = self.synth(x)
        loss = spectral_loss(y, x)
        if adversarial:
            with torch.autocast("cuda", dtype=torch.bfloat16, enabled=self.device == "cuda"):
                real, feats_real = self.critic(x)
                fake, _ = self.critic(y.detach())
                d = sum(F.relu(1 - r.float()).mean() + F.relu(1 + f.float()).mean() for r, f in zip(real, fake))
            self.od.zero_grad(set_to_none=True)
            d.backward()
            self.od.step()
            with torch.autocast("cuda", dtype=torch.bfloat16, enabled=self.device == "cuda"):
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
        mel = None
        if self.family != "codec":
            mel = log_mel(u)
            if rng.random() < 0.4:
                mel = smooth(mel, rng)
        y = torch.nan_to_num(self.synth(u, mel).float())[:, : x.shape[1]]
        level = lambda a: a.pow(2).mean(1, keepdim=True).sqrt().clamp_min(1e-4)
        return (y * level(x) / level(y)).clamp(-32768, 32767)
