"""Trains the shipped network on with damaged crops of 1.5 to 4 s, and judges the first seconds of calls before and after.

    python3 -m speaker.short_crops --packs DIR --start checkpoints/speaker-ecapa512-r3.pt --seconds 240 --out DIR

A short damaged crop is to give the print that the network itself makes of 6 clean seconds, and to be nearest to the long print of its own speaker from another place.
Judged as the first seconds of a call are: three other recordings make the print, scores are normalized by a cohort of training speakers.
"""

from __future__ import annotations

import argparse
import copy
import json
import math
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from common.features import LogMel
from common.packs import SAMPLE_RATE, by_speaker
from speaker.augment import AugmentConfig, Augmenter
from speaker.data import SpeechStore
from speaker.model import load
from speaker.telephone_data import TRAIN_SETS, calls_split, read_packs

CROPS, LONG = (1.5, 2.0, 2.5, 3.0, 4.0), 6.0
DAMAGE = AugmentConfig(untouched=0.1, noise=0.5, snr_db=(3, 25), telephone=0.65, codec=0.1, coder_noise=0.12, suppress=0.1, drive=0.05)
PHONE = AugmentConfig(untouched=0.0, reverb=0.0, colour=0.0, noise=0.0, telephone=1.0, codec=0.0, clip=0.0, floor=0.0)
STUDENTS = {"near": (1.0, 0.5, 1e-4), "apart": (0.3, 1.0, 2e-4)}  # weights of both aims, rate


def embed(net, feats):
    with torch.autocast(feats.device.type, dtype=torch.bfloat16, enabled=feats.device.type == "cuda" and net.training):
        return F.normalize(net(feats).float(), dim=1)


@torch.no_grad()
def prints(net, logmel, waves, device, seconds):
    n = int(seconds * SAMPLE_RATE)
    return torch.cat([embed(net, logmel(torch.from_numpy(np.array(w[:n], np.float32))[None].to(device))) for w in waves]).cpu().numpy()


@torch.no_grad()
def judge(net, logmel, sets, cohort_feats, device, draws=5, top=200):
    """Share of genuine tests refused at 1 % false accepts, by set and seconds of the test."""
    cohort = torch.cat([embed(net, f) for f in cohort_feats]).cpu().numpy()
    unit = lambda x: x / np.linalg.norm(x)

    def stats(x):
        v = np.partition(x @ cohort.T, -min(top, len(cohort)), 1)[:, -min(top, len(cohort)):]
        return v.mean(1), v.std(1).clip(0.02)
    out = {}
    for name, speakers in sets.items():
        long = {s: prints(net, logmel, u, device, 10) for s, u in speakers.items()}
        for seconds in (2, 3, 10):
            test = {s: prints(net, logmel, u, device, seconds) for s, u in speakers.items()}
            rng, own, other = np.random.default_rng(1), [], []
            for _ in range(draws):
                for s in speakers:
                    for i in range(len(long[s])):
                        rest = [j for j in range(len(long[s])) if j != i]
                        t = np.stack([unit(long[k][rng.choice(rest if k == s else len(long[k]), 3, False)].mean(0)) for k in speakers])
                        v = test[s][i:i + 1]
                        (mt, dt), (mv, dv) = stats(t), stats(v)
                        x = (t @ v[0])
                        z = ((x - mt) / dt + (x - mv) / dv) / 2
                        own += [z[k] for k, n in enumerate(speakers) if n == s]
                        other += [z[k] for k, n in enumerate(speakers) if n != s]
            own, other = np.array(own), np.array(other)
            out[f"{name} {seconds} s"] = [round(100 * float((own < np.quantile(other, 1 - far)).mean()), 2) for far in (0.01, 0.005)] + [len(own), len(other)]
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for name in ("packs", "start", "out"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--seconds", type=float, default=240)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--classes", type=int, default=320)
    args = parser.parse_args()
    device, began = "cuda" if torch.cuda.is_available() else "cpu", time.time()
    say = lambda *a: print(f"{time.time() - began:5.0f}s", *a, flush=True)
    torch.manual_seed(3), np.random.seed(3)
    torch.backends.cudnn.benchmark = True
    sets = read_packs([args.packs], args.limit, ("cvdev",))
    say({k: len(v) for k, v in sets.items()})
    store = SpeechStore(by_speaker([u for s in TRAIN_SETS for u in sets.get(s, [])]), device)
    noise = torch.from_numpy(np.concatenate([u.samples for s in ("places", "esc10") for u in sets.get(s, [])])).to(device)
    damage, phone, logmel = Augmenter(noise, device, DAMAGE, 8 if args.limit else 400), Augmenter(noise, device, PHONE, 2), LogMel().to(device)
    teacher = load(args.start, device).requires_grad_(False)
    students = {n: copy.deepcopy(teacher).requires_grad_(True) for n in STUDENTS}  # batch normalization stays as it is
    average = {n: copy.deepcopy(teacher) for n in STUDENTS}
    opt = {n: torch.optim.AdamW(s.parameters(), STUDENTS[n][2], weight_decay=0.01) for n, s in students.items()}
    calls = by_speaker(sets.get("calls-dev", []))
    twelve, others = calls_split(sorted(calls))
    enough = lambda people: {n: [u.samples for u in us if len(u.samples) >= 3 * SAMPLE_RATE][:8] for n, us in people if sum(len(u.samples) >= 3 * SAMPLE_RATE for u in us) >= 4}
    judged = {"13 callers": enough((n, calls[n]) for n in others), "12 callers": enough((n, calls[n]) for n in twelve), "voxforge": enough(list(by_speaker(sets.get("voxforge", [])).items())[:36])}
    judged = {k: v for k, v in judged.items() if len(v) > 1}
    names = len(store.names)
    with torch.no_grad():
        rows = torch.arange(min(1600, names), device=device) + (store.speeds // 2) * names
        cohort = [logmel(phone(store.crops(part, torch.zeros(len(part), device=device), int(5 * SAMPLE_RATE)))) for part in rows.split(100)]
    say("store", store.classes, "%.1f h" % store.hours, "judged", {k: len(v) for k, v in judged.items()})
    results = {"start": judge(teacher, logmel, judged, cohort, device)}
    say("start", json.dumps(results["start"]))
    first, step, shown = time.time(), 0, 0.0
    while (progress := (time.time() - first) / args.seconds) < 1:
        samples = int(CROPS[step % len(CROPS)] * SAMPLE_RATE)
        with torch.no_grad():
            labels = torch.multinomial(store.weights, min(args.classes, store.classes // 2), replacement=False)
            crops, longer, _ = store.two_lengths(labels, samples, int(LONG * SAMPLE_RATE))
            feats, want = torch.nan_to_num(logmel(torch.nan_to_num(damage(crops)))), embed(teacher, logmel(longer))
        n, target = len(labels), torch.arange(len(labels), device=device)
        losses = {}
        for name, net in students.items():
            near, apart, rate = STUDENTS[name]
            with torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda"):
                p = net(feats)
            p = F.normalize(p.float(), dim=1)
            cos, rank = 1 - (p * want).sum(1).mean(), (F.cross_entropy(30 * p[:n] @ want[n:].t(), target) + F.cross_entropy(30 * p[n:] @ want[:n].t(), target)) / 2
            for g in opt[name].param_groups:
                g["lr"] = rate * min(1, (step + 1) / 100) * 0.5 * (1 + math.cos(math.pi * progress))
            opt[name].zero_grad(set_to_none=True)
            (4 * near * cos + apart * rank).backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
            opt[name].step()
            with torch.no_grad():
                torch._foreach_lerp_(list(average[name].parameters()), list(net.parameters()), 1 - min(0.998, (step + 1) / (step + 10)))
            losses[name] = (cos, rank)
        step += 1
        if time.time() - shown > 20:
            shown = time.time()
            say("step", step, {n: [round(float(v), 4) for v in l] for n, l in losses.items()})
    out = Path(args.out)
    out.mkdir(parents=True, exist_ok=True)
    for name, net in average.items():
        results[name] = judge(net, logmel, judged, cohort, device)
        say(name, json.dumps(results[name]))
    (out / "results.json").write_text(json.dumps({"steps": step, **results}))
    say("done", step)


if __name__ == "__main__":
    main()
