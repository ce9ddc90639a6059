"""Owns the attack material that is made on the GPU: copy-synthesis (signal processing and neural) and simulated replays of bona fide speech,
each passed through Opus like everything else. Runs beside train.py and hands over folder by folder.

Usage: vocode.py DATA OUT OPUS_TOOL --part fixed [--small]                                  signal processing and replays, once
       vocode.py DATA OUT OPUS_TOOL --part NAME --families A,B --seconds 300 [--small]      trains vocoders, hands over copies at three moments
       vocode.py DATA OUT OPUS_TOOL --part report --families flow --seconds 300 [--small]   trains a vocoder whose copies are only for judging

Copies come in pairs: `orig:NAME` holds the very crops that `NAME` was made from, through Opus at the same rates, so that neither words, noise nor codec
tell them apart.
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
from neural_vocoders import make_vocoder
from systems import HELD_REPLAY as HELD, SEEN_REPLAY as SEEN

ap = argparse.ArgumentParser()
ap.add_argument("data"), ap.add_argument("out"), ap.add_argument("tool")
ap.add_argument("--part", default="fixed")
ap.add_argument("--families", default="")
ap.add_argument("--seconds", type=float, default=110)
ap.add_argument("--no-replay", action="store_true", help="the playback task is not trained this time")
ap.add_argument("--small", action="store_true")
a = ap.parse_args()
dev = "cuda" if torch.cuda.is_available() else "cpu"
torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
t0 = time.time()
say = lambda *m: print("[vocode %s %.0fs]" % (a.part, time.time() - t0), *m, flush=True)
rng, g = random.Random(7 + len(a.families)), torch.Generator(device=dev)
g.manual_seed(7 + len(a.families))
torch.manual_seed(7 + len(a.families))
SMALL = a.small
N_DSP, N_NEURAL, N_REPLAY, BATCH = (4, 4, 4, 4) if SMALL else (1024, 512, 768, 64)

sets, dev_waves, noise = {}, [], []
for name, kind, rows in store.read(a.data, a.tool):
    if kind == "bonafide":
        sets.setdefault(name, []).extend(x for _, x in rows)
    elif kind == "dev":
        dev_waves += [x for i, (_, x) in enumerate(rows) if i % 4 == 0]
    elif kind == "noise":
        noise += [x for _, x in rows]
st = store.Store(dev)
for name, waves in sets.items():
    st.add(name, waves[:20] if SMALL else waves)
if dev_waves:
    st.add("dev", dev_waves[:8] if SMALL else dev_waves)
SHARE = {"cv": 0.62, "libri": 0.14, "so762": 0.1, "gsc": 0.14}
names = sorted(sets)
share = [SHARE.get(n, 0.1) for n in names]
say({n: len(w) for n, w in sets.items()}, "dev", len(dev_waves))


def draw(n):
    picks = rng.choices(names, share, k=n)
    return torch.cat([st.draw(s, picks.count(s), g) for s in sorted(set(picks))])


class Recoder:
    """Encodes and decodes with Opus on the CPU cores while the GPU goes on."""

    def __init__(self):
        self.open = []

    def put(self, folder, name, kind, waves, plain=0.25, rates=None):
        os.makedirs(f"{a.out}/{folder}.part", exist_ok=True)
        rows = np.concatenate([w.cpu().numpy() for w in waves]).clip(-32768, 32767).astype(np.int16)
        rates = rates or [0 if rng.random() < plain else rng.choice([10000, 14000, 18000, 18000, 20000, 20000, 24000, 32000, -9000]) for _ in rows]
        step = max(1, len(rows) // (1 if SMALL else 4))
        for k in range(0, len(rows), step):
            part = rows[k:k + step]
            base = f"{a.out}/{folder}.part/{name.replace(':', '_')}.{kind}.{k:06d}"
            part.tofile(base + ".in")
            with open(base + ".len", "w") as f:
                f.write("".join(f"{part.shape[1]} {r}\n" for r in rates[k:k + step]))
            self.open.append((subprocess.Popen([a.tool, "recode", base + ".in", base + ".len", base + ".out"]), folder, base, name, kind, len(part), part.shape[1]))
        return rates

    def finish(self, folder):
        for p, f, base, name, kind, n, length in [o for o in self.open if o[1] == folder]:
            if p.wait() != 0:
                raise RuntimeError("recode failed " + base)
            os.remove(base + ".in"), os.remove(base + ".len")
            x = np.fromfile(base + ".out", np.int16).reshape(n, length)
            os.remove(base + ".out")
            store.write(base, name, kind, [(i, w) for i, w in enumerate(x)])
        self.open = [o for o in self.open if o[1] != folder]
        os.rename(f"{a.out}/{folder}.part", f"{a.out}/{folder}")
        say(folder, "ready")


rec = Recoder()


def pairs(folder, name, make, count):
    before = [draw(BATCH).round() for _ in range(max(1, count // BATCH))]
    rates = rec.put(folder, name, "spoof", [make(x) for x in before])
    rec.put(folder, "orig:" + name, "orig", before, rates=rates)


@torch.no_grad()
def fixed():
    for kind in KINDS:
        pairs("dsp", "dsp-" + kind, lambda x: copy_synthesis(kind, x, rng), N_DSP)
    say("dsp made")
    rec.finish("dsp")
    if a.no_replay:
        return
    ch = Channel(dev, torch.from_numpy(np.concatenate(noise)).to(dev), seed=11, rirs=8 if SMALL else 400)
    for speaker, room in SEEN + HELD:
        count = N_REPLAY if (speaker, room) in SEEN else N_REPLAY // 2
        waves = [ch.replay(draw(BATCH), speaker, room) for _ in range(max(1, count // BATCH))]
        rec.put("replay", f"replay-{speaker}-{room}", "replay", waves)
        # two thirds of the judged replays carry a little room noise of the second microphone
        waves = [ch.line(ch.replay(st.draw("dev", BATCH, g), speaker, room), p_noise=0.66, p_narrow=0, p_limit=0, snr=(20, 45)) for _ in range(1 if SMALL else 3)]
        rec.put("replay", f"replay-{speaker}-{room}", "replay-dev", waves, plain=0)
    for room in ("tail", "bands", "image"):
        waves = [ch.near(draw(BATCH), room) for _ in range(max(1, N_REPLAY // BATCH))]
        rec.put("replay", f"near-{room}", "near", waves)
        rec.put("replay", f"near-{room}", "near-dev", [ch.near(st.draw("dev", BATCH, g), room) for _ in range(1 if SMALL else 2)], plain=0)
    say("replays made")
    rec.finish("replay")


def judged(folder, v):
    """Copies of whole recordings of people that training never meets, as a pack."""
    os.makedirs(f"{a.out}/{folder}", exist_ok=True)
    rows = []
    for name, kind, found in store.read(a.data, a.tool):
        if kind == "dev":
            rows += [(s, x) for s, x in found if len(x) >= 2 * store.SR][:4 if SMALL else 70]
    base = f"{a.out}/{folder}/neural-{v.family}"
    store.write(base, f"neural-{v.family}", "spoof", [(s, v.copy(torch.from_numpy(x[: 8 * store.SR]).to(dev).float()[None], rng)[0].cpu().numpy()) for s, x in rows])
    with open(base + ".len", "w") as f:
        f.write("".join(f"{min(len(x), 8 * store.SR)} {rng.choice([16000, 18000, 20000, 22000, 24000])}\n" for _, x in rows))
    subprocess.run([a.tool, "pack", base + ".raw", base + ".len", base + ".pack"], check=True)
    os.remove(base + ".raw"), os.remove(base + ".len")
    say("judged", folder, len(rows))


def neural():
    vocs = [make_vocoder(f, dev) for f in a.families.split(",")]
    begin, i, seg, handed = time.time(), 0, 12800, 0
    moments = (1.0,) if a.part == "report" else (0.3, 0.65, 1.0)
    while handed < len(moments):
        spent = (time.time() - begin) / a.seconds
        if spent >= moments[handed] or (SMALL and i >= 2 * (handed + 1)):
            folder = "report" if a.part == "report" else f"neural-{a.part}-{handed}"
            for v in vocs:
                v.gen.eval()
                if a.part == "report":
                    judged(folder, v)
                    continue
                pairs(folder, f"neural-{v.family}@{handed}", lambda x: v.copy(x, rng), N_NEURAL)
                v.gen.train()
            if a.part != "report":
                rec.finish(folder)
            handed += 1
            continue
        for v in vocs:
            x = draw(4 if SMALL else 32)
            k = rng.randrange(0, x.shape[1] - seg)
            x = x[:, k:k + seg] if not SMALL else x[:, :2560 * 2]
            x = x / x.abs().amax(1, keepdim=True).clamp_min(300) * rng.uniform(0.3, 0.9)
            lr = 8e-4 * min(1, (i + 1) / 50) * max(0.1, 1 - spent)
            for o in (v.og, v.od):
                o.param_groups[0]["lr"] = lr
            loss = v.step(x, adversarial=i > (0 if SMALL else 150))
            if i % 200 == 0:
                say(v.family, i, "loss %.3f" % loss.item())
        i += 1
    say("vocoder steps", i)


fixed() if a.part == "fixed" else neural()
say("done")
