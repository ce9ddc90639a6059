"""Owns what answers score: exactly these digits in this order, other speech allowed before and after them, against anything else. The product does the same (src/voice/words/score-words.ts).

Usage: judge.py FEATURES HEAD.pt [CALIBRATION.json]      calibration on the speakers that choose, figures of those that judge
"""
import json
import sys

import numpy as np
import torch

from answers import FILLER
from head import CLASSES, Head, Heard
from split import CHOOSE, JUDGE


def log_probability(p, digits):
    """Of these digits in this order, with other speech before and after or without; p [T, C]."""
    states = [1 + FILLER, 0]
    for d in digits:
        states += [1 + d, 0]
    if digits:
        states += [1 + FILLER, 0]
    n = len(states); a = np.eye(n)
    for i in range(1, n):
        a[i - 1, i] = 1
        if states[i] and i > 1 and states[i] != states[i - 2]:
            a[i - 2, i] = 1
        if states[i - 1] == 1 + FILLER:
            a[i, i - 1] = 1  # other speech comes in several runs
    e = p[:, states]
    now = np.zeros(n); now[:3] = 1; now = now * e[0]
    total = 0.0
    for k in range(len(p)):
        if k:
            now = (now @ a) * e[k]
        z = now.sum()
        if z <= 0:
            return -1e3
        total += np.log(z); now = now / z
    # ends: behind the last digit, its silence, or other speech
    return total + np.log(max(1e-300, now[-4:].sum()))


def evidence(p, digits):
    """Natural-log odds of these digits, at most 30 either way."""
    l = log_probability(p, digits)
    return float(np.clip(l - np.log(-np.expm1(min(l, -1e-13))), -30, 30))


def probabilities(net, x):
    with torch.no_grad():
        return net(torch.from_numpy(x.astype(np.float32))[None])[0, :, :CLASSES].double().softmax(-1).numpy()


def trials(net, heard, chosen, rng):
    """(kind, speaker, scores of what was said, scores of what was not), answer by answer."""
    out = []
    for i in chosen:
        kind, p = heard.kinds[i], probabilities(net, heard.x[i])
        said = [l for l in heard.labels[i] if l != FILLER]
        right = kind in ("mulaw", "quick", "phone", "behind", "around")
        row = {"kind": kind, "speaker": heard.speakers[i], "said": said}
        if right:
            row["right"] = evidence(p, said)
            wrong = [said[:k] + [d] + said[k + 1:] for k in range(4) for d in range(10) if d != said[k]]
            row["wrong"] = [evidence(p, w) for w in wrong]
            row["missing"] = [evidence(p, said[:k] + [int(rng.integers(10))] + said[k:]) for k in range(5)]
            row["added"] = [evidence(p, said[:k] + said[k + 1:]) for k in range(4)]
            row["order"] = [evidence(p, said[:k] + [said[k + 1], said[k]] + said[k + 2:]) for k in range(3) if said[k] != said[k + 1]]
        elif kind in ("two", "double"):
            row["right"] = evidence(p, said)
        else:
            row["none"] = [evidence(p, [int(d) for d in rng.integers(0, 10, 4)]) for _ in range(5)]
        out.append(row)
    return out


def interval(k, n):
    """Wilson, 95 %."""
    if n == 0: return (0, 1)
    z = 1.96; q = k / n; m = (q + z * z / (2 * n)) / (1 + z * z / n); h = z * np.sqrt(q * (1 - q) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return max(0.0, m - h), min(1.0, m + h)


def table(rows, line):
    out = {}
    for kind in ("mulaw", "quick", "phone", "behind", "around", "two", "double"):
        r = [x["right"] for x in rows if x["kind"] == kind]
        k = sum(s < line for s in r); out[kind + " refused"] = (k, len(r), *interval(k, len(r)))
    for what in ("wrong", "missing", "added", "order"):
        for kind in ("mulaw", "phone"):
            s = [v for x in rows if x["kind"] == kind for v in x[what]]
            k = sum(v >= line for v in s); out[f"{what} ({kind}) accepted"] = (k, len(s), *interval(k, len(s)))
    for kind in ("speech", "silence", "noise"):
        s = [v for x in rows if x["kind"] == kind for v in x["none"]]
        k = sum(v >= line for v in s); out[kind + " accepted"] = (k, len(s), *interval(k, len(s)))
    return out


def calibrated(rows):
    """Logistic regression of right against wrong, both as likely; other answers than those that were asked for weigh as much as one word in the place of another."""
    right = np.array([x["right"] for x in rows if "wrong" in x])
    wrong = np.array([v for x in rows for what in ("wrong", "missing", "added", "order", "none") for v in x.get(what, [])])
    x = np.concatenate([right, wrong]); y = np.concatenate([np.ones(len(right)), np.zeros(len(wrong))])
    w = np.where(y == 1, 0.5 / len(right), 0.5 / len(wrong))
    a, b = 0.5, 0.0
    for _ in range(200):  # Newton, held near the start where nothing is confused
        p = 1 / (1 + np.exp(-(a * x + b)))
        g = np.array([(w * (p - y) * x).sum() + 1e-4 * a, (w * (p - y)).sum()])
        h = w * p * (1 - p)
        m = np.array([[(h * x * x).sum() + 1e-4, (h * x).sum()], [(h * x).sum(), h.sum() + 1e-9]])
        a, b = np.array([a, b]) - np.linalg.solve(m, g)
    return float(a), float(b)


def line_for(rows, share):
    """The lowest line that at most this share of answers with a wrong, missing, added or moved digit passes."""
    wrong = np.sort([v for x in rows for what in ("wrong", "missing", "added", "order") for v in x.get(what, [])])[::-1]
    return float(wrong[int(share * len(wrong))]) + 1e-6


if __name__ == "__main__":
    saved = torch.load(sys.argv[2]); net = Head(); net.load_state_dict(saved["head"]); net.eval()
    torch.set_num_threads(1)
    heard = Heard(sys.argv[1], "judge", saved["layer"])
    rng = np.random.default_rng(5)
    choose, judge = ([trials(net, heard, [i for i, s in enumerate(heard.speakers) if s in who], rng)][0] for who in (CHOOSE, JUDGE))
    a, b = calibrated(choose)
    line = line_for(choose, 0.0005)
    print("calibration", round(a, 4), round(b, 4), "line", round(line, 2), "calibrated", round(a * line + b, 2))
    if len(sys.argv) > 3:
        from pathlib import Path
        Path(sys.argv[3]).write_text(json.dumps({"a": round(a, 4), "b": round(b, 4)}))
    for name, rows in (("choose", choose), ("judge", judge)):
        print(name)
        for what, (k, n, low, high) in table(rows, line).items():
            print(f"  {what:26} {k}/{n}  {100 * k / max(1, n):.2f} % [{100 * low:.2f}-{100 * high:.2f}]")
