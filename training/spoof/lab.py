"""Owns the search for better statistics by nested folds of pages: every choice is made on pages that neither training nor the report of that choice saw.

For each recipe sixteen models are trained at once on the same batches: one without each fold (five), one without each pair of folds (ten), one with everything. To choose for the outer fold o, a recipe is
judged on every other fold i by the model that met neither o nor i; what is reported for o comes from the model without o, by the recipe chosen so.

Usage: lab.py TABLES[,MORE] OUT RECIPES.json [--seeds 2] [--keep]      RECIPES: [{"name": ..., "groups": [...] or "-group", ...}, ...]; --keep: weights of the models with everything, and of the outer folds
"""
import argparse
import json
import os
import time

import numpy as np
import torch
import torch.nn.functional as F

import judge
from lab_pairs import CHOICE, CONDITIONS, FOLDS, PEOPLE, SETS, Tables

ap = argparse.ArgumentParser()
ap.add_argument("tables"), ap.add_argument("out"), ap.add_argument("recipes")
ap.add_argument("--seeds", type=int, default=2), ap.add_argument("--keep", action="store_true"), ap.add_argument("--until", type=float, default=0)
DEFAULT = {"groups": ["base"], "hidden": 192, "second": 48, "drop": 0.3, "thin": 0.5, "lr": 2e-3, "decay": 0.05, "steps": 1200, "pairs": 512, "mix": 0.4, "rank": 0.5, "rows": "all", "clip": 3.5, "smooth": 0.03}


class Many(torch.nn.Module):
    """Small networks side by side: [N, D] in, [models, N] out."""

    def __init__(self, models, d, r, seed, dev):
        super().__init__()
        g = torch.Generator(device=dev).manual_seed(seed)
        new = lambda *s, fan: torch.nn.Parameter(torch.randn(*s, device=dev, generator=g) * (1 / fan) ** 0.5)
        h, k = r["hidden"], r["second"]
        self.a, self.b, self.c = new(models, d, h, fan=d), new(models, h, k, fan=h / 2), new(models, k, 1, fan=k)
        one = lambda *s, v: torch.nn.Parameter(torch.full(s, v, device=dev))
        self.ga, self.ba, self.gb, self.bb, self.bias = one(models, 1, h, v=1.0), one(models, 1, h, v=0.0), one(models, 1, k, v=1.0), one(models, 1, k, v=0.0), one(models, 1, v=0.0)
        self.norm = None  # [(mean, spread) of both layers] when it serves
        self.drop, self.thin = r["drop"], r["thin"]

    def layer(self, x, w, gain, bias, which, share):
        """`share` [models, N, 1] adds up to one: rows that a model must not meet have no part in its normalisation either."""
        y = (x @ w).float()
        if self.norm is None:
            m = (y * share).sum(1, keepdim=True)
            s = ((y - m).pow(2) * share).sum(1, keepdim=True).add(1e-5).sqrt()
            self.seen[which] = (m.detach(), s.detach())
        else:
            m, s = self.norm[which]
        return F.relu((y - m) / s * gain + bias)

    def forward(self, x, share=None):
        self.seen = [None, None]
        x = F.dropout(x, self.drop, self.training)[None]
        y = F.dropout(self.layer(x, self.a, self.ga, self.ba, 0, share), self.thin, self.training)
        y = self.layer(y, self.b, self.gb, self.bb, 1, share)
        return (y @ self.c)[:, :, 0] + self.bias


class Batches:
    """Pairs of the table as a recipe wants them: (numbers [2 N, D], weight of each row for each set [sets, 2 N])."""

    def __init__(self, t, r, cols):
        self.t, self.r, self.use = t, r, t.rows(r)
        self.table = torch.cat([t.x[u][:, :, cols] for u in self.use.split(4096)])

    def draw(self):
        t, r = self.t, self.r
        k = torch.randint(0, len(self.table), (r["pairs"],), device=t.dev)
        x = self.table[k].float().clamp(-r["clip"], r["clip"])  # [pairs, side, D]
        w = t.allowed[:, :, self.use[k]]
        if r["mix"]:
            share = torch.where(torch.rand(len(k), 1, 1, device=t.dev) < r["mix"], 0.2 + 0.8 * torch.rand(len(k), 1, 1, device=t.dev), torch.ones(1, 1, 1, device=t.dev))
            order = torch.randperm(len(k), device=t.dev)
            x = share * x + (1 - share) * x[order]
            w = torch.where(share[:, 0, 0] < 1, w * w[:, :, order], w)  # a mixture with a page that a model must not meet is not for that model
        return x.transpose(0, 1).reshape(-1, x.shape[2]), w.reshape(len(SETS), -1)


def train_many(t, r, cols, seeds, seed=0):
    batches = Batches(t, r, cols)
    torch.manual_seed(seed + 1)
    net = Many(len(SETS) * seeds, len(cols), r, seed + 5, t.dev)
    opt = torch.optim.AdamW([{"params": [net.a, net.b, net.c], "weight_decay": r["decay"]}, {"params": [p for n, p in net.named_parameters() if n not in ("a", "b", "c")], "weight_decay": 0.0}], r["lr"], betas=(0.9, 0.98), **({"fused": True} if t.dev == "cuda" else {}))
    average, steps = None, r["steps"]
    y = torch.cat([torch.zeros(r["pairs"], device=t.dev), torch.ones(r["pairs"], device=t.dev)]) * (1 - 2 * r["smooth"]) + r["smooth"]

    def batch():
        x, w = batches.draw()
        return x, w.repeat_interleave(seeds, 0)
    for step in range(steps):
        fr = step / steps
        for g in opt.param_groups:
            g["lr"] = r["lr"] * min(1, (step + 1) / 40) * (1.0 if fr < 0.5 else 0.03 + 0.97 * 0.5 * (1 + np.cos(np.pi * (fr - 0.5) / 0.5)))
        x, w = batch()
        with torch.autocast(t.dev, dtype=torch.bfloat16, enabled=t.dev == "cuda"):
            z = net(x, (w / w.sum(1, keepdim=True))[:, :, None])
        z, n = z.float(), r["pairs"]
        each = F.binary_cross_entropy_with_logits(z, y.expand_as(z), reduction="none")
        both = w[:, :n] * w[:, n:]
        loss = 2 * (each * w).sum(1) / w.sum(1) + r["rank"] * (F.softplus(z[:, :n] - z[:, n:]) * both).sum(1) / both.sum(1).clamp_min(1)
        opt.zero_grad(set_to_none=True)
        loss.sum().backward()
        opt.step()
        if fr > 0.5 and step % 5 == 0:
            now = [p.detach() for p in net.parameters()]
            average = [p.clone() for p in now] if average is None else [q.lerp_(p, 0.04) for q, p in zip(average, now)]
    with torch.no_grad():
        for p, q in zip(net.parameters(), average or [p.clone() for p in net.parameters()]):
            p.copy_(q)
        net.eval()
        found = ([], [])
        for _ in range(12):
            x, w = batch()
            net(x, (w / w.sum(1, keepdim=True))[:, :, None])
            for k in (0, 1):
                found[k].append(net.seen[k])
        net.norm = [tuple(torch.stack([f[j] for f in found[k]]).mean(0) for j in (0, 1)) for k in (0, 1)]
    return net


def scores(t, r, seeds, seed=0):
    """{condition: [sets, recordings]}, NaN where a recording has no such version; and the networks."""
    cols, out = t.pick(r["groups"]), {}
    net = train_many(t, r, cols, seeds, seed)
    judged = lambda x: net(x).float().reshape(len(SETS), seeds, -1).mean(1)
    with torch.no_grad():
        for c in CONDITIONS:
            x = t.bench[c][:, cols].float().clamp(-r["clip"], r["clip"])
            z = torch.cat([judged(x[k:k + 4096]) for k in range(0, len(x), 4096)], 1)
            n, total = len(t.set), torch.zeros(len(z), len(t.set), device=t.dev)
            count = torch.bincount(t.owner[c], minlength=n)
            total.index_add_(1, t.owner[c], z)
            out[c] = torch.where(count > 0, total / count.clamp_min(1), torch.tensor(float("nan"), device=t.dev)).cpu().numpy().astype(np.float32)
    return out, net


def eer_of(t, z, where):
    ok = where & ~np.isnan(z)
    return 100 * judge.eer(z[ok & (t.kind == "b")], z[ok & (t.kind != "b")])


def aligned(t, z, s):
    """On the scale of people whom no model met, clean: median and spread."""
    who = np.isin(t.set, PEOPLE)
    m = z["clean"][s][who]
    lo, mid, hi = np.quantile(m[~np.isnan(m)], [0.1, 0.5, 0.9])
    return {c: (z[c][s] - mid) / (hi - lo) for c in CONDITIONS}


def held(t, z):
    """{condition: scores of the pages by the models that never met their fold, on one scale}."""
    out = {c: np.full(len(t.set), np.nan) for c in CONDITIONS}
    for k in FOLDS:
        a = aligned(t, z, SETS.index((k,)))
        for c in CONDITIONS:
            out[c][t.of_fold == k] = a[c][t.of_fold == k]
    return out


def inner(t, z, outer):
    """Mean over conditions and the other folds, by models that met neither."""
    return float(np.mean([eer_of(t, z[c][SETS.index(tuple(sorted((outer, i))))], t.of_fold == i) for i in FOLDS if i != outer for c in CHOICE]))


def by_page(t, z):
    return {p: round(eer_of(t, z, t.of_page == p), 1) for p in sorted(set(t.of_page) - {""}) if ((t.of_page == p) & (t.kind == "b")).sum() >= 6}


def report(t, z):
    """Pooled rate, mean of the folds' and mean of the pages' own rates, by condition."""
    h = held(t, z)
    own = {c: float(np.mean(list(by_page(t, h[c]).values()))) for c in CONDITIONS}
    folds = {c: float(np.mean([eer_of(t, h[c], t.of_fold == k) for k in FOLDS])) for c in CONDITIONS}
    return {"pooled": {c: round(eer_of(t, h[c], t.set == "pages"), 1) for c in CONDITIONS}, "folds": {c: round(v, 1) for c, v in folds.items()}, "pages": {c: round(v, 1) for c, v in own.items()}}


def keep_nets(t, r, net, seeds, path):
    """PATH.pt: the networks that met everything; PATH-fK.pt: those that never met fold K."""
    for end, folds in [(f"-f{k}", (k,)) for k in FOLDS] + [("", ())]:
        mine = slice(SETS.index(folds) * seeds, (SETS.index(folds) + 1) * seeds)
        state = {n: (p[mine].half() if n == "a" else p[mine]).detach().cpu() for n, p in net.state_dict().items()}
        torch.save({"recipe": r, "columns": t.pick(r["groups"]).cpu(), "norm": [[q[mine].cpu() for q in two] for two in net.norm], **state}, f"{path}{end}.pt")


def main(a):
    dev = "cuda" if torch.cuda.is_available() else "cpu"
    torch.backends.cuda.matmul.allow_tf32 = True
    t, begin = Tables(a.tables, dev), time.time()
    os.makedirs(a.out, exist_ok=True)
    say = lambda *m: print("[lab %.0fs]" % (time.time() - begin), *m, flush=True)
    say("pairs", len(t.x), "numbers", t.sizes)
    done = {}
    for r in json.load(open(a.recipes)):
        if a.until and time.time() > a.until:
            say("no time for", r["name"])
            break
        r = {**DEFAULT, **r}
        try:
            z, net = scores(t, r, r.get("seeds", a.seeds))
        except Exception as e:  # one recipe must not end the others
            say("failed", r["name"], repr(e)[:300])
            torch.cuda.empty_cache()
            continue
        done[r["name"]] = z
        got = report(t, z)
        mean = lambda d: round(float(np.mean(list(d.values()))), 2)
        say(r["name"], "inner", [round(inner(t, z, k), 2) for k in FOLDS], "pooled", mean(got["pooled"]), got["pooled"], "folds", mean(got["folds"]), "pages", mean(got["pages"]), got["pages"])
        if a.keep:
            keep_nets(t, r, net, r.get("seeds", a.seeds), f"{a.out}/net-{r['name']}")
        np.savez_compressed(f"{a.out}/scores-{r['name']}.npz", **{c: v.astype(np.float16) for c, v in z.items()})
    if len(done) > 1:
        choose(t, done, say)


def choose(t, done, say):
    """The honest figure: for each outer fold the recipe that is best on the others."""
    best = {k: min(done, key=lambda n: inner(t, done[n], k)) for k in FOLDS}
    out = {c: np.full(len(t.set), np.nan) for c in CONDITIONS}
    for k, name in best.items():
        z = aligned(t, done[name], SETS.index((k,)))
        for c in CONDITIONS:
            out[c][t.of_fold == k] = z[c][t.of_fold == k]
    say("chosen", best, "pooled", {c: round(eer_of(t, out[c], t.set == "pages"), 1) for c in CONDITIONS})
    say("by page, clean", by_page(t, out["clean"]))


if __name__ == "__main__":
    main(ap.parse_args())
