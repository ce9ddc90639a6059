"""Owns more statistics over the first layers of published encoders (Whisper tiny, base, small; encoder_view.py takes them out of their files), all of which stay as they are: the stem, further layers, other ways of pooling over time."""
import torch
import torch.nn as nn
import torch.nn.functional as F

from encoder_view import load

ROWS, POOLED = 48, 3  # rows that correlations are taken of; layers of base with more ways of pooling


def spread(y):
    return (y.var(1, unbiased=False) + 1e-8).sqrt()


def three(y):
    return torch.cat([y.mean(1), spread(y), spread(y[:, 1:] - y[:, :-1])], 1)


def directions(width, layer):
    """Fixed orthonormal directions, [width, ROWS]."""
    g = torch.Generator().manual_seed(100 + layer)
    return torch.linalg.qr(torch.randn(width, ROWS, generator=g))[0].contiguous()


class MoreLayers(nn.Module):
    """{group: [B, K]} for waves of 4 s. Groups are named by the file: tiny.pt gives tiny0 (the stem), tiny1, ...; base.pt, which has all ways of pooling, encoder0, ..."""

    def __init__(self, path):
        super().__init__()
        self.net, self.name = load(path), path.split("/")[-1][:-3]
        if self.name == "base":
            self.name = "encoder"
            for i in range(POOLED):
                self.register_buffer(f"ways{i}", directions(512, i))
        self.register_buffer("upper", torch.triu(torch.ones(ROWS, ROWS), 1).flatten().nonzero()[:, 0])

    def pooled(self, x, i, loud):
        m, s = x.mean(1, keepdim=True), spread(x)[:, None]
        z = (x - m) / s
        lag = torch.cat([spread(x[:, 2:] - x[:, :-2]), spread(x[:, 8:] - x[:, :-8])], 1)
        w = loud[:, :, None]
        ml = (x * w).sum(1) / w.sum(1)
        sl = (((x - ml[:, None]).pow(2) * w).sum(1) / w.sum(1) + 1e-8).sqrt()
        q = 1 - w
        mq = (x * q).sum(1) / q.sum(1)
        y = z @ getattr(self, f"ways{i}")
        y = (y - y.mean(1, keepdim=True)) / spread(y)[:, None]
        gram = (y.transpose(1, 2) @ y / y.shape[1]).flatten(1)[:, self.upper]
        k = i + 1
        return {f"lag{k}": lag, f"skew{k}": z.pow(3).mean(1), f"loud{k}": torch.cat([ml - mq, sl], 1), f"gram{k}": gram}

    def forward(self, wave):
        before, torch.backends.cuda.matmul.allow_tf32 = torch.backends.cuda.matmul.allow_tf32, True  # here alone: other statistics need all 32 bits
        n = self.net
        mel = n.frames(wave.float())
        e = mel.mean(1)[:, :400].reshape(len(mel), -1, 2).mean(2)
        loud = torch.sigmoid((e - e.mean(1, keepdim=True)) / (0.3 * spread(e)[:, None]))
        x = F.gelu(n.c2(F.gelu(n.c1(mel)))).transpose(1, 2)
        out = {self.name + "0": three(x)}
        x = x + n.place
        for i, layer in enumerate(n.layers):
            x = layer(x)
            out[f"{self.name}{i + 1}"] = three(x)
            if self.name == "encoder" and i < POOLED:
                out.update(self.pooled(x, i, loud))
        torch.backends.cuda.matmul.allow_tf32 = before
        return out
