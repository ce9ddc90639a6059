"""How speaker.telephone's candidates are judged: equal error rates while training, and tables of prints for calibration at the end.

Speech is cut into the product's windows (3, 3 and 4 s, again and again; a rest under 1.5 s belongs to the window before it) and a print is
the mean of the windows' embeddings weighted by length. A row of a table holds both outputs, each of length one before the
mean, and the mean length that each had before.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

from common.features import FRAME, SHIFT, LogMel
from speaker.metrics import eer
from speaker.telephone_nets import OWN_DIM, PEER_DIM, run

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

    @torch.no_grad()
    def prints(self, net: nn.Module, logmel: LogMel) -> np.ndarray:
        """[clips, own + peer + 2]."""
        device, tuned = self.wave.device, torch.backends.cudnn.benchmark
        torch.backends.cudnn.benchmark = False  # every length comes a few times only
        total = torch.zeros(self.count, OWN_DIM + PEER_DIM + 2, device=device)
        weight = torch.zeros(self.count, 1, device=device)
        for frames, (clip, first) in self.groups.items():
            size = torch.arange((frames - 1) * SHIFT + FRAME, device=device)
            for part in torch.arange(len(clip), device=device).split(max(1, 100_000 // frames)):
                out = run(net, logmel(self.wave[first[part][:, None] + size[None]].float()))
                own, peer = out if isinstance(out, tuple) else (out, out.new_zeros(len(out), PEER_DIM))
                norms = [o.norm(dim=1, keepdim=True).clamp_min(1e-6) for o in (own, peer)]
                rows = torch.nan_to_num(torch.cat([own / norms[0], peer / norms[1], *norms], 1))
                total.index_add_(0, clip[part], rows * frames)
                weight.index_add_(0, clip[part], torch.full((len(part), 1), float(frames), device=device))
        torch.backends.cudnn.benchmark = tuned
        return (total / weight.clamp_min(1)).cpu().numpy()


def unit(x: np.ndarray) -> np.ndarray:
    return x / np.maximum(np.linalg.norm(x, axis=1, keepdims=True), 1e-9)


def rates(rows: np.ndarray, owner: list[str], share: float = 0.35) -> list[float]:
    """EER in % by the own output, the second output, and both (`share` of the second); impostors come from the same corpus."""
    who = np.unique(owner, return_inverse=True)[1]
    group = np.unique([s.split("/")[0] for s in owner], return_inverse=True)[1]
    own, peer = unit(rows[:, :OWN_DIM]), unit(rows[:, OWN_DIM:OWN_DIM + PEER_DIM])
    scores = [own @ own.T, peer @ peer.T]
    scores.append((1 - share) * scores[0] + share * scores[1])
    upper = np.triu_indices(len(who), 1)
    same = (who[:, None] == who[None])[upper]
    trial = (group[:, None] == group[None])[upper]
    return [round(100 * eer(s[upper][same], s[upper][~same & trial]), 2) for s in scores]


class Monitor:
    """Equal error rates of a network on small sets; `sets` maps a name to (owners, clips)."""

    def __init__(self, sets: dict[str, tuple[list[str], list[np.ndarray]]], logmel: LogMel, device: str):
        self.logmel = logmel
        self.sets = {k: Clips(np.concatenate([np.array(x) for x in audio]), [len(x) for x in audio], owner, device)
                     for k, (owner, audio) in sets.items() if audio}

    def __call__(self, net: nn.Module) -> dict[str, list[float]]:
        return {k: rates(c.prints(net, self.logmel), c.owner) for k, c in self.sets.items()}

    @torch.no_grad()
    def peer(self, net: nn.Module) -> dict[str, float]:
        """The same for the peer, which takes waveforms, 10 s of each."""
        out = {}
        for name, clips in self.sets.items():
            first, last = {}, {}
            for frames, (clip, at) in clips.groups.items():
                for c, a in zip(clip.tolist(), at.tolist()):
                    first[c] = min(first.get(c, a), a)
                    last[c] = max(last.get(c, 0), a + (frames - 1) * SHIFT + FRAME)
            keep = sorted(first)
            e = torch.cat([net(clips.wave[first[c]:min(last[c], first[c] + 160_000)].float()[None]) for c in keep]).cpu().numpy()
            rows = np.zeros((len(keep), OWN_DIM + PEER_DIM), np.float32)
            rows[:, :PEER_DIM] = e
            out[name] = rates(rows, [clips.owner[c] for c in keep])[0]
        return out
