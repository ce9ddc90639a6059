"""Owns the scoring of a finished ONNX file on a CPU: bona fide speech of people that training never met against attacks, in every condition.

Usage: score.py MODEL.onnx TASK PROTOCOL DATA OPUS_TOOL OUT.json [--conditions clean,telephone] [--bona 300] [--attacks 240] [--only SET,SET] [--fresh]
Writes scores in the form that calibrate.py reads, under the branch name `fused`. Replays are simulated here, with rooms and loudspeakers of other seeds
than in training, and pass through Opus. `--fresh` scores only the people kept for thresholds (kind `fresh`).
"""
import argparse
import json
import subprocess
import tempfile
import time

import numpy as np
import onnxruntime as ort
import torch

import judge
import store
from channel import Channel
from systems import CHOOSE, HELD_REPLAY, REPORT

ap = argparse.ArgumentParser()
for name in ("model", "task", "protocol", "data", "tool", "out"):
    ap.add_argument(name)
ap.add_argument("--conditions", default="clean,tight,telephone,noisy20,noisy10,short2s")
ap.add_argument("--bona", type=int, default=300)
ap.add_argument("--attacks", type=int, default=240)
ap.add_argument("--replays", type=int, default=128)
ap.add_argument("--only", default="")
ap.add_argument("--fresh", action="store_true")
SECONDS = 12
torch.set_num_threads(1)


def recode(x, tool, rate=20000):
    with tempfile.TemporaryDirectory() as d:
        x.clamp(-32768, 32767).numpy().round().astype(np.int16).tofile(f"{d}/i")
        open(f"{d}/l", "w").write(f"{x.shape[1]} {rate}\n" * len(x))
        subprocess.run([tool, "recode", f"{d}/i", f"{d}/l", f"{d}/o"], check=True)
        return list(np.fromfile(f"{d}/o", np.int16).reshape(x.shape))


@torch.no_grad()
def replays(sets, tool, count):
    g = torch.Generator()
    g.manual_seed(77)
    st = store.Store("cpu")
    st.add("dev", [w for n, (k, ws) in sorted(sets.items()) if k == "dev" for w in ws[::4]])
    ch = Channel("cpu", torch.from_numpy(np.concatenate(sets["esc10-dev"][1])), seed=78, rirs=60)
    made = {}
    for speaker, room in HELD_REPLAY[:3]:
        x = torch.cat([ch.line(ch.replay(st.draw("dev", 16, g), speaker, room), p_noise=0.66, p_narrow=0, p_limit=0, snr=(20, 45)) for _ in range(count // 16)])
        made[("replay", f"replay-{speaker}-{room}")] = recode(x, tool)
    for room in ("tail", "image"):
        made[("near", "near-" + room)] = recode(torch.cat([ch.near(st.draw("dev", 16, g), room) for _ in range(count // 32)]), tool)
    return made


def main(a):
    t0 = time.time()
    pick = np.random.default_rng(4)
    some = lambda ws, n: ws if len(ws) <= n else [ws[i] for i in sorted(pick.choice(len(ws), n, replace=False))]
    sets = {}
    for name, kind, rows in store.read(a.data, a.tool):
        if kind in ("dev", "noise-dev", "fresh") or name in CHOOSE | REPORT:
            sets.setdefault(name, (kind, []))[1].extend(x for _, x in rows)
    want = a.only.split(",") if a.only else None
    bona = "fresh" if a.fresh else "dev"
    evals = {("bonafide", n): some(ws, a.bona) for n, (k, ws) in sorted(sets.items()) if k == bona}
    if not a.fresh and a.task == "synthetic":
        evals.update({("spoof", n): some(sets[n][1], a.attacks) for n in sorted(CHOOSE | REPORT) if n in sets})
    elif not a.fresh:
        evals.update(replays(sets, a.tool, a.replays))
    if want:
        evals = {k: v for k, v in evals.items() if k[1] in want}
    noise = np.concatenate(sets["esc10-dev"][1])
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    net = ort.InferenceSession(a.model, options)
    rows = []
    for cond in a.conditions.split(","):
        for (kind, name), waves in evals.items():
            per = []
            for i, x in enumerate(waves):
                w = np.stack(judge.windows(judge.condition(x[: SECONDS * judge.SR], cond, noise, np.random.default_rng(i)))).astype(np.float32)
                per.append(round(float(np.mean([net.run(None, {"wave": one[None]})[0] for one in w])), 3))
            rows.append({"net": f"{a.task}/fused/{a.protocol}", "kind": kind, "set": name, "condition": cond, "scores": per})
        json.dump({"rows": rows}, open(a.out, "w"))
        print(f"[{a.task}/{a.protocol} {time.time() - t0:.0f}s]", cond, flush=True)


if __name__ == "__main__":
    main(ap.parse_args())
