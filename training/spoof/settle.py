"""Owns the last step of training, done on a CPU: averaged weights need batch-norm statistics of their own. The statistics that were averaged along
with the weights are too wide for them and squeeze the scores, so they are measured again on training-like batches.

Usage: settle.py DATA DETECTORS.pt TASK PROTOCOL NET[,NET] OPUS_TOOL OUT.pt [--batches 12]
DATA: packs of `prepare.py`, both parts in one folder.
"""
import argparse
import random
import time

import numpy as np
import torch

import nets
import store
from channel import Channel
from dsp_vocoders import KINDS, copy_synthesis

HELD_OUT = {"kokoro-v1", "kokoro-v019", "mimic3", "festival-hts", "openjtalk", "dsp-source-filter", "dsp-mel-gl"}
WEIGHT = {"piper": 5, "ttsvctk": 3, "mimic3": 2, "kokoro-v1": 2, "kokoro-v019": 2, "sam": 0.5, "festival-units": 0.5}
MAKE = {"wide": nets.wide_branch, "fine": nets.fine_branch, "cmn": nets.wide_cmn_branch}

ap = argparse.ArgumentParser()
for name in ("data", "weights", "task", "protocol", "nets", "tool", "out"):
    ap.add_argument(name)
ap.add_argument("--batches", type=int, default=12)
a = ap.parse_args()
torch.set_num_threads(1)
t0 = time.time()
say = lambda *m: print("[settle %s/%s %.0fs]" % (a.task, a.protocol, time.time() - t0), *m, flush=True)
g, rng = torch.Generator(), random.Random(21)
g.manual_seed(21)
hold = a.protocol == "hold"
st, noise, tts, bona = store.Store("cpu"), [], {}, []
for name, kind, rows in store.read(a.data, a.tool):
    waves = [x for _, x in rows]
    if kind == "bonafide":
        bona += waves
    elif kind == "spoof":
        tts[name] = waves
    elif kind == "noise":
        noise += waves
st.add("bona", bona)
for name, waves in tts.items():
    st.add(name, waves)
ch = Channel("cpu", torch.from_numpy(np.concatenate(noise)), seed=31, rirs=60)
systems = [s for s in sorted(tts) if not (hold and s in HELD_OUT)]
kinds = [k for k in KINDS if not (hold and "dsp-" + k in HELD_OUT)]
say("systems", systems, kinds)


def draw_tts(n):
    return torch.cat([st.draw(s, 1, g) for s in rng.choices(systems, [WEIGHT.get(s, 1) for s in systems], k=n)])


def synthetic_batch():
    x = torch.cat([st.draw("bona", 16, g), draw_tts(11)] + [copy_synthesis(k, st.draw("bona", 1, g), rng) for k in rng.sample(kinds, 4)] + [draw_tts(1)])
    return ch.line(ch.light(x, rng.choice(["tail", "image"])))


def playback_batch():
    rooms = ["tail"] if hold else ["tail", "image"]
    speakers = ["peaks"] if hold else ["peaks", "smooth"]
    honest = [st.draw("bona", 6, g), draw_tts(3), ch.near(st.draw("bona", 7, g), rng.choice(rooms))]
    replayed = [ch.replay(torch.cat([st.draw("bona", 6, g), draw_tts(2)]), rng.choice(speakers), rng.choice(rooms)) for _ in range(2)]
    return ch.line(torch.cat(honest + replayed))


saved = torch.load(a.weights, map_location="cpu")
made = {}
with torch.no_grad():
    batches = [synthetic_batch() if a.task == "synthetic" else playback_batch() for _ in range(a.batches)]
    say("batches")
    for name in a.nets.split(","):
        net = MAKE[name]()
        net.load_state_dict({k: v.float() if v.dtype == torch.float16 else v for k, v in saved[f"{a.task}/{name}/{a.protocol}"].items()}, strict=False)
        net.eval()
        for m in net.modules():
            if isinstance(m, torch.nn.modules.batchnorm._BatchNorm):
                m.reset_running_stats()
                m.momentum = None
                m.train()
        for x in batches:
            net(x)
        net.eval()
        made[f"{a.task}/{name}/{a.protocol}"] = {k: v.half() if v.dtype == torch.float32 else v for k, v in net.state_dict().items() if not k.endswith("basis")}
torch.save(made, a.out)
say("settled")

