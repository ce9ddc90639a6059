"""ECAPA-TDNN: log-mel frames [B, T, 80] in, one embedding [B, D] out. 1-D convolutions over time with squeeze-excitation and attentive pooling."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class SqueezeExcite(nn.Module):
    def __init__(self, channels: int, bottleneck: int = 128):
        super().__init__()
        self.a = nn.Conv1d(channels, bottleneck, 1)
        self.b = nn.Conv1d(bottleneck, channels, 1)

    def forward(self, x: Tensor) -> Tensor:
        return x * torch.sigmoid(self.b(F.relu(self.a(x.mean(2, keepdim=True)))))


class Res2Block(nn.Module):
    """1x1 convolution, a hierarchy of dilated convolutions over channel groups, 1x1, SE."""

    def __init__(self, channels: int, kernel: int, dilation: int, scale: int = 8):
        super().__init__()
        self.scale = scale
        self.w = width = channels // scale
        self.c1 = nn.Conv1d(channels, channels, 1)
        self.b1 = nn.BatchNorm1d(channels)
        pad = dilation * (kernel - 1) // 2
        self.cs = nn.ModuleList(
            nn.Conv1d(width, width, kernel, dilation=dilation, padding=pad) for _ in range(scale - 1)
        )
        self.bs = nn.ModuleList(nn.BatchNorm1d(width) for _ in range(scale - 1))
        self.c3 = nn.Conv1d(channels, channels, 1)
        self.b3 = nn.BatchNorm1d(channels)
        self.se = SqueezeExcite(channels)

    def forward(self, x: Tensor) -> Tensor:
        parts = torch.split(self.b1(F.relu(self.c1(x))), self.w, 1)
        out, y = [], None
        for i, (conv, norm) in enumerate(zip(self.cs, self.bs)):
            y = parts[i] if y is None else y + parts[i]
            y = norm(F.relu(conv(y)))
            out.append(y)
        out.append(parts[-1])
        return self.se(self.b3(F.relu(self.c3(torch.cat(out, 1))))) + x


class Ecapa(nn.Module):
    """ECAPA-TDNN; parameter names match the prototype weights so that they can be loaded."""

    def __init__(self, n_mels: int = 80, channels: int = 512, emb: int = 192):
        super().__init__()
        self.c0 = nn.Conv1d(n_mels, channels, 5, padding=2)
        self.b0 = nn.BatchNorm1d(channels)
        self.l = nn.ModuleList(Res2Block(channels, 3, d) for d in (2, 3, 4))
        self.c4 = nn.Conv1d(3 * channels, 1536, 1)
        self.a1 = nn.Conv1d(1536 * 3, 128, 1)
        self.ab = nn.BatchNorm1d(128)
        self.a2 = nn.Conv1d(128, 1536, 1)
        self.b5 = nn.BatchNorm1d(3072)
        self.fc = nn.Linear(3072, emb)
        self.b6 = nn.BatchNorm1d(emb)

    def pooled(self, x: Tensor) -> Tensor:
        """Statistics over time, before the last layer."""
        x = self.b0(F.relu(self.c0(x.transpose(1, 2))))
        x1 = self.l[0](x)
        x2 = self.l[1](x + x1)
        x3 = self.l[2](x + x1 + x2)
        x = F.relu(self.c4(torch.cat([x1, x2, x3], 1)))
        frames = x.shape[2]
        mean = x.mean(2, keepdim=True)
        std = (x.var(2, keepdim=True, unbiased=False) + 1e-4).sqrt()
        context = torch.cat([x, mean.expand(-1, -1, frames), std.expand(-1, -1, frames)], 1)
        weight = torch.softmax(self.a2(torch.tanh(self.ab(F.relu(self.a1(context))))), 2)
        mean = (x * weight).sum(2)
        std = ((x * x * weight).sum(2) - mean * mean).clamp_min(1e-4).sqrt()
        return self.b5(torch.cat([mean, std], 1))

    def embedded(self, pooled: Tensor) -> Tensor:
        return self.b6(self.fc(pooled))

    def forward(self, x: Tensor) -> Tensor:
        return self.embedded(self.pooled(x))
