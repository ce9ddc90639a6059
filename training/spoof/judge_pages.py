"""Owns what the copies of the network are judged on: the pages' recordings and people whom training never meets, under conditions, by the serving rule.

Usage: judge_pages.py PACKS NOISE_PACK OUT     once: cuts the windows of every recording under every condition (X.npy) and writes index.json
"""
import json
import os
import sys
from multiprocessing import Pool

import numpy as np
import torch

import bank
import judge
import pages
from store import SR

# telephone: 280-3400 Hz with mu-law; phone: real coders (phone_pack.py), where a pack has that version
CONDITIONS = ("clean", "telephone", "phone", "noisy20", "short2s", "far")
MOST_S = 12


def recordings(packs, small=False):
    """[(set, label, wave, the same over real telephone coders or None), ...]: attacks-train whole; fresh people of the training corpora (one recording each); the sets kept for judging."""
    out = []
    for base, meta in bank.ready(packs, alt_too=False):
        seen = {}
        rows = bank.read(base)
        tel = [x for _, x in bank.read(base, ".tel")] if os.path.exists(base + ".tel.raw") else [None] * len(rows)
        for (speaker, x), t in list(zip(rows, tel))[:30 if small else None]:
            if len(x) < 0.8 * SR:
                continue
            if meta["kind"] == "attacks":
                out.append(("pages", speaker, x, t))
            elif meta["kind"] == "judge":
                out.append((meta["set"], f"b:{meta['set']}/{speaker}", x, t))
            elif meta["kind"] == "train" and pages.is_fresh(meta["set"], speaker) and len(x) >= 2 * SR and seen.setdefault(speaker, 0) < 1:
                seen[speaker] += 1
                out.append((meta["set"] + "-fresh", f"b:{meta['set']}/{speaker}", x, t))
    return out


def cut(job):
    i, x, condition, noise = job
    with np.errstate(over="ignore"):
        y = judge.condition(x[: MOST_S * SR], condition, noise, np.random.default_rng(i)) if condition != "phone" else x[: MOST_S * SR].astype(np.float64)
    return [np.clip(np.round(w), -32768, 32767).astype(np.int16) for w in judge.windows(y)]


def main(packs, noise_pack, out, small=""):
    os.makedirs(out, exist_ok=True)
    rows = recordings(packs, bool(small))
    noise = np.concatenate([x for _, x in bank.read(noise_pack)][::5])
    index = {"rows": [[s, l, round(len(x) / SR, 2)] for s, l, x, _ in rows], "owner": {}}
    with Pool(2 if small else 8) as pool:
        for condition in CONDITIONS:
            wins, owner = [], []
            pick = [(i, t if condition == "phone" else x) for i, (_, _, x, t) in enumerate(rows) if condition != "phone" or t is not None]
            jobs = ((i, x, condition, noise[(k := i * 7919 % (len(noise) - MOST_S * SR - 2)):k + MOST_S * SR + 2] if condition.startswith("noisy") else None) for i, x in pick)
            for (i, _), ws in zip(pick, pool.imap(cut, jobs, chunksize=16)):
                wins += ws
                owner += [i] * len(ws)
            wins = wins or [np.zeros(judge.WINDOW, np.int16)]
            owner = owner or [0]
            np.save(f"{out}/{condition}.npy", np.stack(wins))
            index["owner"][condition] = owner
    json.dump(index, open(f"{out}/index.tmp", "w"))
    os.rename(f"{out}/index.tmp", f"{out}/index.json")
    print("windows of", len(rows), "recordings", {c: len(o) for c, o in index["owner"].items()})


class Bench:
    def __init__(self, folder, dev, conditions=CONDITIONS):
        self.index = json.load(open(folder + "/index.json"))
        self.dev, self.size = dev, 256 if dev == "cuda" else 8
        self.wins = {c: np.load(f"{folder}/{c}.npy", mmap_mode="r") for c in conditions}

    @torch.no_grad()
    def score(self, nets):
        """{condition/name: mean of the windows' scores by recording} for {name: network}; networks that look at the same thing share it."""
        out = {}
        for c, wins in self.wins.items():
            owner = np.array(self.index["owner"][c])
            got = {name: [] for name in nets}
            for k in range(0, len(wins), self.size):
                x = torch.from_numpy(np.array(wins[k:k + self.size])).to(self.dev).float()
                seen = {}
                with torch.autocast(self.dev, dtype=torch.bfloat16, enabled=False):
                    for name, net in nets.items():
                        key = net.spectrum.key()
                        if key not in seen:
                            seen[key] = net.spectrum(x)
                        got[name].append(net.judge(seen[key]).float().cpu().numpy())
            count = np.bincount(owner, minlength=len(self.index["rows"]))
            for name, z in got.items():
                out[f"{c}/{name}"] = np.where(count > 0, np.bincount(owner, np.concatenate(z), len(count)) / np.maximum(count, 1), np.nan).astype(np.float32)
        return out


def page_rates(index, z, fold=None):
    """(EER of all held-out attacks against their pages' originals, mean of the pages' own rates) in %."""
    own, bona, fake = [], [], []
    by = {}
    for (s, label, _), v in zip(index["rows"], z):
        if s == "pages" and not np.isnan(v):
            p = pages.parse(label)
            if fold is None or pages.PAGE_FOLD[p.page] == fold:
                by.setdefault(p.page, ([], []))[p.kind != "b"].append(v)
    for b, f in by.values():
        bona += b
        fake += f
        if len(b) >= 6 and len(f) >= 6:
            own.append(judge.eer(np.array(b), np.array(f)))
    return 100 * judge.eer(np.array(bona), np.array(fake)) if bona and fake else float("nan"), 100 * float(np.mean(own)) if own else float("nan")


if __name__ == "__main__":
    main(*sys.argv[1:])
