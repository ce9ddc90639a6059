"""Owns the scoring of a finished ONNX file on a CPU: bona fide speech of unseen sets against unseen attacks, in every condition.

Usage: score.py MODEL.onnx TASK PROTOCOL DATA OPUS_TOOL OUT.json
Writes scores in the form that calibrate.py reads, under the branch name `fused`. Replays are simulated here, with rooms and speakers of other seeds
than in training, and pass through Opus.
"""
import json
import subprocess
import sys
import tempfile
import time

import numpy as np
import onnxruntime as ort
import torch

import judge
import store
from channel import Channel

HELD_OUT = ("kokoro-v1", "kokoro-v019", "mimic3", "festival-hts", "openjtalk")
BONA, SECONDS, REPLAYS = 130, 8, 128
CONDITIONS = ("clean", "telephone", "noisy10", "short2s", "noisy20")
torch.set_num_threads(1)


def recode(x, tool, rate=20000):
    with tempfile.TemporaryDirectory() as d:
        x.clamp(-32768, 32767).numpy().round().astype(np.int16).tofile(f"{d}/i")
        open(f"{d}/l", "w").write(f"{x.shape[1]} {rate}\n" * len(x))
        subprocess.run([tool, "recode", f"{d}/i", f"{d}/l", f"{d}/o"], check=True)
        return list(np.fromfile(f"{d}/o", np.int16).reshape(x.shape))


def main(model, task, protocol, data, tool, out):
    t0 = time.time()
    pick = np.random.default_rng(4)
    some = lambda ws, n: ws if len(ws) <= n else [ws[i] for i in sorted(pick.choice(len(ws), n, replace=False))]
    sets = {name: (kind, [x for _, x in rows]) for name, kind, rows in store.read(data, tool) if kind in ("dev", "noise-dev") or name in HELD_OUT or kind == "noise"}
    evals = {("bonafide", n): some(ws, BONA) for n, (k, ws) in sorted(sets.items()) if k == "dev"}
    if task == "synthetic":
        for n in HELD_OUT:
            evals[("spoof", n)] = some(sets[n][1], 70 if protocol == "hold" else 15)
    else:
        g = torch.Generator()
        g.manual_seed(77)
        st = store.Store("cpu")
        st.add("dev", [w for n, (k, ws) in sorted(sets.items()) if k == "dev" for w in ws[::4]])
        ch = Channel("cpu", torch.from_numpy(np.concatenate(sets["esc10-dev" if "esc10-dev" in sets else "esc10"][1])), seed=78, rirs=60)
        with torch.no_grad():
            for speaker in ("peaks", "smooth"):
                for room in ("tail", "image"):
                    x = torch.cat([ch.line(ch.replay(st.draw("dev", 16, g), speaker, room), p_noise=0.66, p_narrow=0, p_limit=0, snr=(20, 45)) for _ in range(REPLAYS // 16)])
                    evals[("replay", f"replay-{speaker}-{room}")] = recode(x, tool)
            for room in ("tail", "image"):
                evals[("near", "near-" + room)] = recode(torch.cat([ch.near(st.draw("dev", 16, g), room) for _ in range(2)]), tool)
    noise = np.concatenate([np.concatenate(ws) for k, ws in sets.values() if k == "noise-dev"])
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    net = ort.InferenceSession(model, options)
    rows = []
    for cond in CONDITIONS:
        for (kind, name), waves in evals.items():
            per = []
            for i, x in enumerate(waves):
                w = np.stack(judge.windows(judge.condition(x[: SECONDS * judge.SR], cond, noise, np.random.default_rng(i)))).astype(np.float32)
                per.append(round(float(net.run(None, {"wave": w})[0].mean()), 3))
            rows.append({"net": f"{task}/fused/{protocol}", "kind": kind, "set": name, "condition": cond, "scores": per})
        json.dump({"held_out": list(HELD_OUT), "rows": rows}, open(out, "w"))
        print(f"[{task}/{protocol} {time.time() - t0:.0f}s]", cond, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:7])
