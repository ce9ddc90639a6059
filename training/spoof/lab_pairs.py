"""Owns the tables of lab_table.py as the search (lab.py) wants them: which pairs a model may meet, what their sources are, which recordings are judged."""
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
SAY = {"page": 1.0, "lone": 0.5, "copy": 0.15}  # how much a page, a voice without originals, a family of copies has to say about which statistics are to be trusted


class Tables:
    def __init__(self, folder, dev):
        several, b = [torch.load(f + "/table.pt") for f in folder.split(",")], torch.load(folder.split(",")[0] + "/bench.pt")
        t = {"sizes": several[0]["sizes"], "labels": [r for one in several for r in one["labels"]]}
        self.dev, self.sizes = dev, t["sizes"]
        self.x = torch.cat([one["values"].to(dev) for one in several])
        starts = np.cumsum([0, *self.sizes.values()])
        self.columns = {g: torch.arange(a, z, device=dev) for g, a, z in zip(self.sizes, starts, starts[1:])}
        self.mode = torch.tensor([int(r[2]) for r in t["labels"]], device=dev)
        self.source = [self.kind_of(r[1]) for r in t["labels"]]
        fold = [[pages.PAGE_FOLD.get(side[1], -1) for side in r[:2]] for r in t["labels"]]
        self.fold = torch.tensor(fold, device=dev).t().contiguous()  # [side, pairs]
        self.allowed = torch.stack([torch.stack([self.fold != k for k in s]).all(0).float() if s else torch.ones_like(self.fold, dtype=torch.float) for s in SETS])  # [sets, side, pairs]
        names = sorted({side[1] for r in t["labels"] for side in r[:2]})
        self.page = torch.tensor([[names.index(side[1]) for side in r[:2]] for r in t["labels"]], device=dev).t().contiguous()
        self.page_names = names
        self.same = self.page[0] == self.page[1]
        sources = [s if s != "page" else "page:" + r[1][1] for s, r in zip(self.source, t["labels"])]
        self.env_names = sorted(set(sources))
        self.env = torch.tensor([self.env_names.index(s) for s in sources], device=dev)
        self.near = self.same & torch.tensor(self.nearness(t["labels"]), device=dev)
        self.index, self.bench = b["index"], {c: v.to(dev) for c, v in b["values"].items()}
        self.owner = {c: torch.tensor(self.index["owner"][c], device=dev) for c in CONDITIONS}
        rows = self.index["rows"]
        self.set = np.array([r[0] for r in rows])
        parsed = [pages.parse(r[1]) if r[0] == "pages" else None for r in rows]
        self.of_page = np.array([p.page if p else "" for p in parsed])
        self.kind = np.array([p.kind if p else "b" for p in parsed])
        self.of_fold = np.array([pages.PAGE_FOLD[p.page] if p else -1 for p in parsed])

    @staticmethod
    def kind_of(label):
        """What the attack of a pair is: a page's, a voice without originals, or one of our copies (by family)."""
        return ("copy:" + label[2].split("@")[0]) if label[0] == "copy" else "page" if label[1] in pages.PAGE_FOLD else "lone:" + label[1]

    @staticmethod
    def nearness(labels):
        """Whether the original of a page's pair comes from the attack's own folder or the nearest."""
        real, known = {}, {}
        for r in labels:
            if r[0][0] == "b" and r[0][1] in pages.PAGE_FOLD:
                real.setdefault(r[0][1], set()).add(r[0][2])
        for page, system in {(r[1][1], r[1][2]) for r in labels if r[1][1] in real and r[1][0] != "copy"}:
            known[system] = set(pages.nearest(sorted(real[page]), system))
        return [r[0][2] in known.get(r[1][2], ()) for r in labels]

    def trusted(self, cols, use):
        """[sets, D]: how alike over pages, voices and families of copies that a set may meet each statistic differs between original and attack: the mean difference over its spread."""
        fold = self.fold[:, use]
        own = torch.where(fold[1] < 0, fold[0] < 0, (fold[0] < 0) | self.same[use])
        means, folds, say = [], [], []
        for e, name in enumerate(self.env_names):
            here = use[own & (self.env[use] == e) & ((fold[1] < 0) | torch.tensor(not name.startswith("copy"), device=self.dev))]
            if len(here) >= 100:
                x = self.x[here[:4000]][:, :, cols].float().clamp(-3.5, 3.5)
                means.append((x[:, 1] - x[:, 0]).mean(0)), folds.append(int(self.fold[1, here[0]])), say.append(SAY[name.split(":")[0]])
        d, out = torch.stack(means), []
        for s in SETS:
            w = torch.tensor([0.0 if f in s else v for f, v in zip(folds, say)], device=self.dev)[:, None]
            m = (w * d).sum(0) / w.sum()
            out.append(m.abs() / ((w * (d - m).pow(2)).sum(0) / w.sum()).add(0.01).sqrt())
        return torch.stack(out)

    def pick(self, groups):
        if isinstance(groups, str):  # "-a,b": everything but these
            groups = [g for g in self.sizes if g not in groups[1:].split(",")]
        return torch.cat([self.columns[g] for g in groups])

    def env_is_copy(self):
        return torch.tensor([n.startswith("copy") for n in self.env_names], device=self.dev)[self.env]

    def rows(self, r):
        """Numbers of the pairs that a recipe trains with."""
        ok = torch.isin(self.mode, torch.tensor(ROWS[r["rows"]], device=self.dev))
        if r["pairs_of"]:  # of the pages' own pairs those from neighbouring folders alone, or the others alone
            ok &= ~self.same | (self.env_is_copy()) | (self.near == (r["pairs_of"] == "near"))
        if r["without"]:
            ok &= torch.tensor([not any(s.startswith(w) for w in r["without"]) for s in self.source], device=self.dev)
        return ok.nonzero()[:, 0]
