"""Owns the attack material that is made on the GPU: copy-synthesis (signal processing and neural) and simulated replays of bona fide speech,
each passed through Opus like everything else. Runs beside train.py and hands over folder by folder.

Usage: vocode.py DATA OUT OPUS_TOOL --seconds 110 [--small]
"""
import argparse
import os
import random
import subprocess
import time

import numpy as np
import torch

import store
from channel import Channel
from dsp_vocoders import KINDS, copy_synthesis
from neural_vocoders import FAMILIES, Vocoder

ap = argparse.ArgumentParser()
ap.add_argument("data"), ap.add_argument("out"), ap.add_argument("tool")
ap.add_argument("--seconds", type=float, default=110)
ap.add_argument("--small", action="store_true")
a = ap.parse_args()
dev = "cuda" if torch.cuda.is_available() else "cpu"
torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
t0 = time.time()
say = lambda *m: print("[vocode %.0fs]" % (time.time() - t0), *m, flush=True)
rng, g = random.Random(7), torch.Generator(device=dev)
g.manual_seed(7)
SMALL = a.small
N_DSP, N_NEURAL, N_REPLAY, BATCH = (4, 4, 4, 4) if SMALL else (512, 1024, 768, 64)

bona, dev_waves, noise = [], [], []
for name, kind, rows in store.read(a.data, a.tool):
    if kind == "bonafide":
        bona += [x for _, x in rows]
    elif kind == "dev":
        dev_waves += [x for i, (_, x) in enumerate(rows) if i % 4 == 0]
    elif kind == "noise":
        noise += [x for _, x in rows]
st = store.Store(dev)
st.add("bona", bona[:20] if SMALL else bona)
st.add("dev", dev_waves[:8] if SMALL else dev_waves)
say("bona", len(bona), "dev", len(dev_waves))


class Recoder:
    """Encodes and decodes with Opus on the CPU cores while the GPU goes on."""

    def __init__(self):
        self.open = []

    def put(self, folder, name, kind, waves, plain=0.25):
        os.makedirs(f"{a.out}/{folder}.part", exist_ok=True)
        rows = np.concatenate([w.cpu().numpy() for w in waves]).astype(np.int16)
        step = max(1, len(rows) // (1 if SMALL else 4))
        for k in range(0, len(rows), step):
            part = rows[k:k + step]
            base = f"{a.out}/{folder}.part/{name}.{kind}.{k}"
            part.tofile(base + ".in")
            rate = lambda: 0 if rng.random() < plain else rng.choice([10000, 14000, 18000, 18000, 20000, 20000, 24000, 32000, -9000])
            with open(base + ".len", "w") as f:
                f.write("".join(f"{part.shape[1]} {rate()}\n" for _ in part))
            self.open.append((subprocess.Popen([a.tool, "recode", base + ".in", base + ".len", base + ".out"]), folder, base, name, kind, len(part), part.shape[1]))

    def finish(self, folder):
        for p, f, base, name, kind, n, length in [o for o in self.open if o[1] == folder]:
            if p.wait() != 0:
                raise RuntimeError("recode failed " + base)
            os.remove(base + ".in"), os.remove(base + ".len")
            x = np.fromfile(base + ".out", np.int16).reshape(n, length)
            os.remove(base + ".out")
            store.write(base, name, kind, [(i, w) for i, w in enumerate(x)])
        os.rename(f"{a.out}/{folder}.part", f"{a.out}/{folder}")
        say(folder, "ready")


rec = Recoder()
with torch.no_grad():
    for kind in KINDS:
        waves = [copy_synthesis(kind, st.draw("bona", BATCH, g), rng) for _ in range(N_DSP // BATCH)]
        rec.put("dsp", "dsp-" + kind, "spoof", waves)
        rec.put("dsp", "dsp-" + kind, "spoof-dev", [copy_synthesis(kind, st.draw("dev", BATCH, g), rng)], plain=0)
    say("dsp made")
    ch = Channel(dev, torch.from_numpy(np.concatenate(noise)).to(dev), seed=11, rirs=8 if SMALL else 400)
    for speaker, room, share in (("peaks", "tail", 1.0), ("smooth", "image", 0.7), ("peaks", "image", 0.4), ("smooth", "tail", 0.4)):
        waves = [ch.replay(st.draw("bona", BATCH, g), speaker, room) for _ in range(max(1, int(N_REPLAY * share) // BATCH))]
        rec.put("replay", f"replay-{speaker}-{room}", "replay", waves)
        # two thirds of the judged replays carry a little room noise of the second microphone
        waves = [ch.line(ch.replay(st.draw("dev", BATCH, g), speaker, room), p_noise=0.66, p_narrow=0, p_limit=0, snr=(20, 45)) for _ in range(1 if SMALL else 3)]
        rec.put("replay", f"replay-{speaker}-{room}", "replay-dev", waves, plain=0)
    for room in ("tail", "image"):
        waves = [ch.near(st.draw("bona", BATCH, g), room) for _ in range(max(1, N_REPLAY // BATCH))]
        rec.put("replay", f"near-{room}", "near", waves)
        rec.put("replay", f"near-{room}", "near-dev", [ch.near(st.draw("dev", BATCH, g), room) for _ in range(1 if SMALL else 2)], plain=0)
    say("replays made")
rec.finish("dsp")
rec.finish("replay")

vocs = [Vocoder(f, dev) for f in FAMILIES]
end, i, seg = t0 + a.seconds, 0, 12800
while time.time() < end and not (SMALL and i >= 2):
    for v in vocs:
        x = st.draw("bona", 4 if SMALL else 40, g)
        k = rng.randrange(0, x.shape[1] - seg)
        x = x[:, k:k + seg] if not SMALL else x[:, :2560 * 2]
        x = x / x.abs().amax(1, keepdim=True).clamp_min(300) * rng.uniform(0.3, 0.9)
        lr = 8e-4 * min(1, (i + 1) / 50) * max(0.1, (end - time.time()) / a.seconds)
        for o in (v.og, v.od):
            o.param_groups[0]["lr"] = lr
        loss = v.step(x, adversarial=i > (0 if SMALL else 120))
        if i % 100 == 0:
            say(v.family, i, "loss %.3f" % loss.item())
    i += 1
say("vocoder steps", i)
for v in vocs:
    v.gen.eval()
    rec.put("neural", "neural-" + v.family, "spoof", [v.copy(st.draw("bona", BATCH, g), rng) for _ in range(N_NEURAL // BATCH)])
    rec.put("neural", "neural-" + v.family, "spoof-dev", [v.copy(st.draw("dev", BATCH, g), rng) for _ in range(1 if SMALL else 3)], plain=0)
rec.finish("neural")
say("done")
