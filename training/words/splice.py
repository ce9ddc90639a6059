"""Measures whether joins show: digits that were each recorded in a call of their own against digits joined before one call. Both are joined, so what differs is the calls alone.

Usage: splice.py PACKS LIBS COUNT SEED      nothing ships from it; figures in the model card
"""
import sys

import numpy as np

from answers import RATE, Answers
from split import JUDGE


def rows(x):
    """Log power in 24 bands of 125 to 3,800 Hz, every 10 ms."""
    frames = np.lib.stride_tricks.sliding_window_view(x.astype(np.float64), 400)[::160] * np.hanning(400)
    p = np.abs(np.fft.rfft(frames)) ** 2
    edge = np.geomspace(125, 3800, 25) / 40
    return np.log(np.stack([p[:, int(a):max(int(a) + 1, int(b))].mean(1) for a, b in zip(edge[:-1], edge[1:])], 1) + 1)


def measures(x, spans):
    r = rows(x)
    floor, mean = [], []
    for a, b in spans:
        part = r[max(0, a // 160 - 6):b // 160 + 6]
        floor.append(np.quantile(part, 0.08, axis=0)); mean.append(part.mean(0))
    floor, mean = np.array(floor), np.array(mean)
    level = mean.mean(1)
    shape = lambda v: v - v.mean(1, keepdims=True)
    steps = lambda v: np.abs(np.diff(v, axis=0))
    return np.array([floor.std(0).mean(), floor.mean(1).std(), shape(floor).std(0).mean(), steps(floor).max(), steps(floor.mean(1)).max() if len(spans) > 1 else 0, level.std(), steps(level).max(),
                     shape(mean).std(0).mean(), shape(mean)[:, :4].std(0).mean(), shape(mean)[:, -4:].std(0).mean(), np.quantile(r.mean(1), 0.02), (r.mean(1) < 0.5).mean()])


def answer(a, rng, speaker, spliced):
    digits = [int(d) for d in rng.integers(0, 10, 4)]
    parts = a.said(rng, speaker, digits, plain=True)
    if spliced:  # each cut out of a call of its own, levels evened by the attacker
        wide = [np.pad(x, 1600) for x in parts]
        parts = [a.through(rng, x, "phone")[800:-800].astype(np.float64) for x in wide]
        parts = [x / (np.sqrt((x ** 2).mean()) + 1) for x in parts]
    x, _, spans = a.joined(rng, list(zip(parts, digits)), pace=1)
    return a.through(rng, x, "phone" if not spliced else "mulaw"), spans


def main():
    packs, libs, count, seed = sys.argv[1:5]
    a, rng = Answers(packs, libs), np.random.default_rng(int(seed))
    x, y, who = [], [], []
    for i in range(int(count)):
        speaker = a.speakers[i % len(a.speakers)]
        for spliced in (0, 1):
            x.append(measures(*answer(a, rng, speaker, spliced))); y.append(spliced); who.append(speaker)
    x, y, judge = np.array(x), np.array(y), np.isin(who, JUDGE)
    x = (x - x[~judge].mean(0)) / (x[~judge].std(0) + 1e-6)
    x = np.hstack([x, np.ones((len(x), 1))]); w = np.zeros(x.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-x[~judge] @ w))
        w -= np.linalg.solve((x[~judge] * (p * (1 - p))[:, None]).T @ x[~judge] + 0.5 * np.eye(len(w)), x[~judge].T @ (p - y[~judge]) + 0.5 * w)
    s, t = x[judge] @ w, y[judge]
    lines = np.sort(s)
    eer = min((max(np.mean(s[t == 0] >= l), np.mean(s[t == 1] < l)) for l in lines))
    for share in (0.01, 0.03):
        line = np.quantile(s[t == 0], 1 - share)
        print(f"caught at {100 * share:.0f} % false alarms: {np.mean(s[t == 1] > line):.3f}")
    print("answers judged", len(s), "EER", round(float(eer), 3), "weights", np.round(w, 2))


if __name__ == "__main__":
    main()
