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


def eer_interval(scores: np.ndarray, owner: np.ndarray, rounds: int = 500, seed: int = 0, bins: int = 600) -> tuple[float, float]:
    """95 % bootstrap interval of the EER over speakers, for a symmetric score matrix.

    Speakers are drawn with replacement, and all their trials with them. Scores are counted into bins once
    per pair of speakers (fine bins where targets and impostors overlap), so a round is one weighted sum.
    """
    rng = np.random.default_rng(seed)
    names, who = np.unique(owner, return_inverse=True)
    n = len(names)
    first, second = np.triu_indices(len(owner), 1)
    flat = scores[first, second]
    same = who[first] == who[second]
    low, high = np.quantile(flat[same], 0.0005), np.quantile(flat[~same], 0.9999)
    place = np.clip(((flat - low) / max(high - low, 1e-9) * (bins - 2)).astype(np.int64) + 1, 0, bins - 1)
    targets = np.zeros((n, bins), np.float32)
    np.add.at(targets, (who[first[same]], place[same]), 1)
    impostors = np.zeros(n * n * bins, np.float32)
    pair = who[first[~same]] * n + who[second[~same]]
    impostors += np.bincount(pair * bins + place[~same], minlength=n * n * bins).astype(np.float32)
    impostors = impostors.reshape(n, n * bins)
    values = []
    for _ in range(rounds):
        w = np.bincount(rng.integers(0, n, n), minlength=n).astype(np.float32)
        t = w @ targets
        i = w @ (w @ impostors).reshape(n, bins)
        miss, accept = np.cumsum(t) / t.sum(), 1 - np.cumsum(i) / i.sum()
        k = int(np.argmin(np.abs(miss - accept)))
        values.append((miss[k] + accept[k]) / 2)
    return tuple(float(v) for v in np.percentile(values, [2.5, 97.5]))
