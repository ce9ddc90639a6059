"""Teaches cheaper networks (speaker/students.py) what two others say: the shipped network, and a telephone-trained x-vector network.

    DEADLINE=EPOCH python3 -m speaker.distil --packs DIR... --rooms DIR --codecs DIR --peer peer.npz --start PT --config conf.json --out DIR

All students see the same crops. A slow ECAPA is to give the embedding that the shipped network gives for the same damaged crop, and the
similarities that it finds between the clean crops; a telephone view is to give the x-vector of the same damaged crop, which needs no
labels, so it also hears speech without speaker labels and real calls. Half of the twelve callers that may be learned from are heard,
the other half judges. Half of the crops come from copies sent through real speech coders (`speaker/phone.py`) by worker processes.
Starts when the packs are there, ends by itself at DEADLINE and saves as it goes; tables of prints for calibration are made at the end.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import time
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from common.features import LogMel
from common.packs import SAMPLE_RATE, by_speaker
from speaker.augment import AugmentConfig, Augmenter
from speaker.distil_judge import Judge
from speaker.distil_nets import PhoneStudent, SlowStudent, level
from speaker.distil_tables import write_tables
from speaker.model import Ecapa, load_prototype
from speaker.telephone import LIGHT, render_conditions, start_head
from speaker.telephone_data import TRAIN_SETS, Copier, Store, calls_split, hold_out, read_packs, read_rooms
from speaker.telephone_nets import choose_arithmetic, embed
from speaker.xvector import XVector

OTHER_SETS = ("attacks-train", "piper", "mimic3")  # speech without people's labels; attacks of the training half only


def wait_for_packs(args: argparse.Namespace, launched: float) -> dict:
    while True:
        missing = set(args.wait_for.split(",")) - {f.stem for folder in args.packs for f in Path(folder).glob("*.raw")}
        if not missing or time.time() - launched > args.wait:
            return read_packs(args.packs, args.limit, OTHER_SETS)
        time.sleep(2)


class Batches:
    """Damaged crops with what the teachers say: the same crops for all students."""

    def __init__(self, store: Store, noise: Tensor, config: dict, kinds: list[Tensor], teachers: tuple[Ecapa, XVector, LogMel]):
        self.store, self.config = store, config
        self.start, self.peer, self.logmel = teachers
        options = {k: tuple(v) if isinstance(v, list) else v for k, v in config["augment"].items()}
        self.heavy = Augmenter(noise, store.device, AugmentConfig(**options), config["rooms"])
        self.light = Augmenter(noise, store.device, LIGHT, 2)
        self.weights = [torch.where(mask, store.weights, 0.0) for mask in kinds]

    def draw(self, pairs: int) -> tuple[Tensor, np.ndarray]:
        """Classes, and which rows have a speaker's label. Always as many of each kind, so that shapes repeat."""
        shares = [1.0, self.config["others_share"], self.config["calls_share"]]
        there = [int((w > 0).sum()) for w in self.weights]
        counts = [min(n, max(2, round(pairs * s))) if n else 0 for n, s in zip(there, shares)]
        counts[0] = max(4, counts[0] - counts[1] - counts[2])
        labels = torch.cat([torch.multinomial(w, n, replacement=False) for w, n in zip(self.weights, counts) if n])
        return labels.repeat(2), np.tile(np.repeat([True, False, False], counts), 2)

    @torch.no_grad()
    def __call__(self, divide: int) -> dict:
        store = self.store
        seconds, pairs = self.config["batches"][np.random.randint(len(self.config["batches"]))]
        samples = int(seconds * SAMPLE_RATE)
        labels, known = self.draw(max(8, pairs // divide))
        count = len(labels) // 2
        position = torch.rand(count, device=store.device)
        position = torch.cat([position, (position + 0.3 + 0.4 * torch.rand(count, device=store.device)) % 1.0])
        more = samples + int(self.config["teacher_extra_seconds"] * SAMPLE_RATE)
        crops, longer, phone = store.both(labels, position, samples, more, self.config["phone_share"])
        damaged = crops.clone()
        for rows, augment in ((torch.where(phone)[0], self.light), (torch.where(~phone)[0], self.heavy)):
            if len(rows):
                damaged[rows] = augment(crops[rows])
        damaged = torch.nan_to_num(damaged)
        feats = torch.nan_to_num(self.logmel(damaged))
        clean = torch.nan_to_num(embed(self.start, self.logmel(longer)))
        peer = torch.nan_to_num(torch.cat([self.peer(level(x)) for x in damaged.split(256)]))
        return {"feats": feats, "labels": labels, "known": torch.from_numpy(np.flatnonzero(known)).to(store.device),
                "same": torch.nan_to_num(embed(self.start, feats)), "clean": clean, "peer": peer}


def train(students: list, batches: Batches, judge: Judge, config: dict, run_args: tuple) -> None:
    end, divide, out, say, copier = run_args
    began = last_print = last_check = time.time()
    step = crops = 0
    while time.time() < end:
        progress = min((time.time() - began) / max(end - began, 1), 1.0)
        factor = min(1.0, (step + 1) / config["warmup_steps"]) * 0.5 * (1 + math.cos(math.pi * progress))
        batch = batches(divide)
        for s in students:
            s.step(s.loss(batch, config), factor, min(config["ema"], (step + 1) / (step + 10)))
        crops += len(batch["labels"])
        step += 1
        now = time.time()
        if now - last_print > 20 or divide > 1:
            last_print = now
            shown = " ".join(f"{s.name} " + "/".join(f"{v:.4f}" for v in s.shown.tolist()) + (f" skipped {s.skipped}" if s.skipped else "") for s in students)
            say(f"step {step} crops/s {crops / (now - began):.0f} copies {copier.done} {shown}")
        if now - last_check > config["check_seconds"] and now < end - 40:
            last_check = now
            for s in students:
                say("check", s.name, json.dumps(judge(s)))
                s.save(out, step)
    say("trained", step, crops)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--packs", nargs="+", required=True)
    for name in ("rooms", "codecs", "peer", "start", "config", "out"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--wait", type=float, default=200, help="seconds to wait for packs at most")
    parser.add_argument("--wait-for", default="librispeech", help="packs that must be there, comma separated")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--divide-batch", type=int, default=1)
    parser.add_argument("--workers", type=int, default=8)
    parser.add_argument("--scratch", default="/dev/shm", help="where the speech is laid out for the workers (7 GB)")
    return parser.parse_args()


def main() -> None:
    args = arguments()
    launched, deadline = time.time(), float(os.environ["DEADLINE"])
    config = json.loads(Path(args.config).read_text())
    device = "cuda" if torch.cuda.is_available() else "cpu"
    out = Path(args.out)
    out.mkdir(parents=True, exist_ok=True)
    say = lambda *a: print(f"{time.time() - launched:6.0f}s", *a, flush=True)
    sets = wait_for_packs(args, launched)
    say("packs", {k: len(v) for k, v in sets.items()})
    torch.manual_seed(config["seed"]); np.random.seed(config["seed"])

    speech = [u for s in TRAIN_SETS for u in sets.get(s, [])]
    held, calls = hold_out(speech), by_speaker(sets.get("calls-dev", []))
    learn = calls_split(sorted(calls))[0] if len(calls) > 12 else sorted(calls)
    heard = learn[0::2]
    others = by_speaker([u for s in OTHER_SETS for u in sets.get(s, [])])
    speakers = {n: u for n, u in by_speaker(speech).items() if n not in held} | others | {n: calls[n] for n in heard}
    store = Store(speakers, device, config["speeds"], speed_weights=config["speed_weights"])
    laid_out = Path(args.scratch) / "speaker-distil.raw"
    store.add_copies(heard, laid_out)
    say("store", store.classes, f"{store.hours:.2f} h")
    noise_files = [(str(Path(f) / name), count) for f in args.packs for name, count in (("places.raw", -1), ("esc10.raw", 320 * 80000)) if (Path(f) / name).exists()]
    copier = Copier(args.workers, (args.codecs, noise_files, read_rooms(args.rooms), str(laid_out)))
    own = [u for u in speech if u.speaker in held and u.seconds >= 2]
    random.Random(3).shuffle(own)
    own = own[:config["monitor"]]
    held_phone = copier.clips([u.samples for u in own], 7)
    copier.start(store)
    rendering = render_conditions(args, out)

    logmel = LogMel().to(device)
    start = load_prototype(args.start).to(device).eval().requires_grad_(False)
    peer = XVector(args.peer).to(device).eval()
    if device == "cuda":
        choose_arithmetic(start, say)
        torch.manual_seed(config["seed"])
    of = lambda names: ([n for n in names for _ in calls[n]], [u.samples for n in names for u in calls[n]])
    judge = Judge({
        "held-phone": ([u.speaker for u in own], held_phone), "held-clean": ([u.speaker for u in own], [u.samples for u in own]),
        "calls-12": of(learn), "calls-unheard": of(learn[1::2]),
    }, (start, peer, logmel), device)
    say("teachers", json.dumps(judge.teachers()))
    noise = torch.from_numpy(np.concatenate([u.samples for s in ("places", "esc10") for u in sets.get(s, [])[:320]])).to(device)
    mask = lambda names: torch.tensor([n in names for n in store.names], device=device).repeat(store.speeds)
    real, other = mask(set(heard)), mask(set(others))
    batches = Batches(store, noise, config, [~real & ~other, other, real], (start, peer, logmel))
    head = start_head(start, store, logmel)
    students = [SlowStudent(spec, start, head, device) for spec in config["slow"]] + [PhoneStudent(spec, device) for spec in config["phone"]]
    for s in students:
        say("start", s.name, json.dumps(judge(s)))
    train(students, batches, judge, config, (deadline - config["reserve"], args.divide_batch, out, say, copier))
    copier.stop()
    for s in students:
        s.save(out, -1)
        say("end", s.name, json.dumps(judge(s)))
    rendering.wait(timeout=60)
    write_tables({"r2": start, **{s.name: s.average for s in students}, "peer": peer}, of(learn), out / "audio", out, say)
    laid_out.unlink(missing_ok=True)
    say("done")


if __name__ == "__main__":
    main()
