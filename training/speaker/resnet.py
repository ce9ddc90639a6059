"""ResNet over time and frequency: log-mel frames [B, T, 80] in, one embedding [B, D] out. The first teacher; it does not ship."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class BasicBlock(nn.Module):
    def __init__(self, cin: int, cout: int, stride: tuple[int, int], se: bool = False):
        super().__init__()
        self.c1 = nn.Conv2d(cin, cout, 3, stride, 1, bias=False)
        self.b1 = nn.BatchNorm2d(cout)
        self.c2 = nn.Conv2d(cout, cout, 3, 1, 1, bias=False)
        self.b2 = nn.BatchNorm2d(cout)
        plain = stride == (1, 1) and cin == cout
        self.sc = nn.Identity() if plain else nn.Sequential(
            nn.Conv2d(cin, cout, 1, stride, bias=False), nn.BatchNorm2d(cout))
        self.se = nn.Sequential(nn.Linear(cout, cout // 4), nn.ReLU(), nn.Linear(cout // 4, cout)) if se else None

    def forward(self, x: Tensor) -> Tensor:
        y = self.b2(self.c2(F.relu(self.b1(self.c1(x)))))
        if self.se is not None:
            y = y * torch.sigmoid(self.se(y.mean((2, 3))))[:, :, None, None]
        return F.relu(y + self.sc(x))


class AttentiveStats(nn.Module):
    """Mean and deviation over time, weighted per channel by a small attention network."""

    def __init__(self, channels: int, bottleneck: int = 128):
        super().__init__()
        self.a1 = nn.Conv1d(channels * 3, bottleneck, 1)
        self.a2 = nn.Conv1d(bottleneck, channels, 1)

    def forward(self, x: Tensor) -> Tensor:
        mean = x.mean(2, keepdim=True)
        std = (x.var(2, keepdim=True, unbiased=False) + 1e-4).sqrt()
        context = torch.cat([x, mean.expand_as(x), std.expand_as(x)], 1)
        weight = torch.softmax(self.a2(torch.tanh(self.a1(context))), 2)
        mean = (x * weight).sum(2)
        std = ((x * x * weight).sum(2) - mean * mean).clamp_min(1e-4).sqrt()
        return torch.cat([mean, std], 1)


class ResNet(nn.Module):
    """ResNet over (frequency, time). `stem_stride` and `strides` are (frequency, time) pairs."""

    def __init__(self, n_mels: int = 80, width: int = 32, layers=(3, 4, 6, 3), emb: int = 256,
                 stem_stride=(1, 1), strides=((1, 1), (2, 2), (2, 2), (2, 2)), mult=(1, 2, 4, 8),
                 se: bool = False, attentive: bool = False, dropout: float = 0.0):
        super().__init__()
        self.c0 = nn.Conv2d(1, width, 3, tuple(stem_stride), 1, bias=False)
        self.b0 = nn.BatchNorm2d(width)
        bins = -(-n_mels // stem_stride[0])
        blocks, cin = [], width
        for count, stride, m in zip(layers, strides, mult):
            cout = width * m
            bins = -(-bins // stride[0])
            for j in range(count):
                blocks.append(BasicBlock(cin, cout, tuple(stride) if j == 0 else (1, 1), se))
                cin = cout
        self.l = nn.Sequential(*blocks)
        self.pool = AttentiveStats(cin * bins) if attentive else None
        self.bn = nn.BatchNorm1d(cin * bins * 2)
        self.drop = nn.Dropout(dropout)
        self.fc = nn.Linear(cin * bins * 2, emb)
        self.bo = nn.BatchNorm1d(emb)

    def forward(self, x: Tensor) -> Tensor:
        x = self.l(F.relu(self.b0(self.c0(x.transpose(1, 2).unsqueeze(1))))).flatten(1, 2)
        if self.pool is not None:
            x = self.pool(x)
        else:
            x = torch.cat([x.mean(2), (x.var(2, unbiased=False) + 1e-5).sqrt()], 1)
        return self.bo(self.fc(self.drop(self.bn(x))))
