"""Owns vocoders whose finished weights others publish (Apache-2.0, one speaker each): HiFi-GAN V3 and Parallel WaveGAN, as they are, and trained on over many speakers against critics.

A folder WEIGHTS holds hifigan_v3_ljspeech.npz, parallel_wavegan_ljspeech.npz and pwg_stats_librispeech.npz (mean and deviation of each band).
"""
import copy
import math

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from dsp_vocoders import smooth
from grown_vocoders import Critics, GrownVocoder
from neural_vocoders import Snake

SR, N_FFT, HOP = 22050, 1024, 256
# family: (kind, bands, lowest, highest frequency, trained on)
PUBLISHED = {
    "hifigan": ("hifigan", 80, 0, 8000, False), "hifigan-many": ("hifigan", 80, 0, 8000, True), "hifigan-snake": ("snake", 100, 0, 8000, True),
    "pwg": ("pwg", 80, 80, 7600, False), "pwg-many": ("pwg", 80, 80, 7600, True),
}
RATES = (22050, 22050, 24000, 20000, 16000)  # of the recording as the vocoder gets it
_bases = {}


def slaney(bands, lo, hi, device):
    """Triangles on Slaney's scale, each of unit area, [bands, bins]."""
    knee, step = 15.0, math.log(6.4) / 27
    to_mel = lambda f: f * 3 / 200 if f < 1000 else knee + math.log(f / 1000) / step
    mel = torch.linspace(to_mel(lo), to_mel(hi), bands + 2, dtype=torch.float64)
    edge = torch.where(mel < knee, mel * 200 / 3, 1000 * torch.exp((mel - knee) * step))
    ramp = edge[:, None] - torch.linspace(0, SR / 2, N_FFT // 2 + 1, dtype=torch.float64)[None]
    wide = edge.diff()
    up, down = -ramp[:-2] / wide[:-1, None], ramp[2:] / wide[1:, None]
    return (torch.minimum(up, down).clamp_min(0) * (2 / (edge[2:] - edge[:-2]))[:, None]).float().to(device)


class HifiGan(nn.Module):
    """V3. `snake`: periodic activations and another number of bands; it starts from the same weights where they fit."""

    def __init__(self, z, bands=80, snake=False):
        super().__init__()
        value = lambda n: torch.from_numpy(z[n].astype(np.float32))
        self.pre, self.post = nn.Conv1d(bands, 256, 7, padding=3), nn.Conv1d(32, 1, 7, padding=3)
        self.ups, self.res, self.acts = nn.ModuleList(), nn.ModuleList(), nn.ModuleList()
        take = lambda m, n: (m.weight.data.copy_(value(n + ".weight")), m.bias.data.copy_(value(n + ".bias")))
        for k, (stride, width) in enumerate(((8, 16), (8, 16), (4, 8))):
            i, o = 256 >> k, 128 >> k
            self.ups.append(nn.ConvTranspose1d(i, o, width, stride, padding=(width - stride) // 2))
            take(self.ups[k], f"ups.{k}")
            for j, (taps, dilations) in enumerate(((3, (1, 2)), (5, (2, 6)), (7, (3, 12)))):
                convs = nn.ModuleList([nn.Conv1d(o, o, taps, dilation=d, padding=d * (taps - 1) // 2) for d in dilations])
                for n, c in enumerate(convs):
                    take(c, f"resblocks.{3 * k + j}.convs.{n}")
                self.res.append(convs)
                self.acts.append(nn.ModuleList([Snake(o) if snake else nn.LeakyReLU(0.1) for _ in dilations]))
        if bands == 80:
            take(self.pre, "conv_pre")
        take(self.post, "conv_post")

    def forward(self, mel, length):
        x = self.pre(mel)
        for k, up in enumerate(self.ups):
            x = up(F.leaky_relu(x, 0.1))
            total = 0.0
            for convs, acts in zip(self.res[3 * k:3 * k + 3], self.acts[3 * k:3 * k + 3]):
                h = x
                for conv, act in zip(convs, acts):
                    h = h + conv(act(h))
                total = total + h
            x = total / 3
        return torch.tanh(self.post(F.leaky_relu(x, 0.01)).float()[:, 0])[:, :length]


class WaveGan(nn.Module):
    """Parallel WaveGAN: noise through 30 gated layers that the mel steers."""

    def __init__(self, z):
        super().__init__()
        names = list(z)
        value = lambda n: torch.from_numpy(z[n].astype(np.float32))

        def conv(prefix, dilation=1):
            kernel = value(next(n for n in names if n.startswith(prefix + "/") and "ExpandDims" in n)).permute(2, 1, 0)
            bias = [n for n in names if n.startswith(prefix + "/BiasAdd")]
            c = nn.Conv1d(kernel.shape[1], kernel.shape[0], kernel.shape[2], dilation=dilation, padding=dilation * (kernel.shape[2] - 1) // 2, bias=bool(bias))
            c.weight.data.copy_(kernel)
            if bias:
                c.bias.data.copy_(value(bias[0]))
            return c
        up = "tf_conv_in_upsample_net_work/"
        self.context, self.first = conv(up + "conv_in"), conv("first_convolution")
        self.smoothing = nn.ParameterList([nn.Parameter(value(f"{up}upsample_network/conv2d{e}/Conv2D/ReadVariableOp").reshape(1, 1, 1, 9)) for e in ("", "_1", "_2", "_3")])
        self.gates, self.aux, self.out, self.skip = (nn.ModuleList() for _ in range(4))
        for k in range(30):
            block = f"residual_block_._{k}/"
            self.gates.append(conv(block + ("tf_conv1d" if not k else f"tf_conv1d_{k}"), 1 << k % 10))
            self.aux.append(conv(block + "conv1x1_aux")), self.out.append(conv(block + "conv1x1_out")), self.skip.append(conv(block + "conv1x1_skip"))
        self.last = nn.ModuleList([conv("tf_conv1d1x1"), conv("tf_conv1d1x1_1")])

    def forward(self, mel, length):
        c = self.context(mel)
        for w in self.smoothing:
            c = F.conv2d(c.repeat_interleave(4, 2)[:, None], w, padding=(0, 4))[:, 0]
        x, total = self.first(torch.randn(len(mel), 1, c.shape[2], device=mel.device)), 0.0
        for gate, aux, out, skip in zip(self.gates, self.aux, self.out, self.skip):
            a, b = (gate(x) + aux(c)).chunk(2, 1)
            h = torch.tanh(a) * torch.sigmoid(b)
            total = total + skip(h)
            x = (out(h) + x) * math.sqrt(0.5)
        y = self.last[1](F.relu(self.last[0](F.relu(total * math.sqrt(1 / 30)))))
        return y.float()[:, 0, :length].clamp(-1, 1)


class PublishedVocoder(GrownVocoder):
    """The handles of GrownVocoder; `trains` says whether it is trained on."""
    rates = RATES

    def __init__(self, family, device, folder, lr=2e-4):
        self.family, self.device, self.steps, self.skipped = family, device, 0, 0
        self.kind, *self.bands, self.trains = PUBLISHED[family]
        z = dict(np.load(f"{folder}/{'parallel_wavegan' if self.kind == 'pwg' else 'hifigan_v3'}_ljspeech.npz"))
        self.trained = (WaveGan(z) if self.kind == "pwg" else HifiGan(z, self.bands[0], self.kind == "snake")).to(device)
        if self.kind == "pwg":
            s = np.load(f"{folder}/pwg_stats_librispeech.npz")
            self.mean, self.sd = (torch.from_numpy(s[k].astype(np.float32)).to(device)[None, :, None] for k in ("mean", "std"))
        self.gen, self.smooth = self.trained, copy.deepcopy(self.trained).eval()
        if self.trains:
            self.critics = Critics().to(device)
            self.og, self.od = (torch.optim.AdamW(m.parameters(), lr, betas=(0.8, 0.99)) for m in (self.trained, self.critics))

    def condition(self, x, blur=None):
        key = (*self.bands, str(x.device))
        if key not in _bases:
            _bases[key] = slaney(*self.bands, x.device)
        side = N_FFT // 2 if self.kind == "pwg" else (N_FFT - HOP) // 2
        u = F.pad(x[:, None], (side, side), mode="reflect")[:, 0]
        S = torch.stft(u, N_FFT, HOP, window=torch.hann_window(N_FFT, device=x.device), center=False, return_complex=True)
        mel = _bases[key] @ (S.real ** 2 + S.imag ** 2 + 1e-9).sqrt()
        if self.kind == "pwg":
            mel = (mel.clamp_min(1e-10).log10() - self.mean) / self.sd
        else:
            mel = mel.clamp_min(1e-5).log()
        mel = mel[:, :, : x.shape[1] // HOP]
        return mel if blur is None else smooth(mel, blur)
