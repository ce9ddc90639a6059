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
import time
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from common.features import LogMel
from common.packs import by_speaker
from speaker.distil_judge import Judge
from speaker.distil_nets import PhoneStudent, SlowStudent, level
from speaker.distil_tables import write_tables
from speaker.ecapa import Ecapa
from speaker.telephone_data import TRAIN_SETS, Store, calls_split, hold_out, read_packs
from speaker.telephone_nets import embed
from speaker.telephone_run import Crops, begin, copier_of, monitored, noise_of, parser_of, render_conditions, seed, start_head, teachers_of
from speaker.xvector import XVector

OTHER_SETS = ("attacks-train", "piper", "mimic3")  # speech without people's labels; attacks of the training half only


def wait_for_packs(args: argparse.Namespace, launched: float) -> dict:
    while True:
        missing = set(args.wait_for.split(",")) - {f.stem for folder in args.packs for f in Path(folder).glob("*.raw")}
        if not missing or time.time() - launched > args.wait:
            return read_packs(args.packs, args.limit, OTHER_SETS)
        time.sleep(2)


class Batches(Crops):
    """Damaged crops with what the teachers say: the same crops for all students."""

    def __init__(self, store: Store, noise: Tensor, config: dict, kinds: list[Tensor], teachers: tuple[Ecapa, XVector, LogMel]):
        super().__init__(store, noise, config, teachers)
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
        samples, pairs = self.size()
        labels, known = self.draw(max(8, pairs // divide))
        damaged, longer = self.cut(labels, samples)
        damaged = torch.nan_to_num(damaged)
        feats = torch.nan_to_num(self.logmel(damaged))
        clean = torch.nan_to_num(embed(self.start, self.logmel(longer)))
        peer = torch.nan_to_num(torch.cat([self.peer(level(x)) for x in damaged.split(256)]))
        return {"feats": feats, "labels": labels, "known": torch.from_numpy(np.flatnonzero(known)).to(self.store.device),
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
    parser = parser_of(__doc__.split("\n")[0], wait=200, scratch_gigabytes=7)
    parser.add_argument("--wait-for", default="librispeech", help="packs that must be there, comma separated")
    return parser.parse_args()


def main() -> None:
    args = arguments()
    launched, deadline = time.time(), float(os.environ["DEADLINE"])
    config, device, out, say = begin(args, launched)
    sets = wait_for_packs(args, launched)
    say("packs", {k: len(v) for k, v in sets.items()})
    seed(config)

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
    copier = copier_of(args, laid_out)
    own = monitored(speech, held, config["monitor"])
    held_phone = copier.clips([u.samples for u in own], 7)
    copier.start(store)
    rendering = render_conditions(args, out)

    start, peer, logmel = teachers_of(args, config, device, say)
    of = lambda names: ([n for n in names for _ in calls[n]], [u.samples for n in names for u in calls[n]])
    judge = Judge({
        "held-phone": ([u.speaker for u in own], held_phone), "held-clean": ([u.speaker for u in own], [u.samples for u in own]),
        "calls-12": of(learn), "calls-unheard": of(learn[1::2]),
    }, (start, peer, logmel), device)
    say("teachers", json.dumps(judge.teachers()))
    mask = lambda names: torch.tensor([n in names for n in store.names], device=device).repeat(store.speeds)
    real, other = mask(set(heard)), mask(set(others))
    batches = Batches(store, noise_of(sets, device), config, [~real & ~other, other, real], (start, peer, logmel))
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
