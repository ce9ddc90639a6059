"""Owns the copies of recordings that are made on the GPU: by signal processing, and by small neural vocoders trained meanwhile. Runs beside train_pages.py and hands over
folder by folder. Each copy comes beside its own original (recoder.py): words, voice, noise, microphone and codec are alike, only the vocoder differs.

Usage: copies.py PACKS OUT OPUS_TOOL --part dsp [--small]
       copies.py PACKS OUT OPUS_TOOL --part NAME --families A,B --seconds 400 --wait librispeecha.raw [--small]
"""
import argparse
import os
import random
import time

import numpy as np
import torch

import bank
import pages
from dsp_vocoders import KINDS, copy_synthesis
from neural_vocoders import PLAY_RATES, make_vocoder, refine, stretch
from recoder import Recoder
from store import CROP, SR

ap = argparse.ArgumentParser()
ap.add_argument("packs"), ap.add_argument("out"), ap.add_argument("tool")
ap.add_argument("--part", default="dsp")
ap.add_argument("--families", default="")
ap.add_argument("--seconds", type=float, default=400)
ap.add_argument("--wait", default="", help="files of PACKS that must be there before it begins")
ap.add_argument("--small", action="store_true")
a = ap.parse_args()
dev = "cuda" if torch.cuda.is_available() else "cpu"
torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
t0 = time.time()
say = lambda *m: print("[copies %s %.0fs]" % (a.part, time.time() - t0), *m, flush=True)
seed = 7 + sum(map(ord, a.part))
rng, g = random.Random(seed), torch.Generator(device=dev)
g.manual_seed(seed)
torch.manual_seed(seed)
BATCH, SEGMENT = (4, 5120) if a.small else (64, 12800)
COUNTS = (4, 4, 4) if a.small else (512, 768, 1536)
DSP_COUNTS = (4, 4) if a.small else (384, 1536)


class Source:
    """Recordings of people: those of the training corpora and the pages' originals."""

    def __init__(self):
        self.bank, self.by_page, self.seen = bank.Bank(dev, 0.2 if a.small else 24), {}, set()

    def look(self):
        for base, meta in bank.ready(a.packs, alt_too=False):
            if base in self.seen or meta["kind"] not in ("train", "attacks"):
                continue
            self.seen.add(base)
            rows = bank.read(base)[:24 if a.small else None]
            if meta["kind"] == "train":
                labels = [bank.Label("b", meta["set"], str(s)) for s, _ in rows]
                keep = [i for i, (s, x) in enumerate(rows) if not pages.is_fresh(meta["set"], s) and len(x) >= 2 * SR]
            else:
                labels = [pages.parse(s) for s, _ in rows]
                keep = [i for i, (_, x) in enumerate(rows) if labels[i].kind == "b" and len(x) >= 1.5 * SR]
            if keep:
                for k, i in zip(self.bank.add([rows[i][1] for i in keep], [labels[i] for i in keep]), keep):
                    self.by_page.setdefault(labels[i].page, []).append(k)
            say("source", os.path.basename(base), len(keep))

    def draw(self, n):
        """n crops of 4 s and the pages (or corpora) that they come from. Pages' originals make a quarter: there are few of them, and every network soon knows them."""
        own = [p for p in self.by_page if p in pages.PAGE_FOLD]
        others = [p for p in self.by_page if p not in pages.PAGE_FOLD]
        names = [rng.choice(own if own and (rng.random() < 0.25 or not others) else rng.choices(others, [pages.CORPUS_WEIGHT.get(p, 0.1) for p in others])) for _ in range(n)]
        return self.bank.crops([rng.choice(self.by_page[p]) for p in names], g, tight=0.0, around=0.0, faster=0.0), names


source = Source()


rec = Recoder(a.out, a.tool, rng)


@torch.no_grad()
def pairs(folder, name, make, count):
    before, after, labels = [], [], []
    for _ in range(max(1, count // BATCH)):
        x, names = source.draw(BATCH)
        before.append(x.cpu().numpy()), after.append(make(x).cpu().numpy())
        labels += names
    rec.put(folder, name, (np.concatenate(before), np.concatenate(after)), labels)


def hand_over(folder):
    rec.finish(folder)
    say(folder, "ready")


def neural_copy(v, x):
    """The vocoder works as if at one of several rates; its copy is sometimes made better than it is."""
    rate = rng.choice(PLAY_RATES)
    y = stretch(v.copy(stretch(x, CROP * rate // SR), rng), CROP) if rate != SR else v.copy(x, rng)
    if rng.random() < 0.45:
        y = refine(x, y, rng)
    level = lambda s: s.pow(2).mean(1, keepdim=True).sqrt().clamp_min(1)
    return torch.nan_to_num(y * level(x) / level(y))


def dsp():
    for round in range(2):  # again when more speakers have come
        source.look()
        for kind in KINDS:
            pairs(f"dsp-{round}", f"{kind}@{round}", lambda x: copy_synthesis(kind, x, rng), DSP_COUNTS[round])
        hand_over(f"dsp-{round}")
        time.sleep(0 if a.small else 60)


def neural():
    vocs = [make_vocoder(f, dev) for f in a.families.split(",")]
    begin, i, handed, moments = time.time(), 0, 0, (0.35, 0.65, 1.0)
    while handed < len(moments):
        spent = (time.time() - begin) / a.seconds
        if spent >= moments[handed] or (a.small and i >= 2 * (handed + 1)):
            folder = f"neural-{a.part}-{handed}"
            for v in vocs:
                v.gen.eval()
                pairs(folder, f"{v.family}@{handed}", lambda x: neural_copy(v, x), COUNTS[handed])
                v.gen.train()
            hand_over(folder)
            handed += 1
            source.look()
            continue
        for v in vocs:
            x, _ = source.draw(4 if a.small else 32)
            rate = rng.choice(PLAY_RATES)
            x = stretch(x, CROP * rate // SR) if rate != SR else x
            k = rng.randrange(0, x.shape[1] - SEGMENT)
            x = x[:, k:k + SEGMENT]
            x = x / x.abs().amax(1, keepdim=True).clamp_min(300) * rng.uniform(0.3, 0.9)
            lr = 8e-4 * min(1, (i + 1) / 50) * max(0.1, 1 - spent)
            for o in (v.og, v.od):
                o.param_groups[0]["lr"] = lr
            loss = v.step(x, adversarial=i > (0 if a.small else 250))
            if i % 200 == 0:
                say(v.family, i, "loss %.3f" % loss.item())
        i += 1
    say("vocoder steps", i)


while not all(os.path.exists(f"{a.packs}/{n}") for n in a.wait.split(",") if n):
    time.sleep(1)
source.look()
dsp() if a.part == "dsp" else neural()
say("done")
