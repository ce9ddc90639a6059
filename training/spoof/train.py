"""Owns the training of one detector: each batch is made once and shown to every network of the task.

For each network there are two copies: `hold` never sees the held-out systems (or loudspeakers and rooms): its scores on them are the figures that the
cards report; `all` sees everything and ships. Held-out systems are of two kinds: `choose` (any choice is made on them) and `report` (looked at once).

Usage: train.py DATA MADE OUT OPUS_TOOL --task synthetic --seconds 1000 [--graph] [--small]     MADE: the folder that vocode.py fills meanwhile
"""
import argparse
import copy
import json
import math
import os
import random
import time

import numpy as np
import torch
import torch.nn.functional as F

import judge
import store
from channel import Channel
from nets import BRANCHES
from systems import CHOOSE, HELD_OUT, HELD_REPLAY, SEEN_REPLAY, WEIGHT

ap = argparse.ArgumentParser()
ap.add_argument("data"), ap.add_argument("made"), ap.add_argument("out"), ap.add_argument("tool")
ap.add_argument("--task", default="synthetic")
ap.add_argument("--seconds", type=float, default=240)
ap.add_argument("--batch", type=int, default=256)
ap.add_argument("--lr", type=float, default=1.2e-3)
ap.add_argument("--plan", default="wide,short,long", help="which networks")
ap.add_argument("--graph", action="store_true", help="replay each training step as one CUDA graph")
ap.add_argument("--small", action="store_true")
a = ap.parse_args()
dev = "cuda" if torch.cuda.is_available() else "cpu"
torch.backends.cudnn.benchmark = True
t0 = time.time()
say = lambda *m: print("[%s %.0fs]" % (a.task, time.time() - t0), *m, flush=True)
g = torch.Generator(device=dev)
g.manual_seed(3)
torch.manual_seed(5)
rng = random.Random(3)
st, evals, noise, noise_dev = store.Store(dev), {}, [], []
groups = {"bona": [], "tts": [], "dsp": [], "neural": [], "replay": [], "near": []}
synthetic = a.task == "synthetic"


def take(folder, group):
    """Bring what was made into memory; several parts of one system become one group."""
    parts = {}
    for name, kind, rows in store.read(folder, a.tool, again=True):
        waves = [x for _, x in rows]
        if kind.endswith("-dev") and kind != "noise-dev":
            evals.setdefault((kind[:-4], name), []).extend(waves)
        elif kind == "dev":
            evals.setdefault(("bonafide", name), []).extend(waves)
        elif kind == "noise":
            noise.extend(waves)
        elif kind == "noise-dev":
            noise_dev.extend(waves)
        elif kind == "orig":
            parts.setdefault(("orig", name), []).extend(waves)
        else:
            key = {"spoof": group, "replay": "replay", "near": "near", "bonafide": "bona"}[kind]
            parts.setdefault((key, name), []).extend(waves)
            if group == "tts" and kind == "spoof" and name in CHOOSE:
                half = len(waves) // 2  # the second half is the same speech once more through Opus
                evals.setdefault(("spoof", name), []).extend(waves[:half] if os.path.exists(f"{folder}/{name}.alt.raw") else waves)
    for (key, name), waves in parts.items():
        st.add(name, waves, cut=group == "tts")
        if key != "orig":
            groups[key].append(name)
    say("have", group, {k: len(v) for k, v in parts.items() if k[0] != "orig"})


take(a.data, "tts")
ch = Channel(dev, torch.from_numpy(np.concatenate(noise)).to(dev), seed=5, rirs=8 if a.small else 400)
have = set()


def look():
    for folder in sorted(os.listdir(a.made)) if os.path.isdir(a.made) else []:
        group = folder.split("-")[0]
        wanted = ("dsp", "neural") if synthetic else ("replay",)
        if folder not in have and not folder.endswith(".part") and group in wanted:
            have.add(folder)
            take(f"{a.made}/{folder}", group)


SHARE = {"cv": 0.62, "libri": 0.14, "so762": 0.1, "gsc": 0.14}


def draw_bona(n, faster=0.0):
    if n <= 0:
        return torch.zeros(0, store.CROP, device=dev)
    picks = rng.choices(groups["bona"], [SHARE.get(s, 0.1) for s in groups["bona"]], k=n)
    return torch.cat([st.draw(s, picks.count(s), g, faster) for s in sorted(set(picks))])


def draw_mix(names, n, faster=0.0):
    if n <= 0:
        return torch.zeros(0, store.CROP, device=dev)
    picks = rng.choices(names, [WEIGHT.get(s, 1) for s in names], k=n)
    return torch.cat([st.draw(s, picks.count(s), g, faster) for s in sorted(set(picks))])


def draw_pairs(names, n, each=8):
    """Attacks and their originals, a few of each chosen vocoder."""
    left, spoof, orig = n, [], []
    while left > 0:
        k = min(each, left)
        s = rng.choice(names)
        x, y = st.pair(s, "orig:" + s, k, g)
        spoof.append(x), orig.append(y)
        left -= k
    return torch.cat(spoof), torch.cat(orig)


def channel(x, playback=False):
    """Room, microphone and line, drawn alike for both classes."""
    out = []
    for p in x.split(72):
        if not playback:
            p = st.silence(p, g)
            p = ch.light(p, rng.choice(["tail", "image", "bands"]))
            p = ch.rough(p, 0.35)
        out.append(ch.line(p))
    return torch.cat(out)


def synthetic_batch(n):
    """n rows for `all`; `hold` gets the same but for the rows of held-out systems, which are replaced. Row counts never change."""
    half = n // 2
    copies = n // 4
    speak = half - copies
    held = speak * 3 // 8
    neural, dsp = groups["neural"] or groups["dsp"], groups["dsp"]
    m = copies * 3 // 5
    (xa, oa), (xb, ob) = draw_pairs(neural, m), draw_pairs(dsp, copies - m)
    take_orig = half // 3
    orig = torch.cat([oa, ob])[torch.randperm(copies, device=dev, generator=g)[:take_orig]]
    bona = torch.cat([draw_bona(half - len(orig), 0.3), orig])
    seen = [s for s in groups["tts"] if s not in HELD_OUT]
    spoof = torch.cat([xa, xb, draw_mix(seen, speak - held, 0.3), draw_mix([s for s in groups["tts"] if s in HELD_OUT], held, 0.3), draw_mix(seen, held, 0.3)])
    x = channel(torch.cat([bona, spoof]))
    y = torch.cat([torch.zeros(half, device=dev), torch.ones(half, device=dev)])
    rows = torch.arange(n + held, device=dev)
    return {"all": (x[:n], y), "hold": (x[torch.cat([rows[:n - held], rows[n:]])], y)}


def playback_batch(n):
    """Held out: the loudspeaker family `smooth` and the room family `image`. The last rows of each class are the held-out ones and have seen ones to replace them."""
    half = n // 2
    h0, h1 = half // 8, half // 4

    def source(k, synthetic=0.2):
        m = round(k * synthetic)
        return torch.cat([draw_bona(k - m)] + ([draw_mix(groups["tts"], m)] if m else []))

    def honest(k):
        far, made = k // 8, k // 4
        return torch.cat([draw_bona(k - 2 * far - made - k // 8), source(k // 8, 1.0), ch.near(source(far), "tail"), ch.near(source(far), "bands"),
                          draw_mix(["near-tail", "near-bands"], made)])

    def replayed(k):
        ready, live = k // 2, k - k // 2
        (s1, r1), (s2, r2) = rng.choice(SEEN_REPLAY), rng.choice(SEEN_REPLAY)
        return torch.cat([draw_mix([f"replay-{s}-{r}" for s, r in SEEN_REPLAY], ready), ch.replay(source(live // 2), s1, r1), ch.replay(source(live - live // 2), s2, r2)])
    s, r = rng.choice(HELD_REPLAY)
    held0 = torch.cat([draw_mix(["near-image"], h0 // 2), ch.near(source(h0 - h0 // 2), "image")])
    held1 = torch.cat([draw_mix([f"replay-{p}-{q}" for p, q in HELD_REPLAY], h1 // 2), ch.replay(source(h1 - h1 // 2), s, r)])
    x = channel(torch.cat([honest(half - h0), held0, honest(h0), replayed(half - h1), held1, replayed(h1)]), playback=True)
    y = torch.cat([torch.zeros(half, device=dev), torch.ones(half, device=dev)])
    i = torch.arange(len(x), device=dev)
    b = half + h0
    every = torch.cat([i[:half], i[b:b + half]])
    hold = torch.cat([i[:half - h0], i[half:b], i[b:b + half - h1], i[b + half:]])
    return {"all": (x[every], y), "hold": (x[hold], y)}


def spec_mask(B, K, T):
    m = torch.ones(B, 1, K, T, device=dev)
    r, c = torch.arange(K, device=dev)[None], torch.arange(T, device=dev)[None]
    for width, axis, p in ((K // 3, "f", 0.3), (K // 5, "f", 0.6), (K // 8, "f", 0.4), (T // 6, "t", 0.5)):
        size, pos = (K, r) if axis == "f" else (T, c)
        w = torch.randint(1, width, (B, 1), device=dev, generator=g)
        at = (torch.rand(B, 1, device=dev, generator=g) * (size - w)).long()
        hit = (pos >= at) & (pos < at + w) & (torch.rand(B, 1, device=dev, generator=g) < p)
        m = m * (~hit).float()[:, None, :, None] if axis == "f" else m * (~hit).float()[:, None, None, :]
    return m


class Trainee:
    """One network, its optimiser, its running average, and (on a GPU) its step recorded as a graph."""

    def __init__(self, net, protocol, n):
        self.net, self.protocol, self.graph = net, protocol, None
        decay = [p for p in net.parameters() if p.ndim > 1]
        rest = [p for p in net.parameters() if p.ndim <= 1]
        on = dev == "cuda"
        self.lr = torch.tensor(1e-6, device=dev) if on else 1e-6
        self.opt = torch.optim.AdamW([{"params": decay, "weight_decay": 0.05}, {"params": rest, "weight_decay": 0.0}], self.lr, betas=(0.9, 0.98), **({"capturable": True} if on else {}))
        self.ema = {k: v.clone() for k, v in net.state_dict().items()}
        self.x, self.y = torch.zeros(n, store.CROP, device=dev), torch.zeros(n, device=dev)
        with torch.no_grad():
            _, _, K, T = net.spectrum(self.x[:1]).shape
        self.shape, self.m, self.loss = (n, K, T), torch.ones(n, 1, K, T, device=dev), torch.zeros((), device=dev)

    def compute(self):
        net = self.net
        with torch.autocast(dev, dtype=torch.bfloat16, enabled=dev == "cuda", cache_enabled=False):
            with torch.autocast(dev, enabled=False):
                s = net.spectrum(self.x) * self.m
            z = net.judge(s)
        loss = 2 * F.binary_cross_entropy_with_logits(z.float(), self.y * 0.94 + 0.03)  # both classes have as many rows
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        self.opt.step()
        self.loss.copy_(loss.detach())

    def record(self):
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):
                self.compute()
        torch.cuda.current_stream().wait_stream(side)
        self.opt.zero_grad(set_to_none=True)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            self.compute()
        self.graph = graph

    def step(self, x, y, lr):
        for group in self.opt.param_groups:
            if torch.is_tensor(group["lr"]):
                group["lr"].fill_(lr)
            else:
                group["lr"] = lr
        self.x.copy_(x), self.y.copy_(y), self.m.copy_(spec_mask(*self.shape))
        self.graph.replay() if self.graph is not None else self.compute()

    @torch.no_grad()
    def average(self, d):
        now = self.net.state_dict()
        mine = [k for k in now if now[k].dtype.is_floating_point and not k.endswith("basis")]
        torch._foreach_mul_([self.ema[k] for k in mine], d)
        torch._foreach_add_([self.ema[k] for k in mine], [now[k] for k in mine], alpha=1 - d)


nets = {}
for name in a.plan.split(",") if synthetic else ["wide"]:
    torch.manual_seed(17)
    one = BRANCHES[name]().to(dev)
    one.spectrum.framed = dev == "cuda"
    for protocol in ("hold", "all"):
        nets[(a.task, name, protocol)] = Trainee(copy.deepcopy(one).to(memory_format=torch.channels_last).train(), protocol, a.batch)


@torch.no_grad()
def settled(count):
    """Averaged weights with batch-norm statistics measured on fresh batches (the averaged statistics are too wide for them)."""
    done = {}
    for key, t in nets.items():
        net = copy.deepcopy(t.net)
        net.load_state_dict(t.ema)
        for m in net.modules():
            if isinstance(m, torch.nn.modules.batchnorm._BatchNorm):
                m.reset_running_stats()
                m.momentum = None
        net.train()
        net.drop.eval()
        done[key] = net
    for _ in range(count):
        batch = make_batch(a.batch)
        for key, net in done.items():
            net(batch[key[2]][0])
    return {k: n.eval() for k, n in done.items()}


def save(path, count=40):
    done = settled(2 if a.small else count)
    packed = {"/".join(k): {n: (v.half() if v.dtype == torch.float32 else v).cpu() for n, v in net.state_dict().items() if not n.endswith("basis")} for k, net in done.items()}
    torch.save({**packed, "step": step}, path + ".tmp")
    os.replace(path + ".tmp", path)
    say("saved", path)
    return done


make_batch = synthetic_batch if synthetic else playback_batch
os.makedirs(a.out, exist_ok=True)
bench = judge.Bench(evals, np.concatenate(noise_dev), dev, small=a.small)
say("bench of", {k: len(v) for k, v in evals.items()})
while not (groups["dsp"] if synthetic else groups["replay"] and groups["near"]):
    look()
    if not a.small:
        time.sleep(0.5)
# Weights are averaged over the last few hundred steps; several moments are kept, because more steps are not always better on systems never seen.
step, begin, last, marks, judged = 0, time.time(), 0.0, [0.3, 0.5, 0.7, 0.85, 1.0], []
if a.graph and dev == "cuda":
    with torch.no_grad():
        batch = make_batch(a.batch)
    for key, t in nets.items():
        t.x.copy_(batch[key[2]][0]), t.y.copy_(batch[key[2]][1])
        t.record()
    say("graphs recorded")
while True:
    fr = min(1.0, (time.time() - begin) / a.seconds)
    if marks and (fr >= marks[0] or a.small and step > 1):
        mark = round(100 * marks.pop(0))
        done = save(f"{a.out}/{a.task}-part{mark}.pt", 25)
        rows = bench.score(done)
        judged += [{**r, "mark": mark, "step": step} for r in rows]
        json.dump({"held_out": sorted(HELD_OUT), "rows": judged}, open(f"{a.out}/{a.task}-scores.json", "w"))
        print("mark", mark, "step", step)
        judge.print_summary([r for r in rows if r["net"].endswith("hold") and r["condition"] in ("clean", "tight", "telephone")], HELD_OUT)
    if fr >= 1 or (a.small and step >= 3):
        break
    if step % 20 == 0:
        look()
    # a long flat stretch, so that the average is one over many different solutions, then down
    lr = a.lr * min(1, (step + 1) / 200) * (1.0 if fr < 0.55 else 0.05 + 0.95 * 0.5 * (1 + math.cos(math.pi * (fr - 0.55) / 0.45)))
    with torch.no_grad():
        batch = make_batch(a.batch)
    for key, t in nets.items():
        t.step(*batch[key[2]], lr)
        if step % 5 == 4:
            t.average(0.9 if fr < 0.1 else 0.98)
    step += 1
    if time.time() - last > 20:
        last = time.time()
        say("step", step, "lr %.1e" % lr, {"/".join(k[1:]): round(t.loss.item(), 3) for k, t in nets.items()})
say("done", step)
