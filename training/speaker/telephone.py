"""Trains the speaker network on for the telephone, with real speech coders and with a telephone-trained x-vector network as a second teacher.

    DEADLINE=EPOCH python3 -m speaker.telephone --packs DIR... --rooms DIR --codecs DIR --peer peer.npz --start PT --config conf.json --out DIR

Every class of speech is sent through rooms, noise, noise suppression and real speech coders (`speaker/phone.py`) by worker processes while
training runs; half of the crops are taken from these copies, the others are damaged on the accelerator as before.
The network gets a second output that imitates the x-vector of the same speech; a print is both, side by side.
The candidates see the same batches and differ in their losses and in which real callers they may hear (two of them hear half of the
callers that may be learned from each, so that each half has a candidate that does not know it).
Starts as soon as enough packs are there, ends by itself at DEADLINE and saves as it goes.
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
import torch.nn.functional as F
from torch import Tensor

from common.features import LogMel
from common.packs import by_speaker
from speaker.augment import mask_features
from speaker.losses import pair_loss, similarity_loss
from speaker.model import Ecapa, TwoHeads
from speaker.telephone_data import TRAIN_SETS, Store, calls_split, choosing, hold_out, read_packs
from speaker.telephone_judge import Clips, Monitor
from speaker.telephone_nets import Member, blend, embed, run, save
from speaker.telephone_run import Crops, begin, copier_of, monitored, noise_of, parser_of, render_conditions, seed, start_head, teachers_of
from speaker.xvector import XVector


def wait_for_packs(args: argparse.Namespace, launched: float) -> dict:
    """The packs, as soon as there is enough of them."""
    while True:
        sets = read_packs(args.packs, args.limit)
        hours = sum(u.seconds for s in TRAIN_SETS for u in sets.get(s, [])) / 3600
        ready = all(s in sets for s in ("calls-dev", "places", "esc10"))
        if (hours >= args.hours and ready) or time.time() - launched > args.wait:
            return sets
        time.sleep(2)


class Batches(Crops):
    """Crops of classes, damaged, with what the teachers say of the clean ones."""

    def __init__(self, store: Store, noise: Tensor, config: dict, folds: list[Tensor], teachers: tuple[Ecapa, XVector, LogMel]):
        super().__init__(store, noise, config, teachers)
        plain = torch.where(store.is_call, 0.0, store.weights)
        self.weights = [plain, *(torch.where(mask, store.weights, 0.0) for mask in folds)]

    def draw(self, pairs: int) -> tuple[Tensor, np.ndarray]:
        """Classes, and for each the fold of real callers it belongs to (-1: no real caller). Always as many of each, so that shapes repeat."""
        calls = max(1, round(pairs * self.config["calls_share"] / 2))
        counts = [max(4, pairs - 2 * calls), *(min(calls, int((w > 0).sum())) for w in self.weights[1:])]
        labels = torch.cat([torch.multinomial(w, n, replacement=False) for w, n in zip(self.weights, counts)])
        return labels.repeat(2), np.tile(np.repeat([-1, 0, 1], counts), 2)

    @torch.no_grad()
    def __call__(self, divide: int) -> tuple[np.ndarray, Tensor, Tensor, Tensor, Tensor]:
        """Folds of the rows, features [2n, T, 80] of pairs, labels [2n], the own teacher's and the peer's embeddings of the clean crops."""
        samples, pairs = self.size()
        labels, fold = self.draw(pairs // divide)
        damaged, longer = self.cut(labels, samples)
        feats = torch.nan_to_num(mask_features(self.logmel(damaged)))
        own = torch.nan_to_num(embed(self.start, self.logmel(longer)))
        peer = torch.nan_to_num(torch.cat([self.peer(x) for x in longer.split(128)]))
        return fold, feats, labels, own, peer


def loss_of(m: Member, batch: tuple, config: dict) -> Tensor:
    """The candidate's loss on the rows that it may hear."""
    fold, device = batch[0], batch[1].device
    heard = np.flatnonzero((fold < 0) | np.isin(fold, m.spec["folds"]))
    feats, labels, own, peer = (x[torch.from_numpy(heard).to(device)] for x in batch[1:])
    e, raw = run(m.net, feats)
    e, q = F.normalize(e, dim=1), F.normalize(raw, dim=1)
    spk, accuracy = m.head(e, labels, m.spec["margin"])
    plain = torch.from_numpy(np.flatnonzero(fold[heard] < 0)).to(device)  # what the old network makes of real calls is not to be kept
    own_loss = similarity_loss(e[plain], own[plain] @ own[plain].t())
    far = 1 - (q * peer).sum(1).mean()
    peer_loss = config["peer_cos"] * far + config["peer_sim"] * similarity_loss(q, peer @ peer.t()) + config["peer_square"] * (raw - peer).pow(2).sum(1).mean()
    m.shown = torch.stack([spk.detach(), accuracy, own_loss.detach(), far.detach()])
    return m.spec["spk"] * (spk + config["pair_weight"] * pair_loss(e, labels)) + m.spec["distil"] * own_loss + peer_loss


def train(members: list[Member], batches: Batches, monitor: Monitor, config: dict, run_args: tuple) -> None:
    """Until `end`; drops the last candidate when the steps would be too few for all."""
    end, divide, out, say, copier = run_args
    began = last_print = last_check = time.time()
    step = crops = 0
    while time.time() < end:
        progress = (time.time() - began) / max(end - began, 1)
        factor = min(1.0, (step + 1) / config["warmup_steps"]) * 0.5 * (1 + math.cos(math.pi * min(progress, 1.0)))
        batch = batches(divide)
        for m in members:
            m.step(loss_of(m, batch, config), factor, min(config["ema"], (step + 1) / (step + 10)))
        crops += len(batch[0])
        step += 1
        now = time.time()
        if now - last_print > 20 or divide > 1:
            last_print = now
            shown = " ".join(f"{m.name} " + "/".join(f"{v:.3f}" for v in m.shown.tolist()) + f" skipped {m.skipped}" for m in members)
            say(f"step {step} crops/s {crops / (now - began):.0f} copies {copier.done} {shown}")
        if now - last_check > config["check_seconds"] and now < end - 40:
            last_check = now
            if step / progress < config["least_steps"] and len(members) > 2:
                say("too slow for all, leaving out", members.pop().name)
            for m in members:
                say("check", m.name, json.dumps(monitor(m.average)))
                save(m.average.state_dict(), out / f"{m.name}.pt", {"step": step})
    say("trained", step, crops)


def candidates(members: list[Member], start: Ecapa) -> dict[str, dict]:
    """States to judge: each candidate, the mean of those that know half of the callers, and that mean drawn back to the start."""
    states = {m.name: {k: v.float() if v.dtype.is_floating_point else v for k, v in m.average.state_dict().items()} for m in members}
    halves = [s for n, s in states.items() if n in ("b1", "b2")]
    if len(halves) == 2:
        states["b"] = blend([(0.5, s) for s in halves])
        old = {f"net.{k}": v for k, v in start.state_dict().items()} | {k: v for k, v in states["b"].items() if k.startswith("peer.")}
        states["soft"] = blend([(0.6, states["b"]), (0.4, old)])
        if "c" in states:
            states["bc"] = blend([(0.6, states["b"]), (0.4, states["c"])])
    return states


def finish(states: dict[str, dict], start: Ecapa, monitor: Monitor, calls: Clips, settings: tuple) -> None:
    """Saves weights, prints of the real calls by every candidate, and tables of all conditions by the main ones."""
    out, say, logmel, device, rendering = settings
    for name in ("b", "c", "a"):
        if name in states:
            save(states[name], out / f"{name}.pt", {})
    net = TwoHeads(Ecapa()).to(device).eval()
    small = {"calls_owner": np.array(calls.owner), "calls_start": calls.prints(start, logmel)}
    for name, state in states.items():
        net.load_state_dict(state)
        say("end", name, json.dumps(monitor(net)))
        small[f"calls_{name}"] = calls.prints(net, logmel)
    np.savez(out / "small.npz", **small)
    rendering.wait(timeout=60)
    index = json.loads((out / "audio" / "audio.json").read_text())
    audio = Clips(np.fromfile(out / "audio" / "audio.raw", "<i2"), [m["samples"] for m in index], [m["speaker"] for m in index], device)
    (out / "index.json").write_text(json.dumps(index))
    for name in ("b", "start", "c", "soft", "bc"):
        if name in states:
            net.load_state_dict(states[name])
        if name in states or name == "start":
            np.save(out / f"table-{name}.npy", audio.prints(start if name == "start" else net, logmel).astype(np.float16))
            say("table", name)
    (out / "done").write_text("done\n")


def arguments() -> argparse.Namespace:
    parser = parser_of(__doc__.split("\n")[0], wait=420, scratch_gigabytes=6)
    parser.add_argument("--hours", type=float, default=15.0, help="start as soon as so many hours of training speech are there")
    return parser.parse_args()


def main() -> None:
    args = arguments()
    launched, deadline = time.time(), float(os.environ["DEADLINE"])
    config, device, out, say = begin(args, launched)
    sets = wait_for_packs(args, launched)
    say("packs", {k: len(v) for k, v in sets.items()})
    seed(config)

    speech = [u for s in TRAIN_SETS for u in sets.get(s, [])]
    held, calls = hold_out(speech), by_speaker(sets["calls-dev"])
    learn, _ = calls_split(list(calls))
    speakers = {n: u for n, u in by_speaker(speech).items() if n not in held} | {n: calls[n] for n in learn}
    store = Store(speakers, device, config["speeds"], speed_weights=config["speed_weights"])
    laid_out = Path(args.scratch) / "speaker-telephone.raw"
    store.add_copies(learn, laid_out)
    copier = copier_of(args, laid_out)
    own = monitored(speech, held, config["monitor"])
    held_phone = copier.clips([u.samples for u in own], 7)
    copier.start(store)
    rendering = render_conditions(args, out)
    say("store", store.classes, f"{store.hours:.2f} h")

    start, peer, logmel = teachers_of(args, config, device, say)
    folds = [learn[0::2], learn[1::2]]
    of = lambda names: ([n for n in names for _ in calls[n]], [u.samples for n in names for u in calls[n]])
    chosen = {s: choosing(list(by_speaker(sets[s]))) for s in ("voxforge", "cvev") if s in sets}
    monitor = Monitor({
        "held-phone": ([u.speaker for u in own], held_phone), "held-clean": ([u.speaker for u in own], [u.samples for u in own]),
        "calls-learn": of(learn), "calls-1": of(folds[0]), "calls-2": of(folds[1]),
        **{f"{s}-choosing": ([u.speaker for u in sets[s] if u.speaker in who], [u.samples for u in sets[s] if u.speaker in who]) for s, who in chosen.items()},
    }, logmel, device)
    say("start", json.dumps(monitor(start)))
    say("peer", json.dumps(monitor.peer(peer)))
    of_fold = [torch.tensor([n in set(names) for n in store.names], device=device).repeat(store.speeds) for names in folds]
    batches = Batches(store, noise_of(sets, device), config, of_fold, (start, peer, logmel))
    head = start_head(start, store, logmel)
    members = [Member(spec, start, head, device) for spec in config["members"]]
    train(members, batches, monitor, config, (deadline - config["reserve"], args.divide_batch, out, say, copier))
    copier.stop()
    every = of(sorted(calls))
    finish(candidates(members, start), start, monitor, Clips(np.concatenate([np.array(x) for x in every[1]]), [len(x) for x in every[1]], every[0], device),
           (out, say, logmel, device, rendering))
    laid_out.unlink(missing_ok=True)
    say("done")


if __name__ == "__main__":
    main()
