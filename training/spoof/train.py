"""Owns the training of both detectors in one process: each batch is made once and shown to every network.

For each network there are two copies: `hold` never sees the held-out systems, loudspeakers and rooms (its scores on them are the figures
that the cards report), `all` sees everything (it is what ships).

Usage: train.py DATA MADE OUT OPUS_TOOL --seconds 240 [--small]     MADE: the folder that vocode.py fills meanwhile
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
from nets import fine_branch, wide_branch, wide_cmn_branch

HELD_OUT = {"kokoro-v1", "kokoro-v019", "mimic3", "festival-hts", "openjtalk", "dsp-source-filter", "dsp-mel-gl", "neural-short-istft", "neural-codec"}

ap = argparse.ArgumentParser()
ap.add_argument("data"), ap.add_argument("made"), ap.add_argument("out"), ap.add_argument("tool")
ap.add_argument("--seconds", type=float, default=240)
ap.add_argument("--batch", type=int, default=128)
ap.add_argument("--lr", type=float, default=1.5e-3)
ap.add_argument("--small", action="store_true")
a = ap.parse_args()
dev = "cuda" if torch.cuda.is_available() else "cpu"
torch.backends.cudnn.benchmark = False  # batch sizes vary, tuning each would cost more than it gains
t0 = time.time()
say = lambda *m: print("[train %.0fs]" % (time.time() - t0), *m, flush=True)
g = torch.Generator(device=dev)
g.manual_seed(3)
rng = random.Random(3)
st, evals, noise, noise_dev, systems = store.Store(dev), {}, [], [], {"tts": [], "dsp": [], "neural": [], "replay": [], "near": []}


def take(folder, group):
    """Bring what was made into memory; several parts of one system become one group."""
    parts = {}
    for name, kind, rows in store.read(folder, a.tool):
        waves = [x for _, x in rows]
        if kind.endswith("-dev") and kind != "noise-dev":
            evals.setdefault((kind[:-4], name), []).extend(waves)
        elif kind == "dev":
            evals.setdefault(("bonafide", name), []).extend(waves)
        elif kind == "noise":
            noise.extend(waves)
        elif kind == "noise-dev":
            noise_dev.extend(waves)
        elif kind == "bonafide":
            parts.setdefault(("bona", "bona"), []).extend(waves)
        else:
            key = {"spoof": group, "replay": "replay", "near": "near"}[kind]
            parts.setdefault((key, name), []).extend(waves)
            if group == "tts":
                evals.setdefault(("spoof", name), []).extend(waves)
    for (key, name), waves in parts.items():
        st.add(name, waves)
        if key != "bona":
            systems[key].append(name)
    say("have", group, {k: len(v) for k, v in parts.items()})


take(a.data, "tts")
ch = Channel(dev, torch.from_numpy(np.concatenate(noise)).to(dev), seed=5, rirs=8 if a.small else 400)
have = set()


def look():
    for group in ("dsp", "replay", "neural"):
        if group not in have and os.path.isdir(f"{a.made}/{group}"):
            have.add(group)
            take(f"{a.made}/{group}", group if group != "replay" else "replay")


# Neural systems with many voices say more about the attacks of today than the classic ones.
WEIGHT = {"piper": 5, "ttsvctk": 3, "mimic3": 2, "kokoro-v1": 2, "kokoro-v019": 2, "sam": 0.5, "festival-units": 0.5}


def draw_mix(names, n):
    """n crops from systems by weight; returns crops and the systems' names."""
    picks = rng.choices(names, [WEIGHT.get(s, 1) for s in names], k=n)
    out, order = [], []
    for s in sorted(set(picks)):
        k = picks.count(s)
        out.append(st.draw(s, k, g))
        order += [s] * k
    return torch.cat(out), order


def synthetic_batch(n):
    """Half bona fide, half attacks; rooms and line alike for both. held: attack of a held-out system."""
    half = n // 2
    waves, names = [st.draw("bona", half - half // 5, g)], ["bona"] * (half - half // 5)
    x, o = draw_mix(systems["near"] or ["bona"], half // 5)  # bona fide that also went through a second Opus pass
    waves.append(x), names.extend(["bona"] * len(o))
    kinds = [("tts", 0.5)] + [(k, w) for k, w in (("dsp", 0.16), ("neural", 0.34)) if systems[k]]
    total, left = sum(w for _, w in kinds), n - half
    for i, (k, w) in enumerate(kinds):
        m = left if i == len(kinds) - 1 else round((n - half) * w / total)
        left -= m
        x, o = draw_mix(systems[k], m)
        waves.append(x), names.extend(o)
    x = torch.cat(waves)
    y = torch.tensor([0.0 if s == "bona" else 1.0 for s in names], device=dev)
    held = torch.tensor([s in HELD_OUT for s in names], device=dev)
    cut = rng.random() < 0.5
    x = torch.cat([ch.light(p, "tail" if cut else "image") for p in x.split(64)])
    return torch.cat([ch.line(p) for p in x.split(64)]), y, held


def playback_batch(n):
    """held: anything made with the held-out loudspeaker or room family."""
    half = n // 2
    waves, ys, held = [], [], []

    def put(x, y, h):
        waves.append(x), ys.extend([y] * len(x)), held.extend([h] * len(x))

    def source(k, synthetic=0.2):
        m = round(k * synthetic)
        parts = [st.draw("bona", k - m, g)] + ([draw_mix(systems["tts"], m)[0]] if m else [])
        return torch.cat(parts)
    put(st.draw("bona", half // 3, g), 0.0, False)
    put(source(half // 6, 0.9), 0.0, False)
    rest = half - half // 3 - half // 6
    if systems["near"]:
        put(st.draw("near-tail", rest // 4, g), 0.0, False)
        put(st.draw("near-image", rest // 4, g), 0.0, True)
        rest -= 2 * (rest // 4)
    put(ch.near(source(rest - rest // 3), "tail"), 0.0, False)
    put(ch.near(source(rest // 3), "image"), 0.0, True)
    rest = n - half
    if systems["replay"]:
        for s in systems["replay"]:
            k = (n - half) * (5 if s == "replay-peaks-tail" else 2) // 20
            put(st.draw(s, k, g), 1.0, s != "replay-peaks-tail")
            rest -= k
    put(ch.replay(source(rest - 2 * (rest // 4)), "peaks", "tail"), 1.0, False)
    put(ch.replay(source(rest // 4), "smooth", "image"), 1.0, True)
    put(ch.replay(source(rest // 4), "peaks", "image") if rng.random() < 0.5 else ch.replay(source(rest // 4), "smooth", "tail"), 1.0, True)
    x = torch.cat([ch.line(p) for p in torch.cat(waves).split(64)])
    return x, torch.tensor(ys, device=dev), torch.tensor(held, device=dev)


def spec_mask(s):
    B, _, K, T = s.shape
    m = torch.ones(B, 1, K, T, device=dev)
    r, c = torch.arange(K, device=dev)[None], torch.arange(T, device=dev)[None]
    for width, axis, p in ((K // 5, "f", 0.6), (K // 8, "f", 0.4), (T // 6, "t", 0.5)):
        size, pos = (K, r) if axis == "f" else (T, c)
        w = torch.randint(1, width, (B, 1), device=dev, generator=g)
        at = (torch.rand(B, 1, device=dev, generator=g) * (size - w)).long()
        hit = (pos >= at) & (pos < at + w) & (torch.rand(B, 1, device=dev, generator=g) < p)
        m = m * (~hit).float()[:, None, :, None] if axis == "f" else m * (~hit).float()[:, None, None, :]
    return m


PLAN = [("synthetic", "wide", wide_branch), ("synthetic", "fine", fine_branch), ("synthetic", "cmn", wide_cmn_branch), ("playback", "wide", wide_branch), ("playback", "cmn", wide_cmn_branch)]
nets = {}
for task, name, make in PLAN:
    torch.manual_seed(17)
    one = make().to(dev)
    one.spectrum.framed = dev == "cuda"
    for protocol in ("hold", "all"):
        net = copy.deepcopy(one).to(memory_format=torch.channels_last)
        decay = [p for p in net.parameters() if p.ndim > 1]
        opt = torch.optim.AdamW([{"params": decay, "weight_decay": 0.05}, {"params": [p for p in net.parameters() if p.ndim <= 1], "weight_decay": 0.0}], a.lr, betas=(0.9, 0.98))
        nets[(task, name, protocol)] = [net, opt, {k: v.clone() for k, v in net.state_dict().items()}]


def update(key, x, y, held, lr):
    net, opt, _ = nets[key]
    for group in opt.param_groups:
        group["lr"] = lr
    keep = ~held if key[2] == "hold" else torch.ones_like(held)
    with torch.autocast(dev, dtype=torch.bfloat16, enabled=dev == "cuda"):
        with torch.autocast(dev, enabled=False):
            s = net.spectrum(x[keep])
            s = s * spec_mask(s)
        z = net.fc(net.drop(net.nf(net.features(s))))[:, 0]
    z, t = z.float(), y[keep]
    loss = F.binary_cross_entropy_with_logits(z, t * 0.94 + 0.03, reduction="none")
    loss = loss[t > 0.5].mean() + loss[t < 0.5].mean()
    opt.zero_grad(set_to_none=True)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
    opt.step()
    return loss.detach()


def average(fr):
    d = 0.9 if fr < 0.3 else 0.97
    with torch.no_grad():
        for net, _, ema in nets.values():
            for k, v in net.state_dict().items():
                if v.dtype.is_floating_point:
                    ema[k].mul_(d).add_(v, alpha=1 - d)
                else:
                    ema[k].copy_(v)


for net, _, _ in nets.values():
    net.train()
step, begin, last = 0, time.time(), 0.0
while True:
    fr = (time.time() - begin) / a.seconds
    if fr >= 1 or (a.small and step >= 3):
        break
    if step % 20 == 0:
        look()
    lr = a.lr * min(1, (step + 1) / 150) * (0.5 * (1 + math.cos(math.pi * min(1, fr)))) + 1e-6
    with torch.no_grad():
        batches = {"synthetic": synthetic_batch(a.batch), "playback": playback_batch(a.batch)}
    losses = {key: update(key, *batches[key[0]], lr) for key in nets}
    step += 1
    if step % 10 == 0:
        average(fr)
    if time.time() - last > 20:
        last = time.time()
        say("step", step, "lr %.1e" % lr, {"/".join(k): round(v.item(), 3) for k, v in losses.items()})
if a.small:
    look()
    average(0)
say("steps", step)
for key, (net, opt, ema) in nets.items():
    net.load_state_dict(ema)
    net.eval()
os.makedirs(a.out, exist_ok=True)
torch.save({"/".join(k): {n: (v.half() if v.dtype == torch.float32 else v).cpu() for n, v in net.state_dict().items() if not n.endswith("basis")} for k, (net, _, _) in nets.items()}, f"{a.out}/detectors.pt")
say("saved; judging")
scores = judge.score_everything({k: v[0] for k, v in nets.items()}, evals, np.concatenate(noise_dev), dev, small=a.small)
json.dump({"held_out": sorted(HELD_OUT), "steps": step, "rows": scores}, open(f"{a.out}/scores.json", "w"))
judge.print_summary(scores, HELD_OUT)
say("done")
