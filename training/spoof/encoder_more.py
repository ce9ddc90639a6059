"""Owns the statistics over the first layers of a published encoder (Whisper base; encoder_view.py takes them out of its file), which stay as they are: the stem and each layer."""
import torch
import torch.nn as nn
import torch.nn.functional as F

from encoder_view import load


def spread(y):
    return (y.var(1, unbiased=False) + 1e-8).sqrt()


def three(y):
    return torch.cat([y.mean(1), spread(y), spread(y[:, 1:] - y[:, :-1])], 1)


class MoreLayers(nn.Module):
    """{group: [B, K]} for waves of 4 s. Groups: encoder0 (the stem), encoder1, ..."""

    def __init__(self, path):
        super().__init__()
        self.net = load(path)

    def forward(self, wave):
        before, torch.backends.cuda.matmul.allow_tf32 = torch.backends.cuda.matmul.allow_tf32, True  # here alone: other statistics need all 32 bits
        n = self.net
        x = F.gelu(n.c2(F.gelu(n.c1(n.frames(wave.float()))))).transpose(1, 2)
        out = {"encoder0": three(x)}
        x = x + n.place
        for i, layer in enumerate(n.layers):
            x = layer(x)
            out[f"encoder{i + 1}"] = three(x)
        torch.backends.cuda.matmul.allow_tf32 = before
        return out
