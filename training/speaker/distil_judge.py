"""How speaker.distil's students are judged: likeness to their teacher window by window, and equal error rates of the prints."""

from __future__ import annotations

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from common.features import FRAME, SHIFT, LogMel
from speaker.distil_nets import level
from speaker.metrics import eer
from speaker.telephone_judge import Clips, unit
from speaker.telephone_nets import run


def outputs(clips: Clips, nets: list[tuple[nn.Module, LogMel | None]]):
    """(clips, frames, [embeddings of length one by each network]) for parts of the windows; a network without features hears the waveform."""
    device, tuned = clips.wave.device, torch.backends.cudnn.benchmark
    torch.backends.cudnn.benchmark = False  # every length comes a few times only
    for frames, (clip, first) in clips.groups.items():
        size = torch.arange((frames - 1) * SHIFT + FRAME, device=device)
        for part in torch.arange(len(clip), device=device).split(max(1, 100_000 // frames)):
            wave = clips.wave[first[part][:, None] + size[None]].float()
            rows = [run(net, logmel(wave)) if logmel is not None else net(level(wave)) for net, logmel in nets]
            yield clip[part], frames, [torch.nan_to_num(F.normalize(r.float(), dim=1)) for r in rows]
    torch.backends.cudnn.benchmark = tuned


@torch.no_grad()
def table(clips: Clips, net: nn.Module, logmel: LogMel | None) -> np.ndarray:
    """A print per clip: the mean of its windows' embeddings, weighted by length and not brought to length one again."""
    total, weight = None, torch.zeros(clips.count, 1, device=clips.wave.device)
    for clip, frames, (rows,) in outputs(clips, [(net, logmel)]):
        if total is None:
            total = torch.zeros(clips.count, rows.shape[1], device=rows.device)
        total.index_add_(0, clip, rows * frames)
        weight.index_add_(0, clip, torch.full((len(clip), 1), float(frames), device=rows.device))
    return (total / weight.clamp_min(1)).cpu().numpy()


@torch.no_grad()
def likeness(clips: Clips, student: tuple, teacher: tuple) -> float:
    """Mean cosine of student and teacher over the windows."""
    parts = [(a * b).sum(1) for _, _, (a, b) in outputs(clips, [student, teacher])]
    return round(float(torch.cat(parts).mean()), 4)


def error_rate(prints: np.ndarray, owner: list[str]) -> float:
    """EER in % by cosine; impostors come from the same corpus."""
    who = np.unique(owner, return_inverse=True)[1]
    group = np.unique([s.split("/")[0] for s in owner], return_inverse=True)[1]
    e = unit(prints)
    upper = np.triu_indices(len(who), 1)
    same, trial = (who[:, None] == who[None])[upper], (group[:, None] == group[None])[upper]
    scores = (e @ e.T)[upper]
    return round(100 * eer(scores[same], scores[~same & trial]), 2)


class Judge:
    """`sets` maps a name to (owners, clips)."""

    def __init__(self, sets: dict[str, tuple[list[str], list[np.ndarray]]], teachers: tuple, device: str):
        start, peer, self.logmel = teachers
        self.nets = ((start, self.logmel), (peer, None))
        self.sets = {k: Clips(np.concatenate([np.array(x) for x in audio]), [len(x) for x in audio], owner, device)
                     for k, (owner, audio) in sets.items() if audio}

    def teachers(self) -> dict[str, list[float]]:
        return {k: [error_rate(table(c, *net), c.owner) for net in self.nets] for k, c in self.sets.items()}

    def __call__(self, student) -> dict[str, list[float]]:
        """Likeness and error rate on each set."""
        own = (student.average, self.logmel)
        return {k: [likeness(c, own, self.nets[student.teacher]), error_rate(table(c, *own), c.owner)] for k, c in self.sets.items()}
