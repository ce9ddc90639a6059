"""Speaker embedding networks: log-mel frames [B, T, 80] in, one embedding [B, D] out.

Two families share this interface:

* `Ecapa`   - 1-D convolutions over time with squeeze-excitation and attentive pooling; ships. `Print` adds a second output to it.
* `ResNet`  - 2-D convolutions over time and frequency; served as teacher and was a candidate.

`build(spec)` makes a network from the plain dictionary that is stored in every checkpoint.
"""

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


class TwoHeads(nn.Module):
    """ECAPA with a second, linear output from the same pooled statistics, which imitates another network's embedding."""

    def __init__(self, net: Ecapa, dim: int = 128):
        super().__init__()
        self.net = net
        self.peer = nn.Linear(3072, dim)
        nn.init.normal_(self.peer.weight, std=0.002)
        nn.init.zeros_(self.peer.bias)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        pooled = self.net.pooled(x)
        return self.net.embedded(pooled), self.peer(pooled)


class Print(TwoHeads):
    """Both outputs, each of length one, side by side; the squares of their weights add up to one."""

    def __init__(self, channels: int = 512, share: float = 0.35):
        super().__init__(Ecapa(channels=channels))
        self.weights = ((1 - share) ** 0.5, share ** 0.5)

    def forward(self, x: Tensor) -> Tensor:
        parts = super().forward(x)
        return torch.cat([w * p / p.norm(dim=1, keepdim=True) for w, p in zip(self.weights, parts)], -1)


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


FAMILIES = {"ecapa": Ecapa, "ecapa-print": Print, "resnet": ResNet}


def build(spec: dict) -> nn.Module:
    """`{"family": "resnet", "width": 32, ...}` -> network."""
    options = {k: v for k, v in spec.items() if k != "family"}
    return family(spec["family"])(**options)


def family(name: str) -> type[nn.Module]:
    if name in FAMILIES:
        return FAMILIES[name]
    from speaker import students  # which is built on this file
    return students.FAMILIES[name]


def load(path: str, device: str = "cpu") -> nn.Module:
    """A network from one of our checkpoints, ready to evaluate."""
    checkpoint = torch.load(path, map_location=device, weights_only=False)
    net = build(checkpoint["spec"])
    net.load_state_dict({k: v.float() if v.dtype == torch.float16 else v for k, v in checkpoint["net"].items()})
    return net.to(device).eval()


def load_prototype(path: str) -> nn.Module:
    """The prototype's weights (ECAPA, 512 channels), stored as fp16 without a specification."""
    checkpoint = torch.load(path, map_location="cpu", weights_only=False)
    net = Ecapa()
    net.load_state_dict({k: v.float() if v.dtype == torch.float16 else v for k, v in checkpoint["net"].items()})
    return net.eval()
