"""Recordings cut into the product's windows: 3, 3 and 4 s, again and again; a rest under 1.5 s belongs to the window before it."""

from __future__ import annotations

import numpy as np
import torch

from common.features import FRAME, SHIFT

WINDOW_FRAMES = (300, 300, 400)
LEAST_REST, STEP = 150, 10


def windows(frames: int) -> list[tuple[int, int]]:
    """First and last frame of each window."""
    out, at, i = [], 0, 0
    while at < frames:
        end = at + WINDOW_FRAMES[i % 3]
        if frames - end < LEAST_REST:
            end = frames
        out.append((at, end))
        at, i = end, i + 1
    return out


class Clips:
    """Clips on the accelerator, their windows sorted by length (in steps of a tenth of a second)."""

    def __init__(self, samples: np.ndarray, sizes: list[int], owner: list[str], device: str, padded: int = 8 * SHIFT * 10):
        self.owner, self.count = owner, len(sizes)
        self.wave = torch.from_numpy(np.concatenate([samples, np.zeros(padded, np.int16)])).to(device)
        at, groups = 0, {}
        for i, size in enumerate(sizes):
            frames = max((size - FRAME) // SHIFT + 1, 0)
            for a, b in windows(frames):
                groups.setdefault(max((b - a) // STEP, 5) * STEP, []).append((i, at + a * SHIFT))
            at += size
        self.groups = {n: (torch.tensor([g[0] for g in part], device=device), torch.tensor([g[1] for g in part], device=device))
                       for n, part in sorted(groups.items())}


def unit(x: np.ndarray) -> np.ndarray:
    return x / np.maximum(np.linalg.norm(x, axis=1, keepdims=True), 1e-9)
