"""Owns the view over an encoder's first layers in time (`time`): a small network over the frames of layers that stay as they are.

VX_ENCODER: weights of Whisper base's first layers (encoder_view.py take); VX_SCALE: a table's scale.pt (lab_table.py) that knows them. Neither is kept with the networks: names with `basis` stay out of checkpoints.
"""
import os

import torch
import torch.nn as nn
import torch.nn.functional as F

from encoder_view import load

LAYERS, WIDTH = 3, 512
ENCODER, SCALE = os.environ.get("VX_ENCODER", "/root/vx/base.pt"), os.environ.get("VX_SCALE", "/root/vx/like/scale.pt")


def cut(path, layers):
    net = load(path)
    net.layers = net.layers[:layers]
    return net


def channel_scale(layers):
    """Middle and spread of each row of the layers over people, [layers * WIDTH] each."""
    s = torch.load(SCALE, map_location="cpu")
    at, mean, sd = 0, [], []
    for g, n in s["sizes"].items():
        if g in [f"encoder{i + 1}" for i in range(layers)]:
            mean.append(s["mean"][at:at + WIDTH].float()), sd.append(s["mean"][at + WIDTH:at + 2 * WIDTH].float())
        at += n
    return torch.cat(mean), torch.cat(sd)


class Frames(nn.Module):
    """Standardised frames of the first layers, [B, 1, LAYERS * WIDTH, 200]."""
    CHANNELS = 1

    def __init__(self):
        super().__init__()
        self.basis_encoder = cut(ENCODER, LAYERS)
        mean, sd = channel_scale(LAYERS)
        self.register_buffer("basis_mean", mean), self.register_buffer("basis_sd", sd)

    def key(self):
        return (type(self),)

    def share(self, owner):
        del self.basis_encoder
        self.basis_encoder = Given(owner)

    def forward(self, wave):
        on = wave.device.type == "cuda" and self.training
        with torch.no_grad(), torch.autocast(wave.device.type, dtype=torch.bfloat16, enabled=on, cache_enabled=False):
            x = torch.cat([h.float() for h in self.basis_encoder.hidden(wave.float())], 2)
        return (((x - self.basis_mean) / self.basis_sd).clamp(-8, 8)).transpose(1, 2)[:, None]


class Given:
    """Layers that another view (encoder_view.Standard) has computed already."""

    def __init__(self, owner):
        self.owner = owner

    def hidden(self, _):
        return self.owner.last


class Head(nn.Module):
    """Rows of frames, [B, rows, T] -> a logit: squeezed, two convolutions, attentive statistics over time."""

    def __init__(self, rows, width=128):
        super().__init__()
        self.rowdrop, self.drop = nn.Dropout(0.3), nn.Dropout(0.3)
        self.squeeze, self.nq = nn.Conv1d(rows, width, 1, bias=False), nn.BatchNorm1d(width)
        self.c1, self.n1 = nn.Conv1d(width, width, 3, padding=1, bias=False), nn.BatchNorm1d(width)
        self.c2, self.n2 = nn.Conv1d(width, width, 3, padding=3, dilation=3, bias=False), nn.BatchNorm1d(width)
        self.att1, self.att2 = nn.Conv1d(width, 32, 1), nn.Conv1d(32, width, 1)
        self.nf, self.fc = nn.BatchNorm1d(2 * width), nn.Linear(2 * width, 1)

    def forward(self, x):
        if self.training:
            x = x * self.rowdrop(torch.ones(len(x), x.shape[1], 1, device=x.device, dtype=x.dtype))
        x = F.relu(self.nq(self.squeeze(x)))
        x = x + F.relu(self.n1(self.c1(x)))
        x = x + F.relu(self.n2(self.c2(x)))
        w = torch.softmax(self.att2(torch.tanh(self.att1(x))), 2)
        x, w = x.float(), w.float()
        mu = (x * w).sum(2)
        sd = ((x * x * w).sum(2) - mu * mu).clamp_min(1e-4).sqrt()
        return self.fc(self.drop(self.nf(torch.cat([mu, sd], 1))))[:, 0]


class TimeBranch(nn.Module):
    def __init__(self):
        super().__init__()
        self.spectrum, self.head = Frames(), Head(LAYERS * WIDTH)

    def judge(self, s):
        return self.head(s[:, 0])

    def forward(self, wave):
        return self.judge(self.spectrum(wave))
