"""Detection figures from target and impostor scores (all rates as fractions)."""

from __future__ import annotations

import numpy as np


def roc(target: np.ndarray, impostor: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Miss and false-accept rates at every threshold, from accept-all to accept-none."""
    scores = np.concatenate([target, impostor])
    is_target = np.concatenate([np.ones(len(target)), np.zeros(len(impostor))])
    order = np.argsort(scores, kind="mergesort")
    hits = is_target[order]
    miss = np.concatenate([[0.0], np.cumsum(hits) / len(target)])
    accept = np.concatenate([[1.0], 1.0 - np.cumsum(1 - hits) / len(impostor)])
    return miss, accept


def eer(target: np.ndarray, impostor: np.ndarray) -> float:
    miss, accept = roc(target, impostor)
    i = int(np.argmin(np.abs(miss - accept)))
    return float((miss[i] + accept[i]) / 2)


def min_dcf(target: np.ndarray, impostor: np.ndarray, prior: float = 0.01) -> float:
    miss, accept = roc(target, impostor)
    return float((prior * miss + (1 - prior) * accept).min() / min(prior, 1 - prior))


def cllr(target: np.ndarray, impostor: np.ndarray) -> float:
    """Cost of log-likelihood ratios in bits; 0 is perfect, 1 says nothing."""
    return float((np.logaddexp(0, -target).mean() + np.logaddexp(0, impostor).mean()) / (2 * np.log(2)))


def eer_interval(scores: np.ndarray, owner: np.ndarray, rounds: int = 200, seed: int = 0) -> tuple[float, float]:
    """95 % bootstrap interval of the EER over speakers, for a symmetric score matrix.

    Speakers are drawn with replacement; pairs between two copies of one speaker are left out.
    """
    rng = np.random.default_rng(seed)
    names = np.unique(owner)
    where = {n: np.flatnonzero(owner == n) for n in names}
    values = []
    for _ in range(rounds):
        drawn = rng.choice(names, len(names))
        rows = np.concatenate([where[n] for n in drawn])
        copy = np.concatenate([np.full(len(where[n]), i) for i, n in enumerate(drawn)])
        sub = scores[np.ix_(rows, rows)]
        upper = np.triu_indices(len(rows), 1)
        same_copy = (copy[:, None] == copy[None])[upper]
        same_name = (owner[rows][:, None] == owner[rows][None])[upper]
        flat = sub[upper]
        values.append(eer(flat[same_copy], flat[~same_name]))
    low, high = np.percentile(values, [2.5, 97.5])
    return float(low), float(high)
