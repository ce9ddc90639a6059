"""Trains several copies of one network on, and averages their weights ("soup").

All members start from the same weights and stay near enough to each other that the mean of their
weights is a network of the same kind, with the noise of each run averaged away. Every member has its own
batches, damage, margin and learning rate. They share one teacher: the mean of the members' running
averages with a share of the start; it sees longer, clean crops, and the members' cosine matrices of
the damaged crops must match its own.

    python3 -m speaker.finetune --data DIR --config conf/speaker-stage3.json --start PT --out DIR --seconds 1200

Half of the batches are made of groups of speakers that the classifier finds alike, because that is what
callers of one language and sex are. Classes that look like one person under two ids are never pushed apart.
The schedule follows the clock (`--seconds` from the launch), so that a run fits a machine lent by time.
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
from torch import Tensor

from common.features import LogMel
from common.packs import SAMPLE_RATE, load_folder
from speaker.augment import AugmentConfig, Augmenter, mask_features
from speaker.data import HELD_OUT_NOISE, SpeechStore, split
from speaker.losses import AngularMargin, pair_loss, similarity_loss
from speaker.metrics import eer
from speaker.model import Ecapa, load_prototype

ECAPA = {"family": "ecapa", "channels": 512, "emb": 192}


def embed(net: torch.nn.Module, feats: Tensor) -> Tensor:
    device = feats.device.type
    with torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda"):
        out = net(feats)
    return F.normalize(out.float(), dim=1)


def mix(nets: list[torch.nn.Module], shares: list[float], into: torch.nn.Module) -> torch.nn.Module:
    """The weighted mean of all weights and running statistics, written to `into`."""
    states = [n.state_dict() for n in nets]
    for key, value in into.state_dict().items():
        if value.dtype.is_floating_point:
            value.copy_(sum(s * state[key] for s, state in zip(shares, states)))
    return into


class Member:
    def __init__(self, spec: dict, start: Ecapa, classes: int, noise: Tensor, rooms: int, device: str):
        self.name, self.spec = spec["name"], spec
        self.net = copy.deepcopy(start).to(device).train()
        if spec["dropout"]:
            self.net.b5.register_forward_hook(lambda module, _, y: F.dropout(y, spec["dropout"], module.training))
        self.average = copy.deepcopy(start).to(device).eval().requires_grad_(False)
        self.head = AngularMargin(classes, ECAPA["emb"]).to(device)
        options = {k: tuple(v) if isinstance(v, list) else v for k, v in spec["augment"].items()}
        self.augment = Augmenter(noise, device, AugmentConfig(**options), rooms)
        groups = [{"params": [p for p in self.net.parameters() if p.ndim > 1], "weight_decay": spec["decay"]},
                  {"params": [p for p in self.net.parameters() if p.ndim <= 1], "weight_decay": 0.0},
                  {"params": [self.head.weight], "weight_decay": 0.01}]
        extra = {"fused": True} if device == "cuda" else {}
        self.optimiser = torch.optim.AdamW(groups, lr=spec["lr"], betas=(0.9, 0.98), **extra)
        self.neighbours: Tensor | None = None
        self.loss = self.accuracy = torch.zeros(())

    def set_rate(self, factor: float) -> None:
        for group in self.optimiser.param_groups:
            group["lr"] = self.spec["lr"] * factor + 1e-6

    @torch.no_grad()
    def update_average(self, decay: float) -> None:
        old = [v for v in self.average.state_dict().values() if v.dtype.is_floating_point]
        new = [v for v in self.net.state_dict().values() if v.dtype.is_floating_point]
        torch._foreach_mul_(old, decay)
        torch._foreach_add_(old, new, alpha=1 - decay)


class Groups:
    """Which classes are alike: for batches of neighbours, and to leave twins alone."""

    def __init__(self, store: SpeechStore, settings: dict, twin_cosine: float):
        self.store, self.settings = store, settings
        self.speakers = len(store.names)
        self.limit = twin_cosine
        self.twins: Tensor | None = None

    @torch.no_grad()
    def find_twins(self, weight: Tensor, most: int = 4) -> int:
        """Twins among the classes at normal speed; the same speakers are twins at every speed."""
        middle = self.store.speeds // 2 * self.speakers
        w = F.normalize(weight[middle:middle + self.speakers], dim=1)
        s = w @ w.t()
        s.fill_diagonal_(-1)
        best = s.topk(min(most, self.speakers - 1), 1)
        own = torch.arange(self.speakers, device=w.device)[:, None]
        one = torch.where(best.values > self.limit, best.indices, own)
        self.twins = torch.cat([one + k * self.speakers for k in range(self.store.speeds)])
        return int((best.values > self.limit).sum()) // 2

    @torch.no_grad()
    def neighbours(self, weight: Tensor) -> Tensor:
        """[classes, among]: the classes most alike at the same speed, twins left out."""
        out = []
        for k in range(self.store.speeds):
            w = F.normalize(weight[k * self.speakers:(k + 1) * self.speakers], dim=1)
            s = w @ w.t()
            s.fill_diagonal_(-1)
            s = s.masked_fill(s > self.limit, -1)
            out.append(s.topk(min(self.settings["among"], self.speakers - 1), 1).indices + k * self.speakers)
        return torch.cat(out)

    def labels(self, count: int, neighbours: Tensor) -> Tensor:
        """Random classes, or (for `share` of the batches) groups of neighbours."""
        if np.random.random() >= self.settings["share"]:
            return torch.multinomial(self.store.weights, count, replacement=False)
        size = self.settings["group"]
        anchors = torch.multinomial(self.store.weights, count // size, replacement=False)
        choice = torch.rand(len(anchors), neighbours.shape[1], device=anchors.device).topk(size - 1, 1).indices
        return torch.cat([anchors, neighbours[anchors].gather(1, choice).flatten()])


class Monitor:
    """Equal error rates of held-out speakers (which the start may know) and of synthetic voices (which nothing knows)."""

    def __init__(self, sets: dict[str, list[tuple[str, np.ndarray]]], augment: Augmenter, logmel: LogMel, device: str):
        self.sets = {}
        for name, items in sets.items():
            clean = torch.from_numpy(np.stack([np.resize(x, 3 * SAMPLE_RATE) for _, x in items])).float().to(device)
            owner = np.unique([s for s, _ in items], return_inverse=True)[1]
            group = np.unique([s.split("/")[0] for s, _ in items], return_inverse=True)[1]
            with torch.no_grad():
                self.sets[name] = (owner, group, {"clean": torch.cat([logmel(c) for c in clean.split(256)]),
                                                  "damaged": torch.cat([logmel(augment(c)) for c in clean.split(256)])})

    @torch.no_grad()
    def __call__(self, net: torch.nn.Module) -> dict:
        out = {}
        for name, (owner, group, kinds) in self.sets.items():
            upper = np.triu_indices(len(owner), 1)
            same = (owner[:, None] == owner[None])[upper]
            trial = (group[:, None] == group[None])[upper]
            for kind, feats in kinds.items():
                e = torch.cat([embed(net, f) for f in feats.split(256)])
                scores = (e @ e.t()).cpu().numpy()[upper]
                out[f"{name}-{kind}"] = round(100 * eer(scores[same], scores[~same & trial]), 2)
        return out


def monitor_sets(held: dict, voices: list) -> dict:
    own = [(s, u.samples) for s, utterances in held.items() for u in utterances[:5] if u.corpus != "gsc"]
    parts = [(u.speaker, u.samples[k:k + 3 * SAMPLE_RATE]) for u in voices if u.seconds >= 6.2
             for k in (0, len(u.samples) - 3 * SAMPLE_RATE)]
    return {"held": own, **({"voices": parts} if parts else {})}


@torch.no_grad()
def start_head(net: Ecapa, store: SpeechStore, logmel: LogMel) -> Tensor:
    """Class weights that a pretrained network begins with: the mean embedding of each class."""
    rows = []
    for labels in torch.arange(store.classes, device=store.device).split(512):
        crops = [store.crops(labels, torch.full((len(labels),), p, device=store.device), int(2.5 * SAMPLE_RATE)) for p in (0.0, 0.5)]
        rows.append(F.normalize(sum(embed(net, logmel(c)) for c in crops), dim=1))
    return torch.cat(rows)


@torch.no_grad()
def refresh_statistics(net: Ecapa, members: list[Member], store: SpeechStore, logmel: LogMel, rounds: int) -> Ecapa:
    """The statistics that normalise a mean of weights must be measured again, on damaged speech as in training."""
    norms = [m for m in net.modules() if isinstance(m, torch.nn.BatchNorm1d)]
    for m in norms:
        m.reset_running_stats()
        m.momentum = None
    net.train()
    for i in range(rounds):
        clean, _ = store.pairs(min(240, store.classes // 2), int(2.6 * SAMPLE_RATE))
        embed(net, logmel(members[i % len(members)].augment(clean)))
    for m in norms:
        m.momentum = 0.1
    return net.eval()


def save(net: Ecapa, path: Path, extra: dict) -> None:
    state = {k: v.half() if v.dtype == torch.float32 else v for k, v in net.state_dict().items()}
    temporary = path.with_suffix(".tmp")
    torch.save({"net": state, "spec": ECAPA, **extra}, temporary)
    temporary.rename(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", required=True, help="folder with X.raw and X.json")
    parser.add_argument("--voices", help="the same with synthetic voices, for the monitor alone")
    parser.add_argument("--config", required=True)
    parser.add_argument("--start", required=True, help="weights to start from")
    parser.add_argument("--out", required=True)
    parser.add_argument("--seconds", type=float, required=True, help="from the launch to the end, loading included")
    parser.add_argument("--reserve", type=float, default=30, help="seconds of these for averaging and the last check")
    parser.add_argument("--limit", type=int, help="only so many utterances of each pack (trial of the script)")
    parser.add_argument("--divide-batch", type=int, default=1, help="smaller batches (trial of the script)")
    parser.add_argument("--rooms", type=int, default=800, help="how many room responses to simulate")
    args = parser.parse_args()
    launched = time.time()
    config = json.loads(Path(args.config).read_text())
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(config["seed"])
    np.random.seed(config["seed"])
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    torch.backends.cudnn.benchmark = True
    out = Path(args.out)
    out.mkdir(parents=True, exist_ok=True)

    packs = load_folder(args.data, args.limit)
    train, held = split(packs["train"])
    voices = [u for part in load_folder(args.voices, args.limit).values() for u in part] if args.voices else []
    store = SpeechStore(train, device, config["speeds"], speed_weights=config["speed_weights"])
    noise = torch.from_numpy(np.concatenate([u.samples for u in packs["noise"][:-HELD_OUT_NOISE] or packs["noise"]])).to(device)
    logmel = LogMel().to(device)
    start = load_prototype(args.start).to(device).requires_grad_(False)
    members = []
    for spec in config["members"]:
        start.requires_grad_(True)
        members.append(Member(spec, start, store.classes, noise, args.rooms, device))
    start.eval().requires_grad_(False)
    teacher = copy.deepcopy(start)
    monitor = Monitor(monitor_sets(held, voices), members[0].augment, logmel, device)
    head = start_head(start, store, logmel)
    groups = Groups(store, config["neighbours"], config["twin_cosine"])
    twins = groups.find_twins(head)
    for member in members:
        member.head.weight.data.copy_(head)
        member.neighbours = groups.neighbours(head)
    facts = {"speakers": len(store.names), "classes": store.classes, "hours": round(store.hours, 2), "held_out": len(held),
             "twin_pairs": twins, "load_s": round(time.time() - launched)}
    print(json.dumps({**facts, "start": monitor(start)}), flush=True)

    began = last_print = last_check = time.time()
    end = launched + args.seconds - args.reserve
    step, crops = 0, 0
    while time.time() < end:
        progress = (time.time() - began) / (end - began)
        rate = min(1.0, (step + 1) / config["warmup_steps"]) * 0.5 * (1 + math.cos(math.pi * progress))
        if progress >= config["teacher_from"] and step % config["teacher_refresh"] == 0:
            share = config["teacher_start_share"]
            mix([start, *(m.average for m in members)], [share] + [(1 - share) / len(members)] * len(members), teacher)
        for member in members:
            if step and step % config["neighbours"]["refresh"] == 0:
                member.neighbours = groups.neighbours(member.head.weight)
            seconds, pairs = config["batches"][np.random.randint(len(config["batches"]))]
            labels = groups.labels(max(8, pairs // args.divide_batch), member.neighbours)
            samples = int(seconds * SAMPLE_RATE)
            with torch.no_grad():
                clean, longer, both = store.two_lengths(labels, samples, samples + int(config["teacher_extra_seconds"] * SAMPLE_RATE))
                feats = mask_features(logmel(member.augment(clean)))
                t = embed(teacher, logmel(longer))
                target = t @ t.t()
            member.set_rate(rate)
            emb = embed(member.net, feats)
            loss, accuracy = member.head(emb, both, member.spec["margin"], groups.twins)
            loss = loss + config["pair_weight"] * pair_loss(emb, both) + member.spec["distil"] * similarity_loss(emb, target)
            member.optimiser.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(member.net.parameters(), 5.0)
            member.optimiser.step()
            member.update_average(min(config["ema"], (step + 1) / (step + 10)))
            member.loss, member.accuracy = loss.detach(), accuracy
            crops += len(both)
        step += 1
        now = time.time()
        if now - last_print > 20 or device == "cpu":
            last_print = now
            print(f"{now - began:5.0f}s step {step} crops/s {crops / (now - began):.0f} "
                  + " ".join(f"{m.name} {float(m.loss):.2f}/{float(m.accuracy):.2f}" for m in members), flush=True)
        if now - last_check > 100:
            last_check = now
            soup = mix([m.average for m in members], [1 / len(members)] * len(members), copy.deepcopy(start))
            save(soup, out / "soup.pt", {"step": step})
            print(f"{now - began:5.0f}s check " + json.dumps({"soup": monitor(soup), members[0].name: monitor(members[0].average)}), flush=True)

    extra = {"step": step, "config": config, "crops": crops, "seconds": time.time() - began, **facts, "train_speakers": store.names}
    result = {"start": monitor(start)}
    equal = [1 / len(members)] * len(members)
    soup = mix([m.average for m in members], equal, copy.deepcopy(start))
    for member in members:
        save(member.average, out / f"{member.name}.pt", {"step": step})
        result[member.name] = monitor(member.average)
    save(soup, out / "soup.pt", extra)
    result["soup"] = monitor(soup)
    print("final " + json.dumps({**result, "steps": step, "crops": crops}), flush=True)
    fresh = refresh_statistics(copy.deepcopy(soup), members, store, logmel, 120 if device == "cuda" else 2)
    save(fresh, out / "soup-fresh.pt", extra)
    half = mix([start, *(m.average for m in members)], [0.4] + [0.6 / len(members)] * len(members), copy.deepcopy(start))
    save(half, out / "soup-start.pt", extra)
    print("final " + json.dumps({"soup-fresh": monitor(fresh), "soup-start": monitor(half)}), flush=True)
    (out / "DONE").write_text("done\n")


if __name__ == "__main__":
    main()
