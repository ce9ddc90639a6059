"""Owns the tables of the search for better statistics: pairs of recordings drawn as for training (feed.py), and the recordings that are judged, as standardised statistics in groups.

Usage: lab_table.py PACKS MADE BENCH OUT --rooms FOLDER --speaker CHECKPOINT [--pairs N] [--seconds S] [--small]
Writes OUT/table.pt {groups, values, pairs' labels} and OUT/bench.pt, OUT/surprise.pt, OUT/scale.pt.
"""
import argparse
import json
import os
import random
import time

import numpy as np
import torch

import judge_pages
import pages
from encoder_more import MoreLayers
from feed import Feed
from learned_views import SpeakerLayers, Surprise
from statistics_more import MoreStatistics
from statistics_view import Statistics

ap = argparse.ArgumentParser()
ap.add_argument("packs"), ap.add_argument("made"), ap.add_argument("bench"), ap.add_argument("out")
ap.add_argument("--rooms", default=""), ap.add_argument("--speaker", default="")
ap.add_argument("--pairs", type=int, default=100000)
ap.add_argument("--seconds", type=float, default=200, help="at most so long for the drawing of pairs")
ap.add_argument("--surprise", type=float, default=25, help="seconds of training of the network that is surprised")
ap.add_argument("--seed", type=int, default=0), ap.add_argument("--like", default="", help="tables whose scale and network are taken over: more pairs of the same kind")
ap.add_argument("--judge", action="store_true", help="the recordings that are judged too, also with --like")
ap.add_argument("--second", action="store_true", help="of the speaker network the second block alone")
ap.add_argument("--encoder", default="", help="weights of a published encoder (encoder_view.py): statistics of its first layers too")
ap.add_argument("--small", action="store_true")
TURNS = (True, "phone") * 4 + (True, False)  # half of the pairs nearly as they came, four in ten telephone calls, one in ten damaged


class Every(torch.nn.Module):
    """All statistics, {group: [B, K]}."""

    def __init__(self, speaker, surprise, second=False, encoder=""):
        super().__init__()
        self.base, self.more, self.surprise = Statistics(), MoreStatistics(), surprise
        self.speaker = SpeakerLayers(speaker, second=second) if speaker else None
        self.encoder = MoreLayers(encoder) if encoder else None

    def forward(self, wave):
        out = {"base": self.base(wave), **self.more(wave), "surprise": self.surprise(wave)}
        out = {**out, **({k: v for k, v in self.speaker(wave).items() if k in ("speaker1", "speaker2", "speaker3")} if self.speaker else {})}
        return {**out, **(self.encoder(wave) if self.encoder else {})}


def cat(parts):
    return torch.nan_to_num(torch.cat([p.float() for p in parts.values()], 1), posinf=1e4, neginf=-1e4)


def waves_of_pairs(feed, n, plain):
    pairs = feed.pairs(n, plain)
    return pairs, feed.sides(pairs, plain)


def learn_surprise(feed, a, dev, say):
    net = Surprise().to(dev)
    net.fine.framed = dev == "cuda"
    opt, begin, step = torch.optim.AdamW(net.parameters(), 2e-3, weight_decay=0.01), time.time(), 0
    while (spent := (time.time() - begin) / a.surprise) < 1 and not (a.small and step >= 2):
        who, plain = [feed.draw.rng.choice(feed.draw.people[p])[0] for p in random.Random(step).choices(sorted(feed.draw.people), k=8 if a.small else 128)], step % 2 == 0
        with torch.no_grad():
            x = torch.nan_to_num(feed.damage(feed.bank.crops(who, feed.g, **({"tight": 0.15, "around": 0.1, "faster": 0.1} if plain else {})), plain))
        for g in opt.param_groups:
            g["lr"] = 2e-3 * min(1, (step + 1) / 50) * (1 - 0.97 * spent)
        loss = net.loss(x)
        opt.zero_grad(), loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        opt.step()
        step += 1
        if step % 100 == 0:
            say("surprise", step, "%.3f" % loss.item())
    say("surprise done", step)
    return net.eval()


def earlier(net, folder):
    net.load_state_dict(torch.load(folder + "/surprise.pt", map_location=next(net.parameters()).device))
    return net.eval()


def partly_known(scale, saved, sizes):
    """What an earlier table was scaled by stays."""
    ends, at = dict(zip(saved["sizes"], np.cumsum([*saved["sizes"].values()]))), 0
    for g, n in sizes.items():
        if g in ends:
            scale.mean[at:at + n], scale.sd[at:at + n] = saved["mean"][ends[g] - n:ends[g]], saved["sd"][ends[g] - n:ends[g]]
        at += n


class Scale:
    """Mean and spread of each number over people of corpora and copies of them: no page has a say in it."""

    def __init__(self, x=None, saved=None, groups=()):
        if saved:  # perhaps of more groups than are wanted
            ends = np.cumsum([*saved["sizes"].values()])
            use = torch.cat([torch.arange(z - n, z) for (g, n), z in zip(saved["sizes"].items(), ends) if g in groups]).to(saved["mean"].device)
            self.mean, self.sd = saved["mean"][use], saved["sd"][use]
            return
        some = x[:1500].sort(0)[0]
        lo, hi = some[len(some) // 200], some[len(some) - 1 - len(some) // 200]
        x = torch.minimum(torch.maximum(x, lo), hi)
        self.mean, self.sd = x.mean(0), x.std(0) + 1e-4

    def __call__(self, x):
        return torch.nan_to_num((x - self.mean) / self.sd).clamp(-6, 6).half()


@torch.no_grad()
def draw_table(feed, stats, a, dev, say, scale=None, known=None):
    n, begin, kept, labels, first = 8 if a.small else 256, time.time(), [], [], []
    while len(labels) < a.pairs and time.time() - begin < a.seconds and not (a.small and len(labels) >= 64):
        plain = TURNS[(len(labels) // n) % len(TURNS)]
        pairs, sides = waves_of_pairs(feed, n, plain)
        both = [feed.bank.labels[i] for p in pairs for i in p]
        x = torch.stack([cat(stats(s)) for s in sides], 1)  # [pairs, side, K]
        labels += [[[*map(str, feed.bank.labels[p[0]])], [*map(str, feed.bank.labels[p[1]])], 2 if plain == "phone" else int(plain)] for p in pairs]
        if scale is None:
            outside = torch.tensor([label.page not in pages.PAGE_FOLD for label in both], device=dev)
            first.append((x, outside))
            if len(first) >= (4 if a.small else 30):
                scale = Scale(torch.cat([y.flatten(0, 1)[o] for y, o in first]))
                known(scale)
                kept += [scale(y).cpu() for y, _ in first]
                first = []
        else:
            kept.append(scale(x).cpu())
        if (len(labels) // n) % 100 == 0:
            say("pairs", len(labels))
    say("pairs", len(labels), "numbers", kept[0].shape[2])
    return torch.cat(kept), labels, scale


@torch.no_grad()
def bench_table(folder, stats, scale, dev):
    index, out = json.load(open(folder + "/index.json")), {}
    for c in judge_pages.CONDITIONS:
        wins = np.load(f"{folder}/{c}.npy", mmap_mode="r")
        size = 256 if dev == "cuda" else 8
        out[c] = torch.cat([scale(cat(stats(torch.from_numpy(np.array(wins[k:k + size])).to(dev).float()))) for k in range(0, len(wins), size)]).cpu()
    return index, out


def main(a):
    dev = "cuda" if torch.cuda.is_available() else "cpu"
    begin = time.time()
    say = lambda *m: print("[table %.0fs]" % (time.time() - begin), *m, flush=True)
    os.makedirs(a.out, exist_ok=True)
    a.batch, a.block, a.folds, a.hours = 192, 4, "", 160
    feed = Feed(a, dev, say)
    for g in (feed.g, feed.channel.g):
        g.manual_seed(1000 + a.seed)
    feed.rng.seed(a.seed), feed.draw.rng.seed(a.seed + 1)
    surprise = earlier(Surprise().to(dev), a.like) if a.like else learn_surprise(feed, a, dev, say)
    stats = Every(a.speaker, surprise, a.second, a.encoder).to(dev).eval()
    for part in (stats.base, stats.more, surprise.fine):
        part.framed = dev == "cuda"
    torch.save(surprise.state_dict(), a.out + "/surprise.pt")
    with torch.no_grad():
        sizes = {k: v.shape[1] for k, v in stats(torch.randn(2, 64000, device=dev) * 1000).items()}
    like, there = None, os.path.join(os.path.dirname(a.out), "lab-0", "scale.pt")

    def known(scale):
        if a.like:
            partly_known(scale, torch.load(a.like + "/scale.pt", map_location=dev), sizes)
        torch.save({"mean": scale.mean.cpu(), "sd": scale.sd.cpu(), "sizes": sizes}, there + ".tmp")
        os.rename(there + ".tmp", there)
    if a.like and a.seed:  # the first table measures what no earlier one knows
        while not os.path.exists(there):
            time.sleep(0.5)
        like = Scale(saved=torch.load(there, map_location=dev), groups=sizes)
    values, labels, scale = draw_table(feed, stats, a, dev, say, like, known)
    torch.save({"mean": scale.mean.cpu(), "sd": scale.sd.cpu(), "sizes": sizes}, a.out + "/scale.pt")
    if a.judge or not a.like:
        index, bench = bench_table(a.bench, stats, scale, dev)
        say("judged windows", {c: len(x) for c, x in bench.items()}, "numbers", sizes)
        torch.save({"index": index, "values": bench}, a.out + "/bench.pt")
    torch.save({"values": values.cpu(), "labels": labels, "sizes": sizes}, a.out + "/table.tmp")
    os.rename(a.out + "/table.tmp", a.out + "/table.pt")
    say("done")


if __name__ == "__main__":
    main(ap.parse_args())
