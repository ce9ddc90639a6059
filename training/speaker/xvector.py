"""A telephone-trained x-vector network (Kaldi) as a teacher: 23 MFCC at 8 kHz in, 128 whitened numbers out."""

from __future__ import annotations

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

FRAME, SHIFT, FFT_SIZE = 200, 80, 256


class XVector(nn.Module):
    def __init__(self, file: str):
        super().__init__()
        for name, value in np.load(file).items():
            self.register_buffer(name, torch.from_numpy(np.asarray(value, np.float32)))
        n = torch.arange(127, dtype=torch.float64) - 63
        half = torch.sinc(n * 2 * 3850 / 16000) * 2 * 3850 / 16000 * torch.kaiser_window(127, False, 8.0, dtype=torch.float64)
        self.register_buffer("lowpass", half.float()[None, None])

    def mfcc(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """`x` [B, samples] at 16 kHz, int16 scale; MFCC [B, T, 23] and log energies [B, T]."""
        x = F.conv1d(x[:, None], self.lowpass, stride=2, padding=63)[:, 0]
        frames = x.unfold(1, FRAME, SHIFT)
        frames = frames - frames.mean(-1, keepdim=True)
        energy = frames.pow(2).sum(-1).clamp_min(1e-7).log()
        previous = torch.cat([frames[..., :1], frames[..., :-1]], -1)
        power = torch.fft.rfft((frames - 0.97 * previous) * self.win, n=FFT_SIZE).abs().pow(2)
        c = (power @ self.mel.t()).clamp_min(1e-7).log() @ self.dct.t() * self.lift
        return torch.cat([energy[..., None], c[..., 1:]], -1), energy

    @staticmethod
    def slide(c: Tensor, width: int = 300) -> Tensor:
        """Takes the mean of the 300 frames around each frame away."""
        n = c.shape[1]
        if n <= width:
            return c - c.mean(1, keepdim=True)
        total = F.pad(c.double().cumsum(1), (0, 0, 1, 0))
        first = (torch.arange(n, device=c.device) - width // 2).clamp(0, n - width)
        return c - ((total[:, first + width] - total[:, first]) / width).float()

    def forward(self, x: Tensor) -> Tensor:
        c, energy = self.mfcc(x.float())
        on = (energy > 5.5 + 0.5 * energy.mean(1, keepdim=True)).float()
        voiced = F.avg_pool1d(on[:, None], 5, 1, 2, count_include_pad=False)[:, 0] >= 0.12
        h = self.slide(c).transpose(1, 2)
        for i, dilation in enumerate((1, 2, 3, 1, 1)):
            h = F.relu(F.conv1d(h, getattr(self, f"w{i}"), getattr(self, f"b{i}"), dilation=dilation))
            h = (h - getattr(self, f"m{i}")[:, None]) * getattr(self, f"s{i}")[:, None]
        w = voiced[:, 7:-7].float()[:, None]
        w = torch.where(w.sum(2, keepdim=True) < 20, torch.ones_like(w), w)
        count = w.sum(2)
        mean = (h * w).sum(2) / count
        var = (h * h * w).sum(2) / count - mean * mean
        e = torch.cat([mean, var.clamp_min(1e-10).sqrt()], 1) @ self.w5.t() + self.b5
        return F.normalize((e - self.mean) @ self.T.t(), dim=1)
