"""Owns the copies of recordings that are made on the GPU: by signal processing, and by a neural vocoder that this process trains first (grown_vocoders.py; one process for each family).
Hands over folder by folder, at three moments of the vocoder's training: young ones leave coarse traces, grown ones fine ones. Each copy comes beside its own original (recoder.py): words, voice, noise,
microphone and codec are alike, only the vocoder differs. At the end people whom training never meets are copied too (OUT-fresh), for judging.

Usage: copies.py PACKS OUT OPUS_TOOL --part dsp [--small]
       copies.py PACKS OUT OPUS_TOOL --family NAME --seconds 400 --wait librispeech.raw [--weights FOLDER] [--small]
"""
import argparse
import os
import random
import threading
import time

import numpy as np
import torch

from dsp_vocoders import KINDS, copy_synthesis
from grown_vocoders import grow
from neural_vocoders import PLAY_RATES, refine, stretch
from recoder import Recoder
from sources import Source
from store import CROP, SR

ap = argparse.ArgumentParser()
ap.add_argument("packs"), ap.add_argument("out"), ap.add_argument("tool")
ap.add_argument("--part", default="")
ap.add_argument("--family", default="")
ap.add_argument("--weights", default="", help="where the trained vocoder is kept")
ap.add_argument("--seconds", type=float, default=400)
ap.add_argument("--wait", default="", help="files of PACKS that must be there before it begins")
ap.add_argument("--seed", type=int, default=0)
ap.add_argument("--small", action="store_true")
a = ap.parse_args()
dev = "cuda" if torch.cuda.is_available() else "cpu"
torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = torch.backends.cudnn.benchmark = True
a.part = a.part or a.family
t0 = time.time()
say = lambda *m: print("[copies %s %.0fs]" % (a.part, time.time() - t0), *m, flush=True)
seed = 7 + 1000 * a.seed + sum(map(ord, a.part))
rng, g = random.Random(seed), torch.Generator(device=dev)
g.manual_seed(seed)
torch.manual_seed(seed)
BATCH, SEGMENT, TRAIN_BATCH = (4, 5120, 4) if a.small else (32, 10240, 32)
MOMENTS, ALONE, FULL_RATE = (0.25, 0.55, 1.0), 400, 5e-4  # moments of handing over; steps without critics
COUNTS, FRESH = ((4, 4, 4), 4) if a.small else ((320, 640, 1920), 128)
DSP_COUNTS = (4, 4) if a.small else (256, 768)


source = Source(a.packs, dev, (rng, g), say, a.small)
rec, rec_fresh = Recoder(a.out, a.tool, rng), Recoder(a.out + "-fresh", a.tool, rng)


@torch.no_grad()
def pairs(name, make, count, draw=source.draw):
    before, after, labels = [], [], []
    for _ in range(max(1, count // BATCH)):
        x, names = draw(BATCH)
        before.append(x.cpu().numpy()), after.append(make(x).cpu().numpy())
        labels += names
    return name, (np.concatenate(before), np.concatenate(after)), labels


def hand_over(recoder, folder):
    recoder.finish(folder)
    say(folder, "ready")


def neural_copy(v, x):
    """The vocoder works as if at one of several rates, in full precision; its copy is sometimes made better than it is."""
    v.exact, torch.backends.cudnn.allow_tf32, torch.backends.cuda.matmul.allow_tf32 = True, False, False
    rate = rng.choice(PLAY_RATES)
    y = stretch(v.copy(stretch(x, CROP * rate // SR), rng), CROP) if rate != SR else v.copy(x, rng)
    if rng.random() < 0.35:
        y = refine(x, y, rng)
    v.exact, torch.backends.cudnn.allow_tf32, torch.backends.cuda.matmul.allow_tf32 = False, True, True
    level = lambda s: s.pow(2).mean(1, keepdim=True).sqrt().clamp_min(1)
    return torch.nan_to_num(y * level(x) / level(y))


def dsp():
    for round in range(2):  # again when more speakers have come
        source.look()
        for kind in KINDS:
            rec.put(f"dsp-{round}", *pairs(f"{kind}@{round}", lambda x: copy_synthesis(kind, x, rng), DSP_COUNTS[round]))
        hand_over(rec, f"dsp-{round}")
        time.sleep(0 if a.small else 60)


def segments():
    """A batch to train a vocoder with: parts of recordings as if at one of several rates, at any level."""
    x, _ = source.draw(TRAIN_BATCH)
    rate = rng.choice(PLAY_RATES)
    x = stretch(x, CROP * rate // SR) if rate != SR else x
    k = rng.randrange(0, x.shape[1] - SEGMENT)
    x = x[:, k:k + SEGMENT]
    return x / x.abs().amax(1, keepdim=True).clamp_min(300) * rng.uniform(0.3, 0.9)


def neural():
    v = grow(a.family, dev)
    begin, last, handed, threads = time.time(), 0.0, 0, []
    while handed < len(MOMENTS):
        spent = (time.time() - begin) / a.seconds
        if spent >= MOMENTS[handed] or (a.small and v.steps >= 2 * (handed + 1)):
            folder = f"neural-{a.part}-{handed}"
            rec.put(folder, *pairs(f"{v.family}@{handed}", lambda x: neural_copy(v, x), COUNTS[handed]))
            threads.append(threading.Thread(target=hand_over, args=(rec, folder)))
            threads[-1].start()
            handed += 1
            torch.cuda.empty_cache()
            source.look()
            continue
        v.rate(FULL_RATE * min(1, (v.steps + 1) / 50) * max(0.1, 1 - spent))
        loss = v.step(segments(), adversarial=v.steps > (0 if a.small else ALONE))
        if time.time() - last > 20:
            last = time.time()
            say(v.family, v.steps, "loss %.3f" % loss.item(), "skipped", v.skipped)
    say("vocoder steps", v.steps, "skipped", v.skipped)
    if source.fresh:
        v.exact = True
        rec_fresh.put(a.family, *pairs(v.family, lambda x: v.copy(x, rng), FRESH, source.draw_fresh))
        hand_over(rec_fresh, a.family)
    if a.weights:
        os.makedirs(a.weights, exist_ok=True)
        torch.save(v.weights(), f"{a.weights}/{a.family}.pt.tmp")
        os.replace(f"{a.weights}/{a.family}.pt.tmp", f"{a.weights}/{a.family}.pt")
    for t in threads:
        t.join()


while not all(os.path.exists(f"{a.packs}/{n}") for n in a.wait.split(",") if n):
    time.sleep(1)
source.look()
dsp() if a.part == "dsp" else neural()
say("done")
