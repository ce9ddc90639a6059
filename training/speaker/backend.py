"""Score normalisation and calibration: from two embeddings to a log-likelihood ratio.

The product implements the same formulas in TypeScript; the model card states them in full.
Arrays are float64 here: accuracy matters more than speed in calibration.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

NET_TEST = (0.5, 30.0)
NET_ENROL = (0.5, 120.0)
SNR_DB = (0.0, 30.0)
LLR = (-20.0, 20.0)


def unit(x: np.ndarray) -> np.ndarray:
    x = np.asarray(x, np.float64)
    return x / np.maximum(np.linalg.norm(x, axis=-1, keepdims=True), 1e-9)


@dataclass(frozen=True)
class Cohort:
    """Mean embeddings of the same training speakers from wide-band and from narrow-band speech."""

    wide: np.ndarray
    narrow: np.ndarray
    top_n: int = 100
    min_sd: float = 0.02

    def stats(self, x: np.ndarray, narrow: bool) -> tuple[np.ndarray, np.ndarray]:
        """Mean and deviation of the best cohort scores of each row."""
        scores = x @ (self.narrow if narrow else self.wide).T
        top = np.partition(scores, -self.top_n, axis=1)[:, -self.top_n:]
        return top.mean(1), np.maximum(top.std(1), self.min_sd)


@dataclass(frozen=True)
class Side:
    """Embeddings of one side of the trials, with what is known about their audio."""

    emb: np.ndarray
    net: np.ndarray  # seconds of speech
    snr: np.ndarray  # dB
    narrow: bool
    owner: np.ndarray

    def __len__(self) -> int:
        return len(self.owner)


def terms(enrol: Side, test: Side, cohort: Cohort) -> np.ndarray:
    """[13, enrol, test]: what the calibration weighs, in the order of the manifest's coefficients."""
    s = enrol.emb @ test.emb.T
    mean_e, sd_e = cohort.stats(enrol.emb, test.narrow)
    mean_t, sd_t = cohort.stats(test.emb, enrol.narrow)
    z = 0.5 * ((s - mean_e[:, None]) / sd_e[:, None] + (s - mean_t[None]) / sd_t[None])
    one = np.ones_like(s)
    lt = np.log(np.clip(test.net, *NET_TEST))[None] * one
    le = np.log(np.clip(enrol.net, *NET_ENROL))[:, None] * one
    q = np.clip(np.minimum(enrol.snr[:, None], test.snr[None]), *SNR_DB) / 10
    b = one * float(enrol.narrow and test.narrow)
    m = one * float(enrol.narrow != test.narrow)
    return np.stack([one, z, s, lt, le, q, b, m, z * lt, z * le, z * q, z * b, z * m]).astype(np.float32)


def llr(x: np.ndarray, coefficients: np.ndarray) -> np.ndarray:
    return np.clip(np.tensordot(coefficients.astype(np.float32), x, 1), *LLR)


def fit_logistic(x: np.ndarray, target: np.ndarray, weight: np.ndarray, prior: float = 0.5, ridge: float = 1e-3,
                 rounds: int = 60) -> np.ndarray:
    """Coefficients of a logistic regression whose output is a log-likelihood ratio.

    `x` is [features, trials]. `prior` is the share of targets that the fit pretends: a small one moves the attention from
    LLR 0 to where a system with that prior decides. Features are standardised for the penalty; the result is not.
    """
    x = x.astype(np.float64)
    w = weight * np.where(target, prior / weight[target].sum(), (1 - prior) / weight[~target].sum())
    offset = np.log(prior / (1 - prior))
    centre, scale = x.mean(1, keepdims=True), x.std(1, keepdims=True)
    centre[0], scale[0] = 0, 1
    used = scale[:, 0] > 1e-9
    scale[~used] = 1
    a = ((x - centre) / scale)[used]
    beta = np.zeros(used.sum())
    penalty = np.full(len(beta), 2 * min(prior, 1 - prior) * ridge)
    penalty[0] = 0
    y = target.astype(np.float64)
    for _ in range(rounds):
        p = 1 / (1 + np.exp(-np.clip(beta @ a + offset, -30, 30)))
        gradient = a @ (w * (p - y)) + penalty * beta
        hessian = (a * (w * p * (1 - p) + 1e-12)) @ a.T + np.diag(penalty + 1e-12)
        step = np.linalg.solve(hessian, gradient)
        beta -= step
        if np.abs(step).max() < 1e-8:
            break
    full = np.zeros(len(x))
    full[used] = beta / scale[used, 0]
    full[0] -= (full * centre[:, 0])[1:].sum()
    return full
