"""Owns the neural vocoders that are trained for minutes on a GPU of their own, against critics of the kinds that published vocoders are trained against (folded waves, spectra at three
resolutions, distance of features): frames to spectra (Vocos), transposed convolutions with an anti-aliased periodic activation (BigVGAN), sines at the pitch and a short
iSTFT (HiFTNet), and a flow from noise in few steps (diffusion vocoders). What the small ones of neural_vocoders.py share with them comes from there.
"""
import copy
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

from dsp_vocoders import mel_basis, stft
from neural_vocoders import Flow, FlowVocoder, FrameIstft, SourceIstft, Upsampler, Vocoder

MEL_SIZES = ((256, 32), (512, 64), (1024, 80), (2048, 128))
MEL_OF = {"frame-istft": (100, 8000), "snake": (100, 8000)}
MEL_WEIGHT, FEATURE_WEIGHT = 20.0, 2.0
_mels = {}


def mel_distance(y, x):
    """Mean distance of log mel spectra at four resolutions."""
    total = 0.0
    for n, mels in MEL_SIZES:
        key = (n, str(x.device))
        if key not in _mels:
            _mels[key] = mel_basis(n, mels, 20, 8000, x.device)
        a, b = ((_mels[key] @ stft(v, n, n // 4).abs()).clamp_min(1e-3).log() for v in (y, x))
        total = total + (a - b).abs().mean() / len(MEL_SIZES)
    return total


class SmoothSnake(nn.Module):
    """Periodic activation between a step up to twice the rate and one down again, so that what it makes above half the rate does not fold back."""

    def __init__(self, c, taps=12):
        super().__init__()
        self.a = nn.Parameter(torch.ones(c, 1))
        t = torch.arange(taps) - (taps - 1) / 2
        h = torch.sinc(t / 2) * torch.kaiser_window(taps, periodic=False, beta=4.7)
        self.register_buffer("fir", (h / h.sum())[None, None].repeat(c, 1, 1))
        self.taps = taps

    def forward(self, x):
        c, n = x.shape[1], x.shape[2]
        fir = self.fir.to(x.dtype)
        up = 2 * F.conv_transpose1d(x, fir, stride=2, groups=c)[:, :, self.taps // 2 - 1:][:, :, : 2 * n]
        a = self.a.abs() + 0.05
        up = (up + torch.sin(a * up).pow(2) / a).to(x.dtype)
        return F.conv1d(F.pad(up, (self.taps // 2 - 1, self.taps // 2), mode="replicate"), fir, stride=2, groups=c)


def smooth_upsampler():
    """BigVGAN's kind: the last two stages, where folding would be heard, have the anti-aliased activation."""
    net = Upsampler(inputs=100, c=384, rates=(8, 4, 4, 2), snake=True)
    for blocks in net.res[2:]:
        for block in blocks:
            block.acts = nn.ModuleList([SmoothSnake(conv.in_channels) for conv in block.convs])
    return net


class Critics(nn.Module):
    """Waves folded at five periods and spectra at three resolutions: [what each says], [what each saw on the way]."""

    def __init__(self, periods=(2, 3, 5, 7, 11), sizes=(512, 1024, 2048), c=24, widths=(16, 64, 128, 256)):
        super().__init__()
        self.periods, self.sizes = periods, sizes
        ins = (1, *widths[:-1])
        self.folded = nn.ModuleList([nn.ModuleList([nn.Conv2d(i, o, (5, 1), (3, 1), (2, 0)) for i, o in zip(ins, widths)] + [nn.Conv2d(widths[-1], 1, (3, 1), padding=(1, 0))]) for _ in periods])
        self.spectral = nn.ModuleList([nn.ModuleList([nn.Conv2d(2, c, (3, 9), (1, 2), (1, 4)), nn.Conv2d(c, c, (3, 9), (1, 2), (1, 4)), nn.Conv2d(c, c, (3, 9), (1, 2), (1, 4)),
                                                      nn.Conv2d(c, c, 3, padding=1), nn.Conv2d(c, 1, 3, padding=1)]) for _ in sizes])

    def views(self, x):
        for p in self.periods:
            yield F.pad(x[:, None], (0, (-x.shape[1]) % p), mode="reflect")[:, 0].reshape(len(x), 1, -1, p)
        for n in self.sizes:
            X = stft(x, n, n // 4)
            m = X.abs().clamp_min(1e-4)
            yield torch.view_as_real(X / m.sqrt()).permute(0, 3, 2, 1)

    def forward(self, x):
        said, seen = [], []
        for h, layers in zip(self.views(x), [*self.folded, *self.spectral]):
            for layer in layers[:-1]:
                h = F.leaky_relu(layer(h), 0.1)
                seen.append(h)
            said.append(layers[-1](h))
        return said, seen


FAMILIES = {
    "frame-istft": lambda: FrameIstft(c=512, depth=8, inputs=100), "snake": smooth_upsampler, "source-istft": lambda: SourceIstft(c=256),
}


class GrownVocoder(Vocoder):
    """A generator, its running average (which makes the copies), its critics and both optimisers."""

    def __init__(self, family, device, lr=5e-4):
        self.family, self.device, self.steps, self.skipped = family, device, 0, 0
        self.trained, self.critics = FAMILIES[family]().to(device), Critics().to(device)
        self.gen = self.trained
        self.smooth = copy.deepcopy(self.trained).eval()
        self.og = torch.optim.AdamW(self.trained.parameters(), lr, betas=(0.8, 0.99))
        self.od = torch.optim.AdamW(self.critics.parameters(), lr, betas=(0.8, 0.99))

    def cast(self):
        return torch.autocast(self.device, dtype=torch.bfloat16, enabled=self.device == "cuda" and not self.exact)

    def rate(self, lr):
        self.og.param_groups[0]["lr"], self.od.param_groups[0]["lr"] = lr, lr / 2

    def mels(self):
        return MEL_OF.get(self.family)

    def step(self, x, adversarial):
        self.gen = self.trained
        y = self.synth(x).float()
        loss = MEL_WEIGHT * mel_distance(y, x) + getattr(self.gen, "extra", 0.0)
        heard = loss.detach()
        if adversarial:
            with self.cast():
                (real, seen), (fake, _) = self.critics(x), self.critics(y.detach())
                d = sum((1 - r.float()).pow(2).mean() + f.float().pow(2).mean() for r, f in zip(real, fake))
            self.od.zero_grad(set_to_none=True)
            d.backward()
            self.od.step()
            with self.cast():
                fake, mine = self.critics(y)
                loss = loss + sum((1 - f.float()).pow(2).mean() for f in fake) + FEATURE_WEIGHT * sum((a.float() - b.detach().float()).abs().mean() for a, b in zip(mine, seen))
        params = list(self.trained.parameters())
        for p, g in zip(params, torch.autograd.grad(loss, params, allow_unused=True)):
            p.grad = g
        if torch.isfinite(torch.nn.utils.clip_grad_norm_(params, 10.0)):
            self.og.step()
        else:
            self.skipped += 1
        self.steps += 1
        with torch.no_grad():
            share = 0.02 if self.steps > 100 else 0.2
            torch._foreach_lerp_(list(self.smooth.parameters()), params, share)
        return heard

    def copy(self, x, rng=random):
        self.gen = self.smooth
        return super().copy(x, rng)

    def weights(self):
        return {k: v.half().cpu() for k, v in self.smooth.state_dict().items() if v.dtype == torch.float32}


class GrownFlow(FlowVocoder):
    """The flow, larger, asked for its copies in three to thirty steps: diffusion vocoders are sold by how few they need."""

    def __init__(self, device, lr=6e-4):
        super().__init__(device, lr)
        self.gen, self.steps, self.skipped = Flow(c=512, depth=10).to(device), 0, 0
        self.og = torch.optim.AdamW(self.gen.parameters(), lr)

    def rate(self, lr):
        self.og.param_groups[0]["lr"] = lr

    def step(self, x, adversarial):
        self.steps += 1
        return super().step(x, adversarial)

    def copy(self, x, rng=random):
        return super().copy(x, rng, steps=rng.choice((3, 5, 8, 16, 30)))

    def weights(self):
        return {k: v.half().cpu() for k, v in self.gen.state_dict().items() if v.dtype == torch.float32}


def grow(family, device):
    return GrownFlow(device) if family == "flow" else GrownVocoder(family, device)
