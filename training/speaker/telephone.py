"""Trains the speaker network on for the telephone, with real speech coders and with a telephone-trained x-vector network as a second teacher.

    DEADLINE=EPOCH python3 -m speaker.telephone --packs DIR --rooms DIR --codecs DIR --peer peer.npz --start PT --config conf.json --out DIR

Every utterance is sent through rooms, noise, noise suppression and real speech coders (`speaker/phone.py`) a few times on the processor's
cores; half of the crops at normal speed are taken from these copies, the others are damaged on the accelerator as before.
The network gets a second output that imitates the x-vector of the same speech; the print is both, side by side.
Ends by itself at DEADLINE and saves as it goes.
"""

from __future__ import annotations

import argparse
import copy
import json
import math
import multiprocessing
import os
import random
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from common.features import LogMel
from common.packs import SAMPLE_RATE, by_speaker
from speaker.augment import AugmentConfig, Augmenter, mask_features
from speaker.losses import AngularMargin, pair_loss, similarity_loss
from speaker.metrics import eer
from speaker.model import Ecapa, load_prototype
from speaker.telephone_data import Store, calls_split, hold_out, many_calls, read_packs, read_rooms, start_worker
from speaker.xvector import XVector

PEER_DIM = 128


class TwoHeads(nn.Module):
    """ECAPA with a second, linear output from the same pooled statistics."""

    def __init__(self, net: Ecapa):
        super().__init__()
        self.net = net
        self.peer = nn.Linear(3072, PEER_DIM)
        nn.init.normal_(self.peer.weight, std=0.01)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        kept = []
        hook = self.net.b5.register_forward_hook(lambda module, _, y: kept.append(y))
        own = self.net(x)
        hook.remove()
        return own, self.peer(kept[0])


MODE = {"bf16": True}


def embed(net: nn.Module, feats: Tensor):
    device = feats.device.type
    with torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda" and MODE["bf16"]):
        out = net(feats)
    return tuple(F.normalize(o.float(), dim=1) for o in out) if isinstance(out, tuple) else F.normalize(out.float(), dim=1)


@torch.no_grad()
def choose_arithmetic(net: nn.Module, say) -> None:
    """The first setting that gives finite embeddings equal to plain fp32 ones, for the lengths that training uses and odd ones."""
    torch.manual_seed(0)
    sets = [torch.randn(b, t, 80, device="cuda") * 3 for b, t in ((340, 198), (220, 318), (160, 498), (256, 248), (1, 301), (1, 477), (1, 1198), (64, 398))]
    torch.backends.cudnn.enabled = False
    torch.backends.cuda.matmul.allow_tf32 = False
    MODE["bf16"] = False
    want = [torch.cat([embed(net, c) for c in x.split(32)]) for x in sets]
    say("reference finite", [bool(torch.isfinite(w).all()) for w in want])
    for cudnn, benchmark, bf16, tf32 in ((True, True, True, True), (True, False, True, False), (True, True, False, True), (True, False, False, False), (False, False, True, True), (False, False, False, True)):
        torch.backends.cudnn.enabled, torch.backends.cudnn.benchmark, MODE["bf16"] = cudnn, benchmark, bf16
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = tf32
        try:
            cosine = [float((embed(net, x) * w).sum(1).min()) for x, w in zip(sets, want)]
        except RuntimeError as error:
            cosine = [float("nan")]
            say("failed", str(error)[:200])
        say("arithmetic", {"cudnn": cudnn, "benchmark": benchmark, "bf16": bf16, "tf32": tf32}, [round(c, 4) for c in cosine])
        if all(c > 0.97 for c in cosine):
            return
    say("no setting is right")


# -- training --------------------------------------------------------------------------------
class Member:
    def __init__(self, spec: dict, start: Ecapa, classes: int, device: str):
        self.name, self.spec = spec["name"], spec
        self.net = TwoHeads(copy.deepcopy(start)).to(device).train().requires_grad_(True)
        self.average = copy.deepcopy(self.net).eval().requires_grad_(False)
        self.head = AngularMargin(classes, 192).to(device)
        trunk = list(self.net.net.parameters())
        groups = [{"params": [p for p in trunk if p.ndim > 1], "weight_decay": 0.05, "scale": 1.0},
                  {"params": [p for p in trunk if p.ndim <= 1], "weight_decay": 0.0, "scale": 1.0},
                  {"params": list(self.net.peer.parameters()), "weight_decay": 0.01, "scale": 2.0},
                  {"params": [self.head.weight], "weight_decay": 0.01, "scale": 1.0}]
        extra = {"fused": True} if device == "cuda" else {}
        self.optimiser = torch.optim.AdamW(groups, lr=spec["lr"], betas=(0.9, 0.98), **extra)
        self.shown = torch.zeros(4, device=device)

    def step(self, loss: Tensor, factor: float, decay: float) -> None:
        for group in self.optimiser.param_groups:
            group["lr"] = (self.spec["lr"] * factor + 1e-6) * group["scale"]
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        if not bool(torch.isfinite(norm + loss.detach())):
            self.skipped = getattr(self, "skipped", 0) + 1
            return
        self.optimiser.step()
        with torch.no_grad():
            old = [v for v in self.average.state_dict().values() if v.dtype.is_floating_point]
            new = [v for v in self.net.state_dict().values() if v.dtype.is_floating_point]
            torch._foreach_mul_(old, decay)
            torch._foreach_add_(old, new, alpha=1 - decay)


class Monitor:
    def __init__(self, sets: dict[str, tuple[list[str], list[np.ndarray]]], logmel: LogMel, device: str, seconds: float):
        self.sets, self.logmel, self.device, self.longest = sets, logmel, device, int(seconds * SAMPLE_RATE)

    @torch.no_grad()
    def __call__(self, net: nn.Module, peer: XVector | None = None) -> dict:
        out = {}
        for name, (owner, audio) in self.sets.items():
            who = np.unique(owner, return_inverse=True)[1]
            group = np.unique([s.split("/")[0] for s in owner], return_inverse=True)[1]
            rows = []
            for x in audio:
                t = torch.from_numpy(x[:self.longest].astype(np.float32)).to(self.device)[None]
                if peer is not None:
                    rows.append((peer(t),))
                else:
                    e = embed(net, self.logmel(t))
                    rows.append(e if isinstance(e, tuple) else (e,))
            bad = [len(x) for x, r in zip(audio, rows) if not all(bool(torch.isfinite(v).all()) for v in r)]
            if bad:
                print("not finite", name, len(bad), "of", len(audio), "samples", bad[:8], "levels", [int(np.abs(x).max()) for x, r in zip(audio, rows) if not bool(torch.isfinite(r[0]).all())][:8], flush=True)
                rows = [tuple(torch.nan_to_num(v) for v in r) for r in rows]
            parts = [torch.cat([r[k] for r in rows]).cpu().numpy() for k in range(len(rows[0]))]
            scores = [p @ p.T for p in parts]
            if len(parts) == 2:
                scores.append(0.6 * scores[0] + 0.4 * scores[1])
            upper = np.triu_indices(len(who), 1)
            same = (who[:, None] == who[None])[upper]
            trial = (group[:, None] == group[None])[upper]
            out[name] = [round(100 * eer(s[upper][same], s[upper][~same & trial]), 2) for s in scores]
        return out


@torch.no_grad()
def start_head(net: Ecapa, store: Store, logmel: LogMel) -> Tensor:
    rows = []
    for labels in torch.arange(store.classes, device=store.device).split(256):
        crops = [store.crops(labels, torch.full((len(labels),), p, device=store.device), int(2.5 * SAMPLE_RATE)) for p in (0.0, 0.5)]
        rows.append(F.normalize(torch.nan_to_num(sum(embed(net, logmel(c)) for c in crops)), dim=1))
    return torch.cat(rows)


@torch.no_grad()
def embed_many(net: nn.Module, logmel: LogMel, audio: list[np.ndarray], device: str) -> np.ndarray:
    """Both outputs side by side for clips of any length; clips of like length go together, cut to steps of 0.4 s (at most 10 s)."""
    step = int(0.4 * SAMPLE_RATE)
    size = [min(max(len(x) // step, 1), 25) * step for x in audio]
    out = np.zeros((len(audio), 192 + PEER_DIM), np.float16)
    for length in sorted(set(size)):
        rows = [i for i, n in enumerate(size) if n == length]
        for k in range(0, len(rows), 64):
            part = rows[k:k + 64]
            x = torch.from_numpy(np.stack([np.resize(audio[i], length) for i in part]).astype(np.float32)).to(device)
            out[part] = torch.cat(embed(net, logmel(x)), 1).cpu().numpy()
    return out


@torch.no_grad()
def tables(net: nn.Module, store: Store, logmel: LogMel, held: dict[str, list[np.ndarray]], device: str) -> dict[str, np.ndarray]:
    """Prints of all training speakers at normal speed (clean and from each telephone copy), and of the held-out clips under each condition."""
    out: dict[str, list] = {"cohort_clean": []} | {f"cohort_phone{i}": [] for i in range(len(store.copies))}
    for labels in torch.arange(*store.middle, device=device).split(128):
        first, size = store.first[labels], store.size[labels]
        sums: dict[str, Tensor] = {}
        for position in (0.0, 0.33, 0.66):
            index = first[:, None] + ((position * size).long()[:, None] + torch.arange(4 * SAMPLE_RATE, device=device)[None]) % size[:, None]
            for name, wave_ in [("cohort_clean", None)] + [(f"cohort_phone{i}", c) for i, c in enumerate(store.copies)]:
                x = store.wave[index] if wave_ is None else wave_[index - store.base]
                e = torch.cat(embed(net, logmel(x.float())), 1)
                sums[name] = sums.get(name, 0) + e / 3
        for name, value in sums.items():
            out[name].append(value.cpu().numpy().astype(np.float16))
    result = {k: np.concatenate(v) for k, v in out.items()}
    return result | {f"held_{k}": embed_many(net, logmel, v, device) for k, v in held.items()}


def save(member: Member, path: Path, extra: dict) -> None:
    state = {k: v.half().cpu() if v.dtype == torch.float32 else v.cpu() for k, v in member.average.state_dict().items()}
    torch.save({"net": state, "spec": {"family": "ecapa-two", "channels": 512}, **extra}, path.with_suffix(".tmp"))
    path.with_suffix(".tmp").rename(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for name in ("packs", "rooms", "codecs", "peer", "start", "config", "out"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--wait", type=float, default=420, help="seconds to wait for packs at most")
    parser.add_argument("--hours", type=float, default=15.0, help="start as soon as so many hours of training speech are there")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--divide-batch", type=int, default=1)
    parser.add_argument("--workers", type=int, default=10)
    args = parser.parse_args()
    launched, deadline = time.time(), float(os.environ["DEADLINE"])
    config = json.loads(Path(args.config).read_text())
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(config["seed"]); np.random.seed(config["seed"])
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    out = Path(args.out); out.mkdir(parents=True, exist_ok=True)
    say = lambda *a: print(f"{time.time() - launched:6.0f}s", *a, flush=True)

    while True:
        sets = read_packs(args.packs, args.limit)
        train = [u for s in ("cv", "so762", "libri", "gsc") for u in sets.get(s, [])]
        hours = sum(u.seconds for u in train) / 3600
        ready = "calls-dev" in sets and ("places" in sets or "esc10" in sets)
        if (hours >= args.hours and ready) or time.time() - launched > args.wait:
            break
        time.sleep(3)
    say("packs", {k: len(v) for k, v in sets.items()}, f"{hours:.2f} h")
    held = hold_out(train)
    calls = by_speaker(sets.get("calls-dev", []))
    learn, _ = calls_split(list(calls))
    speakers = {n: u for n, u in by_speaker(train).items() if n not in held}
    speakers.update({n: calls[n] for n in learn})
    speeds = config["speeds"]
    store = Store(speakers, device, speeds, speed_weights=config["speed_weights"])
    clips = [u for n in store.names for u in speakers[n]]  # in the order of the store's joined speech
    own = [u for u in train if u.speaker in held and u.seconds >= 2]
    random.Random(3).shuffle(own)
    own = own[:config["monitor"]]
    noise_files = [(str(p), -1) for p in (Path(args.packs) / "places.raw",) if p.exists()]
    esc = Path(args.packs) / "esc10.raw"
    if esc.exists():
        noise_files.append((str(esc), 320 * 80000))
    copies: list[np.ndarray] = []
    with ProcessPoolExecutor(args.workers, mp_context=multiprocessing.get_context("spawn"), initializer=start_worker, initargs=(args.codecs, noise_files, read_rooms(args.rooms))) as pool:
        def send(todo: list[tuple]) -> list[np.ndarray]:
            chunks = [todo[i:i + 24] for i in range(0, len(todo), 24)]
            return [y for part in pool.map(many_calls, chunks) for y in part]
        for c in range(config["copies"]):
            made = iter(send([u.job(100000 * (c + 1) + i) for i, u in enumerate(clips) if u.corpus != "calls-dev"]))
            copies.append(np.concatenate([u.samples if u.corpus == "calls-dev" else next(made) for u in clips]))  # real calls stay as they are
            say("telephone copy", c, len(clips))
        held_phone = send([u.job(7 + i) for i, u in enumerate(own)])
        table_clips = [u for u in train if u.speaker in held and u.corpus != "gsc" and u.seconds >= 1]
        held_audio = {"clean": [np.array(u.samples) for u in table_clips],
                      "phone0": send([u.job(500000 + i) for i, u in enumerate(table_clips)])}
    store.add_copies(copies)
    del copies

    logmel = LogMel().to(device)
    start = load_prototype(args.start).to(device).eval().requires_grad_(False)
    peer = XVector(args.peer).to(device).eval()
    if device == "cuda":
        choose_arithmetic(start, say)
        torch.manual_seed(config["seed"])
    noise = torch.from_numpy(np.concatenate([u.samples for s in ("places", "esc10") for u in sets.get(s, [])[:320]] or [np.zeros(400000, np.int16)])).to(device)
    augment = Augmenter(noise, device, AugmentConfig(**{k: tuple(v) if isinstance(v, list) else v for k, v in config["augment"].items()}), config["rooms"])
    light = Augmenter(noise, device, AugmentConfig(untouched=0.4, reverb=0.0, colour=0.3, noise=0.15, snr_db=(8, 25), telephone=0.15, codec=0.0, clip=0.03, floor=0.3), 2)
    monitor = Monitor({
        "held-phone": ([u.speaker for u in own], held_phone),
        "held-clean": ([u.speaker for u in own], [np.array(u.samples) for u in own]),
        "calls-learn": ([n for n in learn for _ in calls[n]], [np.array(u.samples) for n in learn for u in calls[n]]),
    } if calls else {}, logmel, device, config["monitor_seconds"])
    say(json.dumps({"speakers": len(store.names), "classes": store.classes, "hours": round(store.hours, 2), "start": monitor(start), "peer": monitor(None, peer)}))
    head = start_head(start, store, logmel)
    real_call = torch.tensor([n.startswith("calls-dev/") for n in store.names], device=device).repeat(store.speeds)
    members = []
    for spec in config["members"]:
        m = Member(spec, start, store.classes, device)
        m.head.weight.data.copy_(head)
        m.weights = store.weights.clone()
        m.weights[real_call] *= spec["calls"]
        members.append(m)

    began = last_print = last_check = time.time()
    end = deadline - config["reserve"]
    step = crops = 0
    while time.time() < end:
        progress = (time.time() - began) / max(end - began, 1)
        factor = min(1.0, (step + 1) / config["warmup_steps"]) * 0.5 * (1 + math.cos(math.pi * progress))
        for m in members:
            seconds, pairs = config["batches"][np.random.randint(len(config["batches"]))]
            count = max(4, pairs // args.divide_batch)
            labels = torch.multinomial(m.weights, count, replacement=False)
            labels = torch.cat([labels, labels])
            position = torch.rand(count, device=device)
            position = torch.cat([position, (position + 0.3 + 0.4 * torch.rand(count, device=device)) % 1.0])
            samples = int(seconds * SAMPLE_RATE)
            with torch.no_grad():
                clean, longer, real = store.both(labels, position, samples, samples + int(config["teacher_extra_seconds"] * SAMPLE_RATE))
                rows, other = torch.where(real)[0], torch.where(~real)[0]
                damaged = clean.clone()
                if len(rows):
                    damaged[rows] = light(clean[rows])
                if len(other):
                    damaged[other] = augment(clean[other])
                feats = mask_features(logmel(damaged))
                t = embed(start, logmel(longer))
                p = torch.cat([peer(x) for x in longer.split(128)])
            feats = torch.nan_to_num(feats)
            t, p = torch.nan_to_num(t), torch.nan_to_num(p)
            e, q = embed(m.net, feats)
            spk, accuracy = m.head(e, labels, m.spec["margin"])
            own_loss = similarity_loss(e, t @ t.t())
            far = 1 - (q * p).sum(1).mean()
            peer_loss = config["peer_cos"] * far + config["peer_sim"] * similarity_loss(q, p @ p.t())
            loss = spk + config["pair_weight"] * pair_loss(e, labels) + m.spec["distil"] * own_loss + peer_loss
            m.step(loss, factor, min(config["ema"], (step + 1) / (step + 10)))
            m.shown = torch.stack([spk.detach(), accuracy, own_loss.detach(), far.detach()])
            crops += len(labels)
        step += 1
        now = time.time()
        if now - last_print > 20 or device == "cpu":
            last_print = now
            say(f"step {step} crops/s {crops / (now - began):.0f} " + " ".join(f"{m.name} " + "/".join(f"{v:.3f}" for v in m.shown.tolist()) + f" skipped {getattr(m, 'skipped', 0)}" for m in members))
        if now - last_check > config["check_seconds"] and now < end - 40:
            last_check = now
            for m in members:
                say("check", m.name, json.dumps(monitor(m.average)))
                save(m, out / f"telephone-{m.name}.pt", {"step": step})
    for m in members:
        save(m, out / f"telephone-{m.name}.pt", {"step": step})
    say("saved", step, crops)
    names = {"cohort_names": np.array(store.names), "held_names": np.array([u.speaker for u in table_clips]),
             "held_seconds": np.array([u.seconds for u in table_clips], np.float32)}
    for m in members:
        np.savez(out / f"tables-{m.name}.npz", **names, **tables(m.average, store, logmel, held_audio, device))
        say("tables", m.name)
    for m in members:
        say("end", m.name, json.dumps(monitor(m.average)))
    Path(out / "done").write_text("done\n")


if __name__ == "__main__":
    main()
