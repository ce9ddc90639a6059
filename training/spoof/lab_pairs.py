"""Owns the tables of lab_table.py as the search (lab.py) wants them: which pairs a model may meet, which recordings are judged."""
import itertools

import numpy as np
import torch

import pages

FOLDS = range(pages.FOLDS)
SETS = [(k,) for k in FOLDS] + list(itertools.combinations(FOLDS, 2)) + [()]  # folds that a model never meets
CONDITIONS = ("clean", "telephone", "phone", "noisy20", "short2s", "far")
CHOICE = CONDITIONS[:5]  # recipes are chosen by these; the last one is only reported
PEOPLE = ("cv-fresh", "libri-fresh", "so762-fresh")
ROWS = {"all": (0, 1, 2), "light": (1,), "phone": (2,), "called": (1, 2)}  # 0 damaged, 1 nearly as they came, 2 telephone calls


class Tables:
    def __init__(self, folder, dev):
        several, b = [torch.load(f + "/table.pt") for f in folder.split(",")], torch.load(folder.split(",")[0] + "/bench.pt")
        t = {"sizes": several[0]["sizes"], "labels": [r for one in several for r in one["labels"]]}
        self.dev, self.sizes = dev, t["sizes"]
        self.x = torch.cat([one["values"].to(dev) for one in several])
        starts = np.cumsum([0, *self.sizes.values()])
        self.columns = {g: torch.arange(a, z, device=dev) for g, a, z in zip(self.sizes, starts, starts[1:])}
        self.mode = torch.tensor([int(r[2]) for r in t["labels"]], device=dev)
        fold = [[pages.PAGE_FOLD.get(side[1], -1) for side in r[:2]] for r in t["labels"]]
        self.fold = torch.tensor(fold, device=dev).t().contiguous()  # [side, pairs]
        self.allowed = torch.stack([torch.stack([self.fold != k for k in s]).all(0).float() if s else torch.ones_like(self.fold, dtype=torch.float) for s in SETS])  # [sets, side, pairs]
        self.index, self.bench = b["index"], {c: v.to(dev) for c, v in b["values"].items()}
        self.owner = {c: torch.tensor(self.index["owner"][c], device=dev) for c in CONDITIONS}
        rows = self.index["rows"]
        self.set = np.array([r[0] for r in rows])
        parsed = [pages.parse(r[1]) if r[0] == "pages" else None for r in rows]
        self.of_page = np.array([p.page if p else "" for p in parsed])
        self.kind = np.array([p.kind if p else "b" for p in parsed])
        self.of_fold = np.array([pages.PAGE_FOLD[p.page] if p else -1 for p in parsed])

    def pick(self, groups):
        if isinstance(groups, str):  # "-a,b": everything but these
            groups = [g for g in self.sizes if g not in groups[1:].split(",")]
        return torch.cat([self.columns[g] for g in groups])

    def rows(self, r):
        """Numbers of the pairs that a recipe trains with."""
        return torch.isin(self.mode, torch.tensor(ROWS[r["rows"]], device=self.dev)).nonzero()[:, 0]
