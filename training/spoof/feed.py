"""Owns the batches of the page-wise training: made in blocks of several batches by a thread of its own, on a stream of its own, all on the device.

Half of the pairs of each batch stay nearly as they came (`plain`: what most callers of a data channel and every page sound like), a quarter become telephone calls and hardly anything else ("phone"), a quarter
take the long way of damage. Some networks see the first half alone.
"""
import glob
import json
import os
import queue
import random
import traceback

import numpy as np
import torch

import bank
import pages
from channel import Channel
from dsp_vocoders import KINDS
from store import CROP, SR

PLAIN_SHARES = {"page": 0.42, "lone": 0.15, "neural": 0.14, "dsp": 0.03, "feature": 0.09}
MODES = {True: 0.5, "phone": 0.25, False: 0.25}  # shares of a batch: plain, telephone calls, damaged
DAMAGED_SHARES = {"page": 0.34, "lone": 0.15, "neural": 0.16, "dsp": 0.08, "feature": 0.1}


class Feed:
    def __init__(self, a, dev, say):
        self.a, self.dev, self.say = a, dev, say
        self.g = torch.Generator(device=dev)
        self.g.manual_seed(3 + 1000 * a.seed)
        self.rng, self.draw = random.Random(3 + 1000 * a.seed), pages.Draw(4 + 1000 * a.seed)
        self.bank, self.seen, self.noise, self.families = bank.Bank(dev, 1.5 if a.small else getattr(a, "hours", 260)), set(), [], {"neural": set(), "dsp": set(), "feature": set()}
        self.awaiting = {}  # packs without their telephone version: what was kept, and the lists of versions to which it will be added
        self.pairs_awaiting = {}  # the same of copies and their originals
        self.queue, self.stop, self.count = queue.Queue(2 * a.block), False, 0
        self.look()
        self.channel = Channel(dev, torch.from_numpy(np.concatenate(self.noise)).to(dev), seed=5 + 1000 * a.seed, rirs=8 if a.small else 300)
        if a.rooms:
            self.channel.add_recorded(a.rooms)

    def look(self):
        """Bring what has arrived into memory: packs, and copies with their originals; one at a time once training goes on."""
        for base, meta in bank.ready(self.a.packs):
            if base not in self.seen and meta["kind"] in bank.SPEECH_KINDS + ("noise",):
                self.seen.add(base)
                self.take_pack(base, meta)
                if self.count:
                    return
        for base in [b for b, (*_, ends) in self.awaiting.items() if os.path.exists(f"{b}{ends[0]}.raw")]:
            keep, labels, spans, lists, ends = self.awaiting.pop(base)
            rows = bank.read(base, ends[0])
            if ends[1:]:
                self.awaiting[base] = (keep, labels, spans, lists, ends[1:])
            for versions, n in zip(lists, self.bank.add([rows[i][1] for i in keep], labels, spans)):
                versions.append(n)
            self.say("telephone version of", os.path.basename(base), ends[0])
            if self.count:
                return
        made = sorted(glob.glob(self.a.made + "/*/*.json"))
        for base in [p[:-5] for p in made if ".part/" not in p and p[:-5] not in self.seen]:
            self.seen.add(base)
            self.take_copies(base)
            if self.count:
                return
        for base in [b for b in self.pairs_awaiting if os.path.exists(b + ".copy.tel.raw")]:
            self.take_called(base, *self.pairs_awaiting.pop(base))
            if self.count:
                return

    def take_pack(self, base, meta):
        rows = bank.read(base)[:40 if self.a.small else None]
        if meta["kind"] == "noise":
            self.noise += [x for i, (_, x) in enumerate(rows) if i % 5]  # every fifth is kept for judging
            return
        labels = [pages.parse(s) if meta["kind"] == "attacks" else bank.Label("b" if meta["kind"] == "train" else "s", meta["set"], str(s)) for s, _ in rows]
        keep = [i for i, (s, x) in enumerate(rows) if len(x) >= SR and not (meta["kind"] == "train" and pages.is_fresh(meta["set"], s))]
        if not keep:
            return
        spans, kept = np.load(base + ".spans.npy")[keep].tolist(), [labels[i] for i in keep]
        numbers = [self.bank.add([r[i][1] for i in keep], kept, spans) for r in (rows, bank.read(base, ".alt"))]
        lists = [list(v) for v in zip(*numbers)]
        for label, versions in zip(kept, lists):
            self.draw.add(label, versions)
        self.awaiting[base] = (keep, kept, spans, lists, (".tel", ".tel2"))
        self.say("pack", os.path.basename(base), len(keep))

    def take_copies(self, base):
        meta = json.load(open(base + ".json"))
        orig, made = ([w for w in np.fromfile(f"{base}.{side}.raw", np.int16).reshape(-1, CROP)] for side in ("orig", "copy"))
        spans = np.load(base + ".spans.npy").tolist()
        u = self.bank.add(orig, [bank.Label("orig", p, meta["system"]) for p in meta["pages"]], spans)
        labels = [bank.Label("copy", p, meta["system"]) for p in meta["pages"]]
        versions = [([i], [j]) for i, j in zip(u, self.bank.add(made, labels, spans))]
        for label, (own, copied) in zip(labels, versions):
            self.draw.add(label, copied, own)
        self.pairs_awaiting[base] = (labels, spans, versions)
        family = meta["system"].split("@")[0]
        kind = "dsp" if family in KINDS else "feature" if "/features-" in base else "neural"
        self.families[kind].add(family)
        self.say("copies", meta["system"], len(orig), "hours in memory %.1f" % (self.bank.end / SR / 3600))

    def take_called(self, base, labels, spans, versions):
        for side in (0, 1):
            waves = [w for w in np.fromfile(f"{base}.{('orig', 'copy')[side]}.tel.raw", np.int16).reshape(-1, CROP)]
            kinds = [bank.Label("orig", p.page, p.system) for p in labels] if side == 0 else labels
            for lists, n in zip(versions, self.bank.add(waves, kinds, spans)):
                lists[side].append(n)
        self.say("telephone version of", os.path.basename(base))

    def pairs(self, n, plain):
        shares = {k: v for k, v in (PLAIN_SHARES if plain else DAMAGED_SHARES).items() if k not in self.families or self.families[k]}
        out = []
        for kind in self.rng.choices(list(shares), list(shares.values()), k=n):
            if kind == "page":
                out.append(self.draw.page_pair(plain))
            elif kind == "lone":
                out.append(self.draw.lone_pair(plain))
            else:
                out.append(self.draw.copy_pair(self.families[kind], plain))
        return out

    def damage(self, x, plain):
        if plain:
            some = self.channel.rnd(len(x), 1) < 0.3
            x = torch.where(some, self.channel.light(x, "any"), x)
            if plain == "phone":
                return self.channel.line(x, p_noise=0.2, p_narrow=0.8, p_limit=0.05, snr=(10, 40))
            return self.channel.line(x, p_noise=0.15, p_narrow=0.08, p_limit=0.12, snr=(12, 40))
        x = self.bank.silence(x, self.g)
        x = self.channel.light(x, "any")
        x = self.channel.rough(x, 0.3)
        x = self.channel.coder(x)
        return self.channel.line(x, p_noise=0.4, p_narrow=0.3)

    def sides(self, pairs, plain):
        """The waves of both sides, cut by the same draws and, six times in ten, damaged by the same."""
        cut = {"tight": 0.15, "around": 0.1, "faster": 0.1} if plain else {}
        same, state, out = self.rng.random() < 0.6, self.g.get_state(), []
        for side in (0, 1):
            self.g.set_state(state)
            out.append(self.bank.crops([p[side] for p in pairs], self.g, **cut))
        state = self.g.get_state(), self.channel.g.get_state()
        for side in (0, 1):
            if same:
                self.g.set_state(state[0]), self.channel.g.set_state(state[1])
            out[side] = torch.nan_to_num(self.damage(out[side], plain))
        return out

    @torch.no_grad()
    def make(self):
        """`block` batches: (waves, labels, weight of each row for each copy of the network); rows k and k + n of a batch are a pair, the first half of the n plain, then telephone calls, then the damaged."""
        n, modes = self.a.batch // 2, {True: 1.0} if getattr(self.a, "plain", False) else MODES
        counts = [int(n * share) for share in modes.values()]
        counts[-1] += n - sum(counts)
        pairs = [self.pairs(c * self.a.block, plain) for c, plain in zip(counts, modes)]
        waves = [self.sides(p, plain) for p, plain in zip(pairs, modes)]
        folds = [[[pages.folds_of(self.bank.labels[p[side]]) for p in some] for side in (0, 1)] for some in pairs]
        y = torch.cat([torch.zeros(n, device=self.dev), torch.ones(n, device=self.dev)])
        out = []
        for k in range(self.a.block):
            cut = [slice(k * c, (k + 1) * c) for c in counts]
            both = [f for side in (0, 1) for d in range(len(modes)) for f in folds[d][side][cut[d]]]
            weight = [[float(int(c) not in f) for f in both] for c in self.a.folds.split(",")] + [[1.0] * (2 * n)]
            out.append((torch.cat([waves[d][side][cut[d]] for side in (0, 1) for d in range(len(modes))]), y, torch.tensor(weight, device=self.dev)))
        return out

    def run(self):
        try:
            self.go_on()
        except BaseException:  # without batches the training would wait for ever
            traceback.print_exc()
            os._exit(1)

    def go_on(self):
        stream = torch.cuda.Stream() if self.dev == "cuda" else None
        with torch.cuda.stream(stream):
            while not self.stop:
                if self.count % 2:
                    self.look()
                batches = self.make()
                done = torch.cuda.Event() if stream else None
                if done:
                    done.record(stream)
                self.count += 1
                for b in batches:
                    self.put((b, done))

    def put(self, item):
        while not self.stop:
            try:
                return self.queue.put(item, timeout=0.5)
            except queue.Full:
                pass

    def get(self):
        batch, done = self.queue.get()
        if done:
            torch.cuda.current_stream().wait_event(done)
            for t in batch:
                t.record_stream(torch.cuda.current_stream())
        return batch
