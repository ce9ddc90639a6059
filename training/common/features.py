"""Kaldi-compatible log-mel features on the accelerator; the product computes the same numbers in TypeScript."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

FRAME, SHIFT, FFT_SIZE, MELS = 400, 160, 512, 80
LOW_HZ, HIGH_HZ, SAMPLE_RATE = 20.0, 7600.0, 16000
PREEMPHASIS, LOG_FLOOR = 0.97, 1.1920929e-07


def mel_matrix() -> Tensor:
    """[MELS, FFT_SIZE/2+1]: triangles on the mel scale 1127*ln(1+f/700), as Kaldi draws them."""
    def mel(f: float) -> float:
        return 1127.0 * math.log(1.0 + f / 700.0)

    low, high = mel(LOW_HZ), mel(HIGH_HZ)
    step = (high - low) / (MELS + 1)
    matrix = torch.zeros(MELS, FFT_SIZE // 2 + 1)
    for i in range(MELS):
        left, centre, right = low + i * step, low + (i + 1) * step, low + (i + 2) * step
        for k in range(FFT_SIZE // 2):
            m = mel(SAMPLE_RATE / FFT_SIZE * k)
            if left < m < right:
                matrix[i, k] = (m - left) / (centre - left) if m <= centre else (right - m) / (right - centre)
    return matrix


class LogMel(nn.Module):
    """[B, samples] in int16 scale -> [B, T, 80]."""

    def __init__(self, mean_norm: bool = True):
        super().__init__()
        n = torch.arange(FRAME, dtype=torch.float64)
        self.register_buffer("window", (0.54 - 0.46 * torch.cos(2 * math.pi * n / (FRAME - 1))).float())
        self.register_buffer("mel", mel_matrix())
        self.mean_norm = mean_norm

    def forward(self, samples: Tensor) -> Tensor:
        frames = samples.unfold(1, FRAME, SHIFT)
        frames = frames - frames.mean(-1, keepdim=True)
        previous = torch.cat([frames[..., :1], frames[..., :-1]], -1)
        frames = (frames - PREEMPHASIS * previous) * self.window
        power = torch.fft.rfft(frames, n=FFT_SIZE).abs().pow(2)
        logmel = (power @ self.mel.t()).clamp_min(LOG_FLOOR).log()
        return logmel - logmel.mean(1, keepdim=True) if self.mean_norm else logmel
