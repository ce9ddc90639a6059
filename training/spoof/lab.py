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
DEFAULT = {"kind": "mlp", "groups": ["base"], "hidden": 192, "second": 48, "drop": 0.3, "thin": 0.5, "lr": 2e-3, "decay": 0.05, "steps": 1200, "pairs": 512, "mix": 0.4, "rank": 0.5, "rows": "all", "without": [], "clip": 3.5,
           "smooth": 0.03, "adversary": 0.0, "remove": 0, "alpha": 0.0, "ridge": 0.3, "bag": 1.0, "leak": False, "pairs_of": "", "shift": 0.0, "stable": 0.0, "keep": 1.0, "tilt": 0.0, "even": 0.0}


class Turn(torch.autograd.Function):
    """Passes on, and turns the gradient round."""

    @staticmethod
    def forward(ctx, x, k):
        ctx.k = k
        return x.view_as(x)

    @staticmethod
    def backward(ctx, g):
        return -ctx.k * g, None


class Many(torch.nn.Module):
    """Small networks side by side: [N, D] in, [models, N] out."""

    def __init__(self, models, d, r, seed, pages_count, dev):
        super().__init__()
        g = torch.Generator(device=dev).manual_seed(seed)
        new = lambda *s, fan: torch.nn.Parameter(torch.randn(*s, device=dev, generator=g) * (1 / fan) ** 0.5)
        h, k = r["hidden"], r["second"]
        self.a, self.b, self.c = new(models, d, h, fan=d), new(models, h, k, fan=h / 2), new(models, k, 1, fan=k)
        one = lambda *s, v: torch.nn.Parameter(torch.full(s, v, device=dev))
        self.ga, self.ba, self.gb, self.bb, self.bias = one(models, 1, h, v=1.0), one(models, 1, h, v=0.0), one(models, 1, k, v=1.0), one(models, 1, k, v=0.0), one(models, 1, v=0.0)
        self.register_buffer("bag", (torch.rand(models, d, 1, device=dev, generator=g) < r["bag"]).float())
        self.norm = None  # [(mean, spread) of both layers] when it serves
        self.drop, self.thin, self.turn = r["drop"], r["thin"], r["adversary"]
        self.page = new(models, k, pages_count, fan=k) if self.turn else None

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
        y = F.dropout(self.layer(x, self.a * self.bag, self.ga, self.ba, 0, share), self.thin, self.training)
        y = self.layer(y, self.b, self.gb, self.bb, 1, share)
        z = (y @ self.c)[:, :, 0] + self.bias
        return (z, Turn.apply(y, self.turn) @ self.page) if self.turn and self.training else z


class Batches:
    """Pairs of the table as a recipe wants them: (numbers [2 N, D], weight of each row for each set [sets, 2 N], numbers of the pairs)."""

    def __init__(self, t, r, cols):
        self.t, self.r, self.use = t, r, t.rows(r)
        self.table = torch.cat([t.x[u][:, :, cols] for u in self.use.split(4096)])
        self.same, self.where = t.same[self.use], t.page[0][self.use]
        if r["shift"]:  # the middle of each page: of its own pairs, both sides alike
            self.centre = torch.zeros(len(t.page_names), len(cols), device=t.dev)
            for k in self.same.nonzero()[:, 0].split(8192):
                self.centre.index_add_(0, self.where[k], self.table[k].float().mean(1))
            self.centre /= torch.bincount(self.where[self.same], minlength=len(t.page_names)).clamp_min(1)[:, None]

    def shifted(self, x, w, k):
        """Both sides of a pair are moved from their page's middle towards another's."""
        order, rand = torch.randperm(len(k), device=x.device), lambda: torch.rand(len(k), device=x.device)
        ok = self.same[k] & self.same[k[order]] & (rand() < self.r["shift"])
        far = ok.float() * (0.3 + 0.7 * rand())
        x = x + (far[:, None] * (self.centre[self.where[k[order]]] - self.centre[self.where[k]]))[:, None]
        return x.clamp(-self.r["clip"], self.r["clip"]), torch.where(ok, w * w[:, :, order], w)

    def draw(self):
        t, r = self.t, self.r
        k = torch.randint(0, len(self.table), (r["pairs"],), device=t.dev)
        x = self.table[k].float().clamp(-r["clip"], r["clip"])  # [pairs, side, D]
        w = t.allowed[:, :, self.use[k]]
        if r["shift"]:
            x, w = self.shifted(x, w, k)
        if r["mix"]:
            share = torch.where(torch.rand(len(k), 1, 1, device=t.dev) < r["mix"], 0.2 + 0.8 * torch.rand(len(k), 1, 1, device=t.dev), torch.ones(1, 1, 1, device=t.dev))
            order = torch.randperm(len(k), device=t.dev)
            x = share * x + (1 - share) * x[order]
            if not r["leak"]:  # a mixture with a page that a model must not meet is not for that model
                w = torch.where(share[:, 0, 0] < 1, w * w[:, :, order], w)
        return x.transpose(0, 1).reshape(-1, x.shape[2]), w.reshape(len(SETS), -1), self.use[k]


class Sources:
    """How well each page, voice and family of copies is told so far, [models, sources]."""

    def __init__(self, t, models, r):
        self.t, self.r, self.loss = t, r, torch.zeros(models, len(t.env_names), device=t.dev)

    def __call__(self, each, w, at):
        """A loss that wants all sources told alike well (`even`), and weights by which those told badly count more (`tilt`)."""
        n, e = each.shape[1] // 2, self.t.env[at]
        total = torch.zeros_like(self.loss).index_add_(1, e, w[:, :n] + w[:, n:])
        mean = torch.zeros_like(self.loss).index_add_(1, e, (each * w)[:, :n] + (each * w)[:, n:]) / total.clamp_min(1e-6)
        there = (total > 0).float()
        self.loss = torch.where(total > 0, 0.95 * self.loss + 0.05 * mean.detach(), self.loss)
        middle = (mean * there).sum(1, keepdim=True) / there.sum(1, keepdim=True)
        more = (self.r["tilt"] * (self.loss - self.loss.mean(1, keepdim=True))).clamp(-1.5, 1.5).exp()
        return self.r["even"] * ((mean - middle).pow(2) * there).sum(1) / there.sum(1), w * more[:, e].repeat(1, 2)


def train_many(t, r, cols, seeds, seed=0):
    batches = Batches(t, r, cols)
    torch.manual_seed(seed + 1)
    net = Many(len(SETS) * seeds, len(cols), r, seed + 5, len(t.page_names), t.dev)
    if r["stable"] or r["keep"] < 1:
        trust = t.trusted(cols, batches.use)
        mask = (trust / trust.quantile(0.75, 1, keepdim=True)).clamp(0.1, 1.5) ** r["stable"] * (trust >= trust.quantile(1 - r["keep"], 1, keepdim=True))
        net.bag.mul_(mask.repeat_interleave(seeds, 0)[:, :, None])
    sources = Sources(t, len(SETS) * seeds, r)
    opt = torch.optim.AdamW([{"params": [net.a, net.b, net.c], "weight_decay": r["decay"]}, {"params": [p for n, p in net.named_parameters() if n not in ("a", "b", "c")], "weight_decay": 0.0}], r["lr"], betas=(0.9, 0.98), **({"fused": True} if t.dev == "cuda" else {}))
    average, steps = None, r["steps"]
    y = torch.cat([torch.zeros(r["pairs"], device=t.dev), torch.ones(r["pairs"], device=t.dev)]) * (1 - 2 * r["smooth"]) + r["smooth"]

    def batch():
        x, w, at = batches.draw()
        return x, w.repeat_interleave(seeds, 0), at
    for step in range(steps):
        fr = step / steps
        for g in opt.param_groups:
            g["lr"] = r["lr"] * min(1, (step + 1) / 40) * (1.0 if fr < 0.5 else 0.03 + 0.97 * 0.5 * (1 + np.cos(np.pi * (fr - 0.5) / 0.5)))
        x, w, at = batch()
        with torch.autocast(t.dev, dtype=torch.bfloat16, enabled=t.dev == "cuda"):
            z = net(x, (w / w.sum(1, keepdim=True))[:, :, None])
        z, page = z if r["adversary"] else (z, None)
        z, n = z.float(), r["pairs"]
        each = F.binary_cross_entropy_with_logits(z, y.expand_as(z), reduction="none")
        both = w[:, :n] * w[:, n:]
        rest, w = sources(each, w, at) if r["tilt"] or r["even"] else (0.0, w)
        loss = 2 * (each * w).sum(1) / w.sum(1) + r["rank"] * (F.softplus(z[:, :n] - z[:, n:]) * both).sum(1) / both.sum(1).clamp_min(1) + rest
        if page is not None:
            which = t.page[:, at].reshape(-1)
            loss = loss + (F.cross_entropy(page.float().flatten(0, 1), which.repeat(len(page)), reduction="none").reshape(len(page), -1) * w).sum(1) / w.sum(1)
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
            x, w, _ = batch()
            net(x, (w / w.sum(1, keepdim=True))[:, :, None])
            for k in (0, 1):
                found[k].append(net.seen[k])
        net.norm = [tuple(torch.stack([f[j] for f in found[k]]).mean(0) for j in (0, 1)) for k in (0, 1)]
    return net


def spread_of_pages(x, page, label):
    """Covariance of the pages' means within each class."""
    means = []
    for side in label.unique():
        here = label == side
        for p in page[here].unique():
            m = here & (page == p)
            if m.sum() >= 3:
                means.append(x[m].mean(0) - x[here].mean(0))
    m = torch.stack(means)
    return m.t() @ m / len(m)


def linear(t, r, cols, folds):
    """A direction in closed form: mean difference within pairs, over the covariance within classes plus `alpha` times that of the pages' means. `diff`: over the covariance of the pairs' differences alone."""
    use = t.rows(r)
    f = t.fold[:, use]
    ok = torch.stack([(f != k).all(0) for k in folds]).all(0) if folds else torch.ones(len(use), dtype=torch.bool, device=t.dev)
    use = use[ok]
    x = t.x[use][:, :, cols].float().clamp(-r["clip"], r["clip"])
    delta = x[:, 1] - x[:, 0]
    mean = delta.mean(0)
    if r["kind"] == "diff":
        cov = (delta - mean).t() @ (delta - mean) / len(x)
    else:
        cov = sum((x[:, s] - x[:, s].mean(0)).t() @ (x[:, s] - x[:, s].mean(0)) for s in (0, 1)) / (2 * len(x))
    if r["alpha"]:
        cov = cov + r["alpha"] * spread_of_pages(x.transpose(0, 1).reshape(-1, len(cols)), t.page[:, use].reshape(-1), torch.arange(2, device=t.dev).repeat_interleave(len(use)))
    cov = cov + r["ridge"] * torch.eye(len(cols), device=t.dev)
    return torch.linalg.solve(cov, mean)


def scores(t, r, seeds, seed=0):
    """{condition: [sets, recordings]}, NaN where a recording has no such version; and the networks."""
    cols, out, net = t.pick(r["groups"]), {}, None
    if r["kind"] == "mlp":
        net = train_many(t, r, cols, seeds, seed)
        judged = lambda x: net(x).float().reshape(len(SETS), seeds, -1).mean(1)
    else:
        w = torch.stack([linear(t, r, cols, s) for s in SETS])
        judged = lambda x: w @ x.t()
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
        state = {n: ((p * net.bag)[mine].half() if n == "a" else p[mine]).detach().cpu() for n, p in net.state_dict().items() if n != "bag"}
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
        if a.keep and net is not None:
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
