"""What a run of speaker.distil begins with: its arguments, teachers, noise and copies, and the crops it learns from."""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from common.features import LogMel
from common.packs import SAMPLE_RATE, Utterance
from speaker.augment import AugmentConfig, Augmenter
from speaker.ecapa import Ecapa
from speaker.model import load_prototype
from speaker.telephone_data import TRAIN_SETS, Copier, Store, read_rooms
from speaker.telephone_nets import choose_arithmetic, embed
from speaker.xvector import XVector

CONDITION_SETS = (*TRAIN_SETS, "esc10", "voxforge", "cvev")  # what speaker.conditions reads
LIGHT = AugmentConfig(untouched=0.4, reverb=0.0, colour=0.3, noise=0.15, snr_db=(8, 25), telephone=0.15, codec=0.0, clip=0.03, floor=0.3)
ESC10_CLIPS, ESC10_SAMPLES = 320, 80000


def parser_of(description: str, wait: float, scratch_gigabytes: int) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--packs", nargs="+", required=True)
    for name in ("rooms", "codecs", "peer", "start", "config", "out"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--wait", type=float, default=wait, help="seconds to wait for packs at most")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--divide-batch", type=int, default=1)
    parser.add_argument("--workers", type=int, default=8)
    parser.add_argument("--scratch", default="/dev/shm", help=f"where the speech is laid out for the workers ({scratch_gigabytes} GB)")
    return parser


def begin(args: argparse.Namespace, launched: float) -> tuple[dict, str, Path, Callable]:
    """The configuration, the device, the folder for results, and how to say something with the time."""
    out = Path(args.out)
    out.mkdir(parents=True, exist_ok=True)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    return json.loads(Path(args.config).read_text()), device, out, lambda *a: print(f"{time.time() - launched:6.0f}s", *a, flush=True)


def seed(config: dict) -> None:
    torch.manual_seed(config["seed"])
    np.random.seed(config["seed"])


def copier_of(args: argparse.Namespace, laid_out: Path) -> Copier:
    noise = [(str(Path(f) / name), count) for f in args.packs for name, count in (("places.raw", -1), ("esc10.raw", ESC10_CLIPS * ESC10_SAMPLES)) if (Path(f) / name).exists()]
    return Copier(args.workers, (args.codecs, noise, read_rooms(args.rooms), str(laid_out)))


def monitored(speech: list[Utterance], held: set[str], count: int) -> list[Utterance]:
    """The recordings of held-out speakers that a run is watched by: the same ones every time."""
    own = [u for u in speech if u.speaker in held and u.seconds >= 2]
    random.Random(3).shuffle(own)
    return own[:count]


def teachers_of(args: argparse.Namespace, config: dict, device: str, say: Callable) -> tuple[Ecapa, XVector, LogMel]:
    """The network at the start, the telephone-trained one, and the features of the first."""
    logmel = LogMel().to(device)
    start = load_prototype(args.start).to(device).eval().requires_grad_(False)
    peer = XVector(args.peer).to(device).eval()
    if device == "cuda":
        choose_arithmetic(start, say)
        torch.manual_seed(config["seed"])
    return start, peer, logmel


def noise_of(sets: dict[str, list[Utterance]], device: str) -> Tensor:
    return torch.from_numpy(np.concatenate([u.samples for s in ("places", "esc10") for u in sets.get(s, [])[:ESC10_CLIPS]])).to(device)


def render_conditions(args: argparse.Namespace, out: Path) -> subprocess.Popen:
    """Starts speaker.conditions beside the training, on links to the packs it knows."""
    links = out / "links"
    links.mkdir(exist_ok=True)
    for folder in args.packs:
        for header in Path(folder).glob("*.json"):
            wanted = json.loads(header.read_text()).get("set") in CONDITION_SETS and not header.stem.startswith("judge")
            for file in (header, header.with_suffix(".raw")) if wanted and header.with_suffix(".raw").exists() else ():
                if not (links / file.name).exists():
                    (links / file.name).symlink_to(file.resolve())
    limit = ["--limit", str(args.limit)] if args.limit else []
    command = [sys.executable, "-m", "speaker.conditions", "--data", str(links), "--out", str(out / "audio"), "--workers", str(max(1, args.workers // 3)), *limit]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL)


@torch.no_grad()
def start_head(net: Ecapa, store: Store, logmel: LogMel) -> Tensor:
    """Class weights of the softmax: what the network at the start makes of each class."""
    rows = []
    for labels in torch.arange(store.classes, device=store.device).split(256):
        crops = [store.crops(labels, torch.full((len(labels),), p, device=store.device), int(2.5 * SAMPLE_RATE)) for p in (0.0, 0.5)]
        rows.append(F.normalize(torch.nan_to_num(sum(embed(net, logmel(c)) for c in crops)), dim=1))
    return torch.cat(rows)


class Crops:
    """Two crops of each class, damaged: copies that went through a coder lightly, the others as the configuration says."""

    def __init__(self, store: Store, noise: Tensor, config: dict, teachers: tuple[Ecapa, XVector, LogMel]):
        self.store, self.config = store, config
        self.start, self.peer, self.logmel = teachers
        options = {k: tuple(v) if isinstance(v, list) else v for k, v in config["augment"].items()}
        self.heavy = Augmenter(noise, store.device, AugmentConfig(**options), config["rooms"])
        self.light = Augmenter(noise, store.device, LIGHT, 2)

    def size(self) -> tuple[int, int]:
        """Of the next batch: samples of a crop, and pairs."""
        seconds, pairs = self.config["batches"][np.random.randint(len(self.config["batches"]))]
        return int(seconds * SAMPLE_RATE), pairs

    def cut(self, labels: Tensor, samples: int) -> tuple[Tensor, Tensor]:
        """For classes that are there twice, crops from different places: damaged, and clean and longer for the teachers."""
        store, count = self.store, len(labels) // 2
        position = torch.rand(count, device=store.device)
        position = torch.cat([position, (position + 0.3 + 0.4 * torch.rand(count, device=store.device)) % 1.0])
        more = samples + int(self.config["teacher_extra_seconds"] * SAMPLE_RATE)
        crops, longer, phone = store.both(labels, position, samples, more, self.config["phone_share"])
        damaged = crops.clone()
        for rows, augment in ((torch.where(phone)[0], self.light), (torch.where(~phone)[0], self.heavy)):
            if len(rows):
                damaged[rows] = augment(crops[rows])
        return damaged, longer
