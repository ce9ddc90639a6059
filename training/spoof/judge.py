"""Owns the scoring of evaluation speech under conditions, and the error rates made from the scores."""
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import torch

from store import speech_span

SR, WINDOW = 16000, 64000
CONDITIONS = ("clean", "tight", "telephone", "noisy20", "noisy10", "short2s")


def windows(x):
    """The serving rule: tile what is short, windows of 4 s, a last one that ends at the end, at most 8."""
    n = len(x)
    if n < WINDOW:
        return [np.tile(x, -(-WINDOW // n))[:WINDOW]]
    starts = list(range(0, n - WINDOW + 1, WINDOW))
    if n - starts[-1] - WINDOW >= 16000:
        starts.append(n - WINDOW)
    if len(starts) > 8:
        starts = [starts[int(i * (len(starts) - 1) / 7 + 0.5)] for i in range(8)]
    return [x[s:s + WINDOW] for s in starts]


def telephone(x):
    n = 1 << int(np.ceil(np.log2(len(x) + 4000)))
    f = np.fft.rfftfreq(n, 1 / SR)
    H = 1 / (1 + np.exp(-np.clip((f - 280) / 15, -60, 60))) / (1 + np.exp(np.clip((f - 3400) / 30, -60, 60)))
    y = np.fft.irfft(np.fft.rfft(x, n) * H, n)[: len(x)] / 32768
    c = np.round(np.sign(y) * np.log1p(255 * np.abs(y)) / np.log(256) * 127) / 127
    return np.sign(c) * (256 ** np.abs(c) - 1) / 255 * 32768


def condition(x, name, noise, rng):
    x = x.astype(np.float64)
    if name == "telephone":
        return telephone(x)
    if name.startswith("noisy"):
        k = rng.integers(0, len(noise) - len(x) - 1)
        z = noise[k:k + len(x)].astype(np.float64)
        return x + z * np.sqrt((x ** 2).mean() / ((z ** 2).mean() + 1.0)) * 10 ** (-int(name[5:]) / 20)
    if name == "far":  # a room of 0.4 s, its tail 3 dB under the direct sound
        t = np.arange(int(0.5 * SR)) / SR
        tail = np.random.default_rng(4).standard_normal(len(t)) * 10 ** (-3 * t / 0.4) * (t > 0.004)
        tail *= 10 ** (-3 / 20) / np.sqrt((tail ** 2).sum())
        n = 1 << int(np.ceil(np.log2(len(x) + len(t))))
        return x + np.fft.irfft(np.fft.rfft(x, n) * np.fft.rfft(tail, n), n)[: len(x)]
    if name == "short2s":
        return x[: 2 * SR]
    if name == "tight":  # nothing around the speech
        low, high = speech_span(x, 22)
        return x[low:high]
    return x


class Bench:
    """Evaluation windows in every condition, made once and kept on the device."""

    def __init__(self, evals, noise, dev, small=False, cap=240, conditions=CONDITIONS):
        rng, self.parts, size = np.random.default_rng(99), [], 256 if dev == "cuda" else 8
        pool = ThreadPoolExecutor(12)
        for (kind, name), waves in sorted(evals.items()):
            most = 2 * cap if kind == "bonafide" else cap
            if len(waves) > most:
                waves = [waves[i] for i in sorted(rng.choice(len(waves), most, replace=False))]
            waves = waves[:3] if small else waves
            for cond in conditions:
                wins, owner = [], []
                job = lambda ix: windows(condition(ix[1][: 12 * SR], cond, noise, np.random.default_rng(ix[0])))
                for i, ws in enumerate(pool.map(job, enumerate(waves))):
                    wins += [w.astype(np.float32) for w in ws]
                    owner += [i] * len(ws)
                batch = [torch.from_numpy(np.stack(wins[k:k + size])).to(dev) for k in range(0, len(wins), size)]
                self.parts.append((kind, name, cond, np.array(owner), len(waves), batch))

    @torch.no_grad()
    def score(self, nets):
        rows = []
        for kind, name, cond, owner, count, batch in self.parts:
            for key, net in nets.items():
                if (key[0] == "synthetic") != (kind in ("spoof", "bonafide")) and kind != "bonafide":
                    continue
                z = torch.cat([net(b).float() for b in batch]).cpu().numpy()
                per = [round(float(z[owner == i].mean()), 3) for i in range(count)]
                rows.append({"net": "/".join(key), "kind": kind, "set": name, "condition": cond, "scores": per})
        return rows


def eer(bona, attack):
    """Equal error rate as a fraction; higher score = attack."""
    bona, attack = np.sort(bona), np.sort(attack)
    th = np.sort(np.concatenate([bona, attack]))
    miss = np.searchsorted(attack, th, "left") / len(attack)
    false = 1 - np.searchsorted(bona, th, "left") / len(bona)
    i = np.argmin(np.abs(miss - false))
    return float((miss[i] + false[i]) / 2)


def table(rows, net, cond, kinds_bona=("bonafide",), bona_cond=None):
    pick = lambda r: r["net"] == net and r["condition"] == cond
    bona = np.concatenate([r["scores"] for r in rows if r["kind"] in kinds_bona and r["net"] == net and r["condition"] == (bona_cond or cond)])
    return {r["set"]: (eer(bona, np.array(r["scores"])), len(r["scores"])) for r in rows if pick(r) and r["kind"] in ("spoof", "replay")}, bona


def print_summary(rows, held):
    for net in sorted({r["net"] for r in rows}):
        for cond in [c for c in CONDITIONS if any(r["condition"] == c for r in rows)]:
            t, bona = table(rows, net, cond, ("bonafide",) if net.startswith("synthetic") else ("bonafide", "near"))
            print(net, cond, "bona", len(bona), " ".join(f"{s}{'*' if s in held else ''}:{100 * e:.1f}" for s, (e, _) in sorted(t.items())), flush=True)
