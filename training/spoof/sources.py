"""Owns the recordings that copies are made of: people of the training corpora and the pages' originals."""
import os

import bank
import pages
from store import SR


class Source:
    def __init__(self, packs, dev, draws, say, small=False):
        """`draws`: a random.Random and a torch.Generator."""
        self.packs, self.small, self.say, (self.rng, self.g) = packs, small, say, draws
        self.bank, self.by_page, self.fresh, self.seen = bank.Bank(dev, 0.2 if small else 26), {}, {}, set()

    def look(self):
        for base, meta in bank.ready(self.packs, alt_too=False):
            if base in self.seen or meta["kind"] not in ("train", "attacks"):
                continue
            self.seen.add(base)
            rows = bank.read(base)[:24 if self.small else None]
            if meta["kind"] == "train":
                labels = [bank.Label("b", meta["set"], str(s)) for s, _ in rows]
                keep = [i for i, (_, x) in enumerate(rows) if len(x) >= 2 * SR]
            else:
                labels = [pages.parse(s) for s, _ in rows]
                keep = [i for i, (_, x) in enumerate(rows) if labels[i].kind == "b" and len(x) >= 1.5 * SR]
            if keep:
                for k, i in zip(self.bank.add([rows[i][1] for i in keep], [labels[i] for i in keep]), keep):
                    kept_apart = meta["kind"] == "train" and pages.is_fresh(meta["set"], rows[i][0])
                    (self.fresh if kept_apart else self.by_page).setdefault(labels[i].page, []).append(k)
            self.say("source", os.path.basename(base), len(keep))

    def crops(self, which):
        return self.bank.crops(which, self.g, tight=0.0, around=0.0, faster=0.0)

    def draw_fresh(self, n):
        names = [self.rng.choice(sorted(self.fresh)) for _ in range(n)]
        return self.crops([self.rng.choice(self.fresh[p]) for p in names]), names

    def draw(self, n, share=0.25):
        """n crops of 4 s and the pages (or corpora) that they come from. Pages' originals make a quarter: there are few of them, and every network soon knows them."""
        own = [p for p in self.by_page if p in pages.PAGE_FOLD]
        others = [p for p in self.by_page if p not in pages.PAGE_FOLD]
        names = [self.rng.choice(own if own and (self.rng.random() < share or not others) else self.rng.choices(others, [pages.CORPUS_WEIGHT.get(p, 0.1) for p in others])) for _ in range(n)]
        return self.crops([self.rng.choice(self.by_page[p]) for p in names]), names
