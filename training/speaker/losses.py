"""Training objectives: additive angular margin, in-batch pairs, and distillation of similarities."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class AngularMargin(nn.Module):
    """Softmax over speakers with an additive angular margin on the own class."""

    def __init__(self, classes: int, dim: int, scale: float = 30.0):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(classes, dim) * 0.01)
        self.scale = scale

    def forward(self, emb: Tensor, labels: Tensor, margin: float, twins: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """`emb` is normalised. Returns the loss and the training accuracy.

        `twins` [classes, n] names classes that are probably the same person: no crop is pushed away from them.
        """
        cosine = (emb @ F.normalize(self.weight, dim=1).t()).clamp(-1 + 1e-6, 1 - 1e-6)
        if twins is not None:
            own = cosine.gather(1, labels[:, None])
            cosine = cosine.scatter(1, twins[labels], -1.0).scatter(1, labels[:, None], own)
        own = cosine.gather(1, labels[:, None])
        shifted = torch.cos((torch.acos(own) + margin).clamp_max(math.pi - 1e-3))
        loss = F.cross_entropy(cosine.scatter(1, labels[:, None], shifted) * self.scale, labels)
        return loss, (cosine.detach().argmax(1) == labels).float().mean()


def pair_loss(emb: Tensor, labels: Tensor, scale: float = 20.0) -> Tensor:
    """The batch is [first crops; second crops] of the same speakers: each crop must find its partner.

    Other rows of the same speaker (a speaker drawn twice) are left out of the comparison.
    """
    half = emb.shape[0] // 2
    logits = emb[:half] @ emb[half:].t() * scale
    same = labels[:half, None] == labels[None, half:]
    same.fill_diagonal_(False)
    logits = logits.masked_fill(same, -1e4)
    target = torch.arange(half, device=emb.device)
    return 0.5 * (F.cross_entropy(logits, target) + F.cross_entropy(logits.t(), target))


def similarity_loss(emb: Tensor, target: Tensor) -> Tensor:
    """Mean squared difference between the batch's cosine matrix and a teacher's."""
    diff = (emb @ emb.t() - target).pow(2)
    n = emb.shape[0]
    return (diff.sum() - diff.diagonal().sum()) / (n * (n - 1))
