"""Trains the networks of a configuration side by side on one accelerator.

All members see the same crops. A wide teacher learns from speaker labels; the members that may
ship learn from the labels and, in addition, from similarities: their cosine matrix of the DAMAGED
crops must match the matrix that the teacher's running average and the prototype compute from the
CLEAN crops. So invariance to channel and noise is taught directly.

    python3 -m speaker.train --data DIR --config conf/speaker.json --prototype PT --out DIR

The schedule follows the clock (`minutes`), so that a run fits a machine that is lent by time.
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
from speaker.model import build, load_prototype


class Member:
    """One network with its classifier, optimiser and running average."""

    def __init__(self, spec: dict, classes: int, device: str, prototype: str):
        self.name, self.spec = spec["name"], spec
        net = load_prototype(prototype) if spec.get("from_prototype") else build(spec["net"])
        if spec["net"]["family"] != "ecapa":
            net = net.to(memory_format=torch.channels_last)
        self.net = net.to(device).train()
        self.head = AngularMargin(classes, spec["net"]["emb"]).to(device)
        self.average = copy.deepcopy(self.net).eval().requires_grad_(False)
        matrices = [p for p in self.net.parameters() if p.ndim > 1]
        vectors = [p for p in self.net.parameters() if p.ndim <= 1]
        groups = [{"params": matrices, "weight_decay": spec["decay"]}, {"params": vectors, "weight_decay": 0.0},
                  {"params": [self.head.weight], "weight_decay": 0.01}]
        extra = {"fused": True} if device == "cuda" else {}
        self.optimiser = torch.optim.AdamW(groups, lr=spec["lr"], betas=(0.9, 0.98), **extra)
        self.loss = self.accuracy = 0.0

    def update_average(self, decay: float) -> None:
        with torch.no_grad():
            old, new = [], []
            for a, b in zip(self.average.state_dict().values(), self.net.state_dict().values()):
                if b.dtype.is_floating_point:
                    old.append(a)
                    new.append(b)
                else:
                    a.copy_(b)
            torch._foreach_mul_(old, decay)
            torch._foreach_add_(old, new, alpha=1 - decay)

    def save(self, folder: Path, extra: dict) -> None:
        state = {k: v.half() if v.dtype == torch.float32 else v for k, v in self.average.state_dict().items()}
        torch.save({"net": state, "spec": self.spec["net"], **extra}, folder / f"{self.name}.pt")


def embed(net: torch.nn.Module, feats: Tensor, device: str) -> Tensor:
    with torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda"):
        out = net(feats)
    return F.normalize(out.float(), dim=1)


@torch.no_grad()
def start_head(member: Member, store: SpeechStore, logmel: LogMel, device: str) -> None:
    """The classifier of a pretrained network starts at the mean embedding of each class."""
    for begin in range(0, store.classes, 512):
        labels = torch.arange(begin, min(begin + 512, store.classes), device=device)
        total = 0.0
        for position in (0.0, 0.5):
            crops = store.crops(labels, torch.full((len(labels),), position, device=device), int(2.5 * SAMPLE_RATE))
            total = total + embed(member.average, logmel(crops), device)
        member.head.weight[labels] = F.normalize(total, dim=1)


class Monitor:
    """Equal error rate on held-out training speakers, clean and damaged, 3 s each."""

    def __init__(self, held: dict, augment: Augmenter, logmel: LogMel, device: str, per_speaker: int = 5):
        waves, self.owner = [], []
        for index, utterances in enumerate(held.values()):
            for u in utterances[:per_speaker]:
                waves.append(np.resize(u.samples, 3 * SAMPLE_RATE))
                self.owner.append(index)
        clean = torch.from_numpy(np.stack(waves)).float().to(device)
        self.owner = np.array(self.owner)
        with torch.no_grad():
            self.sets = {"clean": logmel(clean), "damaged": torch.cat([logmel(augment(c)) for c in clean.split(256)])}
        self.device = device

    @torch.no_grad()
    def __call__(self, member: Member) -> dict:
        out = {}
        upper = np.triu_indices(len(self.owner), 1)
        same = (self.owner[:, None] == self.owner[None])[upper]
        for name, feats in self.sets.items():
            e = torch.cat([embed(member.average, f, self.device) for f in feats.split(256)])
            scores = (e @ e.t()).cpu().numpy()[upper]
            out[name] = round(100 * eer(scores[same], scores[~same]), 2)
        return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", required=True, help="folder with X.raw and X.json")
    parser.add_argument("--config", required=True)
    parser.add_argument("--prototype", required=True, help="weights that serve as second teacher and as start")
    parser.add_argument("--out", required=True)
    parser.add_argument("--minutes", type=float, help="overrides the configuration")
    parser.add_argument("--limit", type=int, help="only so many utterances of each pack (trial of the script)")
    parser.add_argument("--steps", type=int, help="stop after so many steps (trial of the script)")
    parser.add_argument("--batch-speakers", type=int)
    parser.add_argument("--rooms", type=int, default=800, help="how many room responses to simulate")
    args = parser.parse_args()
    config = json.loads(Path(args.config).read_text())
    minutes = args.minutes or config["minutes"]
    speakers_per_batch = args.batch_speakers or config["batch_speakers"]
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(config["seed"])
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    torch.backends.cudnn.benchmark = True
    out = Path(args.out)
    out.mkdir(parents=True, exist_ok=True)
    began = time.time()

    packs = load_folder(args.data, args.limit)
    train, held = split(packs["train"])
    store = SpeechStore(train, device)
    clips = packs["noise"][:-HELD_OUT_NOISE] or packs["noise"]
    noise = torch.from_numpy(np.concatenate([u.samples for u in clips])).to(device)
    augment = Augmenter(noise, device, AugmentConfig(**config.get("augment", {})), args.rooms)
    logmel = LogMel().to(device)
    members = [Member(spec, store.classes, device, args.prototype) for spec in config["members"]]
    prototype = load_prototype(args.prototype).to(device).eval().requires_grad_(False)
    monitor = Monitor(held, augment, logmel, device)
    for member in members:
        if member.spec.get("from_prototype"):
            start_head(member, store, logmel, device)
    print(json.dumps({"speakers": len(store.names), "classes": store.classes, "hours": round(store.hours, 2),
                      "held_out": len(held), "noise_clips": len(clips), "load_s": round(time.time() - began),
                      "start": {m.name: monitor(m) for m in members if m.spec.get("from_prototype")}}), flush=True)

    start = last_print = last_check = time.time()
    step, crops = 0, 0
    while True:
        progress = (time.time() - start) / (minutes * 60)
        if progress >= 1 or (args.steps and step >= args.steps):
            break
        ramp = min(1.0, (step + 1) / config["warmup_steps"])
        anneal = 0.5 * (1 + math.cos(math.pi * progress))
        margin = config["margin"] * min(1.0, progress / config["margin_ramp"])
        seconds = config["crop_seconds"][1 if progress >= config["long_crops_from"] else 0]
        clean, labels = store.pairs(speakers_per_batch, int(seconds * SAMPLE_RATE))
        with torch.no_grad():
            clean_feats = logmel(clean)
            feats = mask_features(logmel(augment(clean)))
            p = embed(prototype, clean_feats, device)
            target = first = p @ p.t()
            if progress >= config["teacher_from"]:
                t = embed(members[0].average, clean_feats, device)
                target = 0.4 * first + 0.6 * (t @ t.t())
        for i, member in enumerate(members):
            for group in member.optimiser.param_groups:
                group["lr"] = member.spec["lr"] * ramp * anneal + 1e-6
            emb = embed(member.net, feats, device)
            loss, accuracy = member.head(emb, labels, margin)
            loss = loss + config["pair_weight"] * pair_loss(emb, labels)
            weight = member.spec["distil"] * (1 - progress if i == 0 else 1.0)
            loss = loss + weight * similarity_loss(emb, first if i == 0 else target)
            member.optimiser.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(member.net.parameters(), 5.0)
            member.optimiser.step()
            member.update_average(min(config["ema"], (step + 1) / (step + 10)))
            member.loss, member.accuracy = loss.detach(), accuracy
        step += 1
        crops += len(labels)
        now = time.time()
        if now - last_print > 15 or args.steps:
            last_print = now
            print(f"{now - start:5.0f}s step {step} crops/s {crops / (now - start):.0f} "
                  + " ".join(f"{m.name} {float(m.loss):.2f}/{float(m.accuracy):.2f}" for m in members), flush=True)
        if now - last_check > 110:
            last_check = now
            print(f"{now - start:5.0f}s held-out " + json.dumps({m.name: monitor(m) for m in members}), flush=True)
            for member in members:
                member.save(out, {"step": step})
    extra = {"step": step, "config": config, "crops": crops, "seconds": time.time() - start,
             "speakers": len(store.names), "hours": store.hours, "train_speakers": store.names}
    for member in members:
        member.save(out, extra)
    print("final " + json.dumps({m.name: monitor(m) for m in members}) + f" steps {step} crops {crops}", flush=True)
    (out / "DONE").write_text("done\n")


if __name__ == "__main__":
    main()
