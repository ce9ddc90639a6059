"""Owns the training of the synthetic-speech detector on pages: every batch is made once, of pairs, and shown to every copy of every network.

Of each network there are FOLDS copies that never meet the pages and vocoders of one fold (choices, rates and calibration come from them on what they never met) and one, `all`, that
meets everything and ships. A pair is an original and an attack of one page, a recording and its own copy by a vocoder, or a person and a voice without originals;
both pass through the same damage, most of the time with the same draws.

Usage: train_pages.py PACKS MADE OUT --until EPOCH_SECONDS [--start CHECKPOINT] [--rooms FOLDER] [--bench FOLDER] [--plan wide,short,...] [--graph] [--small]
MADE: the folder that copies.py fills meanwhile (MADE-fresh: copies of people whom training never meets, for judging); BENCH: what judge_pages.py cut.
"""
import argparse
import copy
import glob
import json
import math
import os
import threading
import time
import traceback

import numpy as np
import torch
import torch.nn.functional as F

import judge
import judge_pages
import pages
from encoder_time import Frames
from export import load
from feed import Feed
from nets import make
from store import CROP

ap = argparse.ArgumentParser()
ap.add_argument("packs"), ap.add_argument("made"), ap.add_argument("out")
ap.add_argument("--until", type=float, required=True)
ap.add_argument("--start", default="")
ap.add_argument("--rooms", default="")
ap.add_argument("--bench", default="")
ap.add_argument("--plan", default="wide,short,time,time@light", help="BRANCH[@light][@SEED],...; @light: nearly clean speech alone")
ap.add_argument("--plain", action="store_true", help="whole batches of nearly clean speech")
ap.add_argument("--batch", type=int, default=192)
ap.add_argument("--block", type=int, default=4, help="batches that are made at once")
ap.add_argument("--lr", type=float, default=1.2e-3)
ap.add_argument("--marks", default="0.6,1.0", help="moments at which weights are kept; those of the last one are judged")
ap.add_argument("--folds", default="0,1,2", help="which folds get a copy that never meets them")
ap.add_argument("--reuse", type=int, default=2, help="how often a batch is shown (masked anew) while the next one is being made")
ap.add_argument("--settle", type=int, default=12, help="batches over which normalisation statistics are measured")
ap.add_argument("--wait", default="", help="files of PACKS that must be there before it begins")
ap.add_argument("--steps", type=int, default=0, help="at most so many steps: the rate goes by them where they are ahead of the clock")
ap.add_argument("--every-second", default="", help="views that learn at every second step alone")
ap.add_argument("--graph", action="store_true", help="replay each training step as one CUDA graph")
ap.add_argument("--seed", type=int, default=0, help="another beginning and other draws of everything; what is judged stays the same")
ap.add_argument("--small", action="store_true")
SMOOTH, RANK = 0.03, 0.5


def copies_of(a):
    """Names of the copies: one per fold, then the one that ships."""
    return [f"f{k}" for k in a.folds.split(",")] + ["all"]


def spec_mask(B, K, T, dev):
    """Up to three bands and a stretch of time of each spectrum are hidden."""
    m = torch.ones(B, 1, K, T, device=dev)
    r, c = torch.arange(K, device=dev)[None], torch.arange(T, device=dev)[None]
    for width, axis, p in ((K // 3, "f", 0.3), (K // 5, "f", 0.6), (K // 8, "f", 0.4), (T // 6, "t", 0.5)):
        size, pos = (K, r) if axis == "f" else (T, c)
        w = torch.randint(1, width, (B, 1), device=dev)
        at = (torch.rand(B, 1, device=dev) * (size - w)).long()
        hit = (pos >= at) & (pos < at + w) & (torch.rand(B, 1, device=dev) < p)
        m = m * (~hit).float()[:, None, :, None] if axis == "f" else m * (~hit).float()[:, None, None, :]
    return m


def hidden(s, m):
    return (s * m).contiguous(memory_format=torch.channels_last)


def mixed(s, order, share):
    """Each recording's mean and spread per frequency are drawn towards another's of its class: what a page's channel does to them is no page's own any more."""
    x = s[:, :1]
    mu, sd = x.mean(3, keepdim=True), x.std(3, keepdim=True) + 1e-3
    y = (x - mu) / sd * (share * sd + (1 - share) * sd[order]) + share * mu + (1 - share) * mu[order]
    return torch.cat([y, s[:, 1:]], 1) if s.shape[1] > 1 else y


def draw_mix(B, dev, p=0.4):
    """Partners (the same for both sides of a pair) and shares; a share of 1 changes nothing."""
    n = B // 2
    order = torch.randperm(n, device=dev)
    share = torch.where(torch.rand(n, device=dev) < p, 0.2 + 0.8 * torch.rand(n, device=dev), 1.0)
    return torch.cat([order, order + n]), torch.cat([share, share])[:, None, None, None]


def pair_loss(z, y, w):
    """Both classes' cross entropy, and the order within each pair. Rows that this copy must not see weigh nothing."""
    n = len(z) // 2
    each = F.binary_cross_entropy_with_logits(z, y * (1 - 2 * SMOOTH) + SMOOTH, reduction="none")
    both = w[:n] * w[n:]
    order = F.softplus(z[:n] - z[n:])
    return 2 * (each * w).sum() / w.sum() + RANK * (order * both).sum() / both.sum().clamp_min(1)


class View:
    """All copies of one network: they share the spectrum, and on a GPU the whole step is recorded as a graph."""

    def __init__(self, name, a, dev, saved):
        self.name, self.dev, self.graph, self.taken, self.pause = name, dev, None, 0, name in a.every_second.split(",")
        torch.manual_seed(17 + 1000 * a.seed + sum(int(p) for p in name.split("@")[1:] if p.isdigit()))
        one = make(name).to(dev)
        key = f"synthetic/{name}/all"
        if key in saved:
            state = {k: v.float() if v.dtype == torch.float16 else v for k, v in saved[key].items()}
            one.load_state_dict(state, strict=False)
        self.started = key in saved
        self.spectrum = one.spectrum
        self.spectrum.framed = dev == "cuda"
        self.nets = {c: copy.deepcopy(one).to(memory_format=torch.channels_last).train() for c in copies_of(a)}
        params = [p for n in self.nets.values() for p in n.parameters()]
        on = dev == "cuda"
        self.lr = torch.tensor(1e-6, device=dev) if on else 1e-6
        groups = [{"params": [p for p in params if p.ndim > 1], "weight_decay": 0.05}, {"params": [p for p in params if p.ndim <= 1], "weight_decay": 0.0}]
        self.opt = torch.optim.AdamW(groups, self.lr, betas=(0.9, 0.98), **({"capturable": True} if on else {}))
        self.ema = {c: {k: v.clone() for k, v in n.state_dict().items()} for c, n in self.nets.items()}
        n = a.batch // 2
        self.rows = torch.arange(a.batch, device=dev).reshape(2, n)[:, : n // 2 if "@light" in name and not a.plain else n].reshape(-1)
        B = len(self.rows)
        self.x, self.y, self.w = torch.zeros(B, CROP, device=dev), torch.zeros(B, device=dev), torch.ones(len(self.nets), B, device=dev)
        with torch.no_grad():
            K, T = self.spectrum(self.x[:1]).shape[2:4]
        self.whole, self.lent, self.lender, self.frames = B == a.batch, None, None, isinstance(self.spectrum, Frames)
        self.shape, self.m, self.loss = (B, K, T), torch.ones(B, 1, K, T, device=dev), torch.zeros(len(self.nets), device=dev)
        self.order, self.share = torch.arange(B, device=dev), torch.ones(B, 1, 1, 1, device=dev)

    def compute(self):
        with torch.autocast(self.dev, dtype=torch.bfloat16, enabled=self.dev == "cuda", cache_enabled=False):
            with torch.autocast(self.dev, enabled=False), torch.no_grad():
                s = self.spectrum(self.x) if not self.lender else self.lender.lent if self.whole else self.lender.lent[self.rows]
                if self.lent is not None:
                    self.lent.copy_(s)
                s = hidden(mixed(s, self.order, self.share), self.m)
                if self.frames and self.dev == "cuda":
                    s = s.bfloat16()  # once for all copies
            losses = [pair_loss(net.judge(s).float(), self.y, w) for net, w in zip(self.nets.values(), self.w)]
        self.opt.zero_grad(set_to_none=True)
        torch.stack(losses).sum().backward()
        for net in self.nets.values():
            torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        self.opt.step()
        self.loss.copy_(torch.stack(losses).detach())

    @torch.no_grad()
    def borrow(self, earlier):
        """What a view before it has computed of the same batch is not computed again."""
        for v in earlier:
            if v.whole and not v.lender and (v.spectrum.key(), v.pause) == (self.spectrum.key(), self.pause):
                v.lent = torch.zeros(len(v.x), *v.spectrum(v.x[:1]).shape[1:], device=v.dev) if v.lent is None else v.lent
                self.lender = v
                return

    def record(self, pool):
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):
                self.compute()
        torch.cuda.current_stream().wait_stream(side)
        self.opt.zero_grad(set_to_none=True)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, pool=pool, capture_error_mode="thread_local"):
            self.compute()
        self.graph = graph
        return graph.pool()

    def step(self, batch, lr, decay):
        for group in self.opt.param_groups:
            if torch.is_tensor(group["lr"]):
                group["lr"].fill_(lr)
            else:
                group["lr"] = lr
        self.take(batch), self.hide()
        order, share = draw_mix(len(self.x), self.dev)
        self.order.copy_(order), self.share.copy_(share)
        self.w.copy_(torch.where(share[:, 0, 0, 0] < 1, self.w * self.w[:, order], self.w))  # a mixture with a page that a copy must not meet is not for that copy
        self.graph.replay() if self.graph is not None else self.compute()
        self.taken += 1
        if self.taken % 5 == 0:
            self.average(decay)

    def take(self, batch):
        self.x.copy_(batch[0][self.rows]), self.y.copy_(batch[1][self.rows]), self.w.copy_(batch[2][:, self.rows])

    def hide(self):
        self.m.copy_(spec_mask(*self.shape, self.dev))

    @torch.no_grad()
    def average(self, d):
        for c, net in self.nets.items():
            now, ema = net.state_dict(), self.ema[c]
            mine = [k for k in now if now[k].dtype.is_floating_point and "basis" not in k]
            torch._foreach_mul_([ema[k] for k in mine], d)
            torch._foreach_add_([ema[k] for k in mine], [now[k] for k in mine], alpha=1 - d)


@torch.no_grad()
def settled(views, feed, count):
    """Averaged weights with batch-norm statistics measured on fresh batches (the averaged statistics are too wide for them)."""
    done = {}
    for v in views:
        for c, trained in v.nets.items():
            net = copy.deepcopy(trained)
            net.load_state_dict(v.ema[c])
            for m in net.modules():
                if isinstance(m, torch.nn.modules.batchnorm._BatchNorm):
                    m.reset_running_stats()
                    m.momentum = None
            net.train()
            for m in net.modules():
                if isinstance(m, torch.nn.Dropout):
                    m.eval()
            done[(v.name, c)] = net
    rows = {v.name: v.rows for v in views}
    for _ in range(count):
        x, seen = feed.get()[0], {}
        for (name, _), net in done.items():
            key = (net.spectrum.key(), len(rows[name]))
            if key not in seen:
                seen[key] = net.spectrum(x[rows[name]])
            net.judge(seen[key])
    return {k: n.eval() for k, n in done.items()}


def keep(done, path, step):
    pack = lambda net: {n: (t.half() if t.dtype == torch.float32 else t).cpu().contiguous() for n, t in net.state_dict().items() if "basis" not in n}
    for c in sorted({c for _, c in done}):
        torch.save({**{f"synthetic/{v}/{c}": pack(net) for (v, k), net in done.items() if k == c}, "step": step}, f"{path}-{c}.pt.tmp")
        os.replace(f"{path}-{c}.pt.tmp", f"{path}-{c}.pt")


def tell(index, scores, plan, folds, say):
    """Held-out pages, fold by fold: pooled rate / mean of the pages' own rates, for each network and for the mean of all."""
    for condition in sorted({k.split("/")[0] for k in scores}):
        for v in [*plan, "mean"]:
            z = {k: scores[f"{condition}/{v}/f{k}"] if v != "mean" else np.mean([scores[f"{condition}/{p}/f{k}"] for p in plan], 0) for k in folds}
            got = [judge_pages.page_rates(index, z[k], k) for k in z]
            say(condition, v, " ".join("%.1f/%.1f" % g for g in got), "mean %.1f/%.1f" % tuple(np.nanmean(got, 0)))


def judge_all(a, dev, done, earlier, say):
    """Scores of every copy on what was cut for judging, and of the networks that training began with (`earlier-NAME/all`)."""
    bench = judge_pages.Bench(a.bench, dev)
    scores = bench.score({**{f"{v}/{c}": net for (v, c), net in done.items()}, **earlier})
    np.savez_compressed(f"{a.out}/scores-last.npz", **scores)
    json.dump(bench.index["rows"], open(f"{a.out}/scores-index.json", "w"))
    tell(bench.index, scores, a.plan.split(","), [int(k) for k in a.folds.split(",")], say)


def judge_copies(a, dev, done, say):
    """Copies of people whom training never met against those people, family by family: by the copy of the networks that met everything, and by those that did not meet some family (pages.COPY_FOLD)."""
    kept = {}
    for path in sorted(glob.glob(a.made + "-fresh/*/*.json")):
        family, waves = json.load(open(path))["system"], [np.fromfile(f"{path[:-5]}.{side}.raw", np.int16).reshape(-1, CROP) for side in ("orig", "copy")]
        rates = {}
        for c in copies_of(a):
            with torch.no_grad():
                z = {(v, s): np.concatenate([net(torch.from_numpy(w[k:k + 64]).to(dev).float()).float().cpu().numpy() for k in range(0, len(w), 64)])
                     for (v, k), net in done.items() if k == c for s, w in enumerate(waves)}
            kept.update({f"{family}/{v}/{c}/{s}": x for (v, s), x in z.items()})
            mean = [np.mean([x for (_, s), x in z.items() if s == side], 0) for side in (0, 1)]
            unmet = c != "all" and pages.COPY_FOLD.get(family) == int(c[1:])
            rates[c + ("-unmet" if unmet else "")] = round(100 * judge.eer(*mean), 1)
        say("copies of the unmet", family, len(waves[0]), rates)
    np.savez_compressed(f"{a.out}/scores-copies.npz", **kept)


def begin_from(path):
    """Weights to begin with: in a checkpoint of this training those of revision 3, which travel in it as earlier-NAME."""
    saved = torch.load(path, map_location="cpu") if path else {}
    return {k.replace("/earlier-", "/"): v for k, v in saved.items() if "/earlier-" in k} or saved


def begun_with(saved, dev):
    """The networks of the checkpoint that training begins with, as they are."""
    nets = {}
    for key, state in saved.items():
        if key.startswith("synthetic/") and key.endswith("/all"):
            name = key.split("/")[1]
            nets[f"earlier-{name}/all"] = load(make(name), state).to(dev)
    return nets


def main(a):
    dev = "cuda" if torch.cuda.is_available() else "cpu"
    torch.backends.cudnn.benchmark = True
    t0 = time.time()
    say = lambda *m: print("[pages %.0fs]" % (time.time() - t0), *m, flush=True)
    os.makedirs(a.out, exist_ok=True)
    while not all(os.path.exists(f"{a.packs}/{n}") for n in a.wait.split(",") if n) or not os.path.isdir(f"{a.made}/dsp-0"):
        time.sleep(1)
    feed = Feed(a, dev, say)
    saved = begin_from(a.start)
    plan = a.plan.split(",")
    views = [View(name, a, dev, saved) for name in plan]
    for k, v in enumerate(views):
        v.borrow(views[:k])
    say("networks", {v.name: (sum(p.numel() for p in v.nets["all"].parameters()), v.started) for v in views})
    if a.graph and dev == "cuda":
        first, pool = feed.make()[0], None
        for v in views:
            v.take(first)
            pool = v.record(pool)
        say("graphs recorded")
    worker = threading.Thread(target=feed.run, daemon=True)
    worker.start()
    batch, used = None, 0
    marks, step, begin, last = [float(m) for m in a.marks.split(",")], 0, time.time(), 0.0
    seconds = max(1.0, a.until - begin)
    while marks:
        fr = min(1.0, max((time.time() - begin) / seconds, step / a.steps if a.steps else 0.0))
        if fr >= marks[0] or (a.small and step >= 2):
            mark = round(100 * marks.pop(0))
            done = settled(views, feed, 2 if a.small else a.settle)
            keep(done, f"{a.out}/pages-{mark}", step)
            say("kept", mark, "step", step)
            if not marks and a.bench and os.path.exists(a.bench + "/index.json"):
                try:
                    judge_all(a, dev, done, begun_with(saved, dev), say)
                    judge_copies(a, dev, done, say)
                except Exception:  # figures can be made later from the weights; training cannot be repeated
                    traceback.print_exc()
            continue
        # a long flat stretch, so that the average is one over many different solutions, then down
        lr = a.lr * min(1, (step + 1) / 100) * (1.0 if fr < 0.5 else 0.03 + 0.97 * 0.5 * (1 + math.cos(math.pi * (fr - 0.5) / 0.5)))
        if batch is None or used >= a.reuse or not feed.queue.empty():
            batch, used = feed.get(), 0
        used += 1
        for v in views:
            if not (v.pause and step % 2):
                v.step(batch, lr, 0.9 if fr < 0.1 else 0.98)
        step += 1
        if dev == "cuda" and step % 4 == 0:
            torch.cuda.current_stream().synchronize()  # work must not pile up: the moments of training go by the clock
        if time.time() - last > 20:
            last = time.time()
            say("step", step, "made", feed.count, "lr %.1e" % lr, {v.name: [round(x, 3) for x in v.loss.tolist()] for v in views})
    feed.stop = True
    say("done", step)


if __name__ == "__main__":
    main(ap.parse_args())
