"""Owns the head that reads digits in what the encoder hears, and its training.

Usage: head.py FEATURES OUT.pt SPEAKERS STEPS [SEED] [LAYER]      SPEAKERS: train (without those of split.py that choose and judge) or all

For each 40 ms the head gives logits of nothing, ten digits and other speech, and one of being inside a digit. It learns from the order of the
labels alone (connectionist temporal classification, where other speech may come in several runs), and where digits lie from the spans.
"""
import sys
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from answers import FILLER

CLASSES = 12  # nothing, digits, other speech
HOP = 640  # of the head: two frames of the encoder


class Head(nn.Module):
    def __init__(self, width=96, inner=512, drop=0.2):
        super().__init__()
        self.norm = nn.LayerNorm(inner)
        self.first = nn.Linear(inner, width)
        self.conv = nn.ModuleList(nn.Conv1d(width, width, 3, padding=d, dilation=d) for d in (1, 2))
        self.drop = nn.Dropout(drop)
        self.last = nn.Linear(width, CLASSES + 1)

    def forward(self, x):
        x = self.drop(F.gelu(self.first(self.drop(self.norm(x))))).transpose(1, 2)
        for conv in self.conv:
            x = x + self.drop(F.gelu(conv(x)))
        return self.last(x.transpose(1, 2))


def lattice(labels):
    """States as of CTC (0: nothing, 1 + label) and which may follow which; other speech may come in several runs."""
    states = [0]
    for label in labels:
        states += [1 + int(label), 0]
    n = len(states)
    a = np.eye(n, dtype=np.float32)
    for i in range(1, n):
        a[i - 1, i] = 1
        if i > 2 and states[i] and states[i] != states[i - 2]:
            a[i - 2, i] = 1
        if states[i] == 1 + FILLER:
            a[i + 1, i] = 1
    return states, a


def occupancy(logp, frames, labels):
    """How probable each class is in each frame, given the labels, and the log probability of the labels; [B, T, C], [B]."""
    p = logp.detach().exp().double().numpy()
    b, t, c = p.shape
    built = [lattice(l) for l in labels]
    s = max(len(x) for x, _ in built)
    a, at, first, last = np.zeros((b, s, s)), np.zeros((b, s), int), np.zeros((b, s)), np.zeros((b, s))
    for i, (x, m) in enumerate(built):
        n = len(x)
        a[i, :n, :n] = m; at[i, :n] = x; first[i, :min(2, n)] = 1; last[i, max(0, n - 2):n] = 1
    e = np.take_along_axis(p, np.broadcast_to(at[:, None], (b, t, s)), 2)
    frames = np.asarray(frames)
    alpha, norm, now = np.zeros((t, b, s)), np.zeros(b), first * e[:, 0]
    for k in range(t):
        if k:
            now = np.where((k < frames)[:, None], np.matmul(now[:, None], a)[:, 0] * e[:, k], now)
        z = np.maximum(now.sum(1), 1e-300)
        norm += np.where(k < frames, np.log(z), 0)
        now = now / z[:, None]; alpha[k] = now
    norm += np.log(np.maximum((now * last).sum(1), 1e-300))
    gamma, beta = np.zeros((b, t, c)), last.copy()
    states = at[..., None] == np.arange(c)
    for k in range(t - 1, -1, -1):
        inside = (k < frames)[:, None]
        g = alpha[k] * beta
        gamma[:, k] = np.matmul((np.where(inside, g, 0) / np.maximum(g.sum(1, keepdims=True), 1e-300))[:, None], states)[:, 0]
        back = np.matmul(a, (e[:, k] * beta)[..., None])[..., 0]
        beta = np.where(inside, back / np.maximum(back.sum(1, keepdims=True), 1e-300), beta)
    return torch.from_numpy(gamma).float(), norm


def paired(x):
    """The mean of every two frames."""
    return x[:len(x) // 2 * 2].astype(np.float32).reshape(-1, 2, x.shape[1]).mean(1).astype(np.float16)


class Heard:
    """Answers with what the encoder hears in them."""

    def __init__(self, folder, kind, layer=6):
        self.x, self.labels, self.spans, self.speakers, self.kinds = [], [], [], [], []
        for path in sorted(Path(folder).glob(f"{kind}-*.npz")):
            z = np.load(path, allow_pickle=True)
            self.x += [paired(x) for x in np.split(z[f"hidden{layer}"], np.cumsum(z["frames"])[:-1])]
            self.labels += list(z["labels"][:-1]); self.spans += list(z["spans"][:-1])
            self.speakers += [str(s) for s in z["speakers"]]; self.kinds += [str(k) for k in z["kinds"]]
        self.frames = [len(x) for x in self.x]

    def inside(self, i):
        """In a digit (1), not (0), or not known (-1): its edges."""
        y = np.zeros(self.frames[i], np.float32)
        for span in self.spans[i]:
            if span is not None:
                a, b = span[0] / HOP, span[1] / HOP
                y[max(0, int(a)):int(b) + 1] = -1
                y[int(a) + 1:max(int(a) + 1, int(b))] = 1
        return y


def train(heard, chosen, steps, seed, drop=0.2):
    torch.manual_seed(seed); rng = np.random.default_rng(seed)
    net = Head(drop=drop)
    # decay on the matrices alone
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=0.02)
    plan = torch.optim.lr_scheduler.OneCycleLR(opt, 2e-3, total_steps=steps, pct_start=0.1)
    by_length = sorted(chosen, key=lambda i: heard.frames[i])
    told, size = [], 16
    for step in range(steps):
        at = rng.integers(0, max(1, len(by_length) - size)); pool = by_length[max(0, at - 4 * size):at + 5 * size]
        rows = rng.choice(pool, min(size, len(pool)), replace=False)
        frames = [heard.frames[i] for i in rows]; t = max(frames)
        x = torch.zeros(len(rows), t, 512); y = torch.full((len(rows), t), -1.0)
        for k, i in enumerate(rows):
            x[k, :frames[k]] = torch.from_numpy(heard.x[i].astype(np.float32)); y[k, :frames[k]] = torch.from_numpy(heard.inside(i))
        for k in range(len(rows)):  # a moment is hidden
            n = int(rng.integers(0, 4)); p = int(rng.integers(0, max(1, frames[k] - n))); x[k, p:p + n] = 0
        net.train()
        z = net(x); logp = z[..., :CLASSES].log_softmax(-1)
        gamma, norm = occupancy(logp, frames, [heard.labels[i] for i in rows])
        known = y >= 0
        loss = -(gamma * logp).sum() / len(rows) + 5 * F.binary_cross_entropy_with_logits(z[..., CLASSES][known], y[known])
        opt.zero_grad(); loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        opt.step(); plan.step()
        told.append(float(-norm.mean()))
        if step % 100 == 99:
            print(step + 1, "loss", round(float(np.mean(told[-100:])), 3), flush=True)
    return net.eval()


if __name__ == "__main__":
    from split import CHOOSE, JUDGE
    folder, out, who, steps = sys.argv[1:5]
    seed, layer = (int(sys.argv[5]) if len(sys.argv) > 5 else 1), (int(sys.argv[6]) if len(sys.argv) > 6 else 6)
    torch.set_num_threads(1)
    heard = Heard(folder, "train", layer)
    away = set() if who == "all" else {*CHOOSE, *JUDGE}
    chosen = [i for i, s in enumerate(heard.speakers) if s not in away]
    print(len(chosen), "answers of", len({heard.speakers[i] for i in chosen}), "speakers")
    net = train(heard, chosen, int(steps), seed)
    torch.save({"head": net.state_dict(), "layer": layer, "speakers": who}, out)
