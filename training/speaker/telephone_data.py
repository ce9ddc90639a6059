"""Data of speaker.distil: packs as they arrive, who may be learned from, and copies of all speech sent through telephones.

The copies are made by worker processes while training runs: each class gets a new one again and again, cut into stretches
that go through different telephones.
"""

from __future__ import annotations

import itertools
import json
import multiprocessing
import random
import threading
import wave
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from common.packs import SAMPLE_RATE, Utterance, by_speaker
from speaker.data import HOLD_OUT, SpeechStore
from speaker.phone import Phone

TRAIN_SETS = ("cv", "so762", "libri", "gsc")
SETS = (*TRAIN_SETS, "esc10", "places", "calls-dev", "voxforge", "cvev")


def read_packs(folders: list[str], limit: int | None, more_sets: tuple[str, ...] = ()) -> dict[str, list[Utterance]]:
    """All decoded packs by set; the parts of a split pack come together again. Packs of other sets are passed over."""
    sets: dict[str, list[Utterance]] = {}
    for header in sorted(h for f in folders for h in Path(f).glob("*.json")):
        raw_file = header.with_suffix(".raw")
        if not raw_file.exists():
            continue
        try:
            h = json.loads(header.read_text())
        except ValueError:
            continue
        if h.get("set") not in (*SETS, *more_sets) or header.stem.startswith("judge"):
            continue
        raw, at, name = np.memmap(raw_file, dtype="<i2", mode="r"), 0, h["set"]
        if len(raw) != sum(count for _, count in h["utts"]):
            continue
        for speaker, count in h["utts"][:limit]:
            sets.setdefault(name, []).append(Utterance(name, f"{name}/{speaker}", raw[at:at + count]))
            at += count
    return sets


def hold_out(utterances: list[Utterance], seed: int = 7) -> set[str]:
    """The same held-out speakers as speaker.data.split, whatever packs are there."""
    speakers, held = by_speaker(utterances), set()
    for corpus, (count, at_least) in HOLD_OUT.items():
        names = sorted(n for n, u in speakers.items() if u[0].corpus == corpus and len(u) >= at_least)
        random.Random(seed).shuffle(names)
        held |= set(names[:count])
    return held


def calls_split(names: list[str]) -> tuple[list[str], list[str]]:
    """12 speakers of calls-dev may be learned from, the others only judge."""
    names = sorted(names)
    random.Random(14).shuffle(names)
    return names[:12], names[12:]


_phone: Phone | None = None
_speech: np.ndarray | None = None


def start_worker(libs: str, noise_files: list[tuple[str, int]], rooms: list[np.ndarray], speech: str) -> None:
    global _phone, _speech
    torch.set_num_threads(1)
    noise = np.concatenate([np.fromfile(f, "<i2", count=n) for f, n in noise_files]) if noise_files else np.zeros(0, np.int16)
    _phone = Phone(libs, noise, rooms)
    _speech = np.memmap(speech, dtype="<i2", mode="r")


def send(x: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    try:
        return _phone(x, rng)
    except Exception:  # a coder that refuses a stretch: the stretch stays as it is
        return np.array(x)


def one_class(job: tuple[int, int, int, int]) -> tuple[int, int, np.ndarray]:
    """(class, first sample, samples, seed) -> the class's speech in stretches of 3 to 8 s, each through its own telephone."""
    label, first, count, seed = job
    rng = np.random.default_rng(seed)
    out, at = [], 0
    while at < count:
        n = int(rng.uniform(3, 8) * SAMPLE_RATE)
        n = count - at if count - at - n < SAMPLE_RATE else n
        out.append(send(_speech[first + at:first + at + n], rng))
        at += n
    return label, first, np.concatenate(out)


def one_clip(job: tuple[np.ndarray, int]) -> np.ndarray:
    return send(job[0], np.random.default_rng(job[1]))


def read_rooms(folder: str) -> list[np.ndarray]:
    out = []
    for file in sorted(Path(folder).glob("*.wav")):
        with wave.open(str(file)) as w:
            out.append(np.frombuffer(w.readframes(w.getnframes()), "<i2").astype(np.float64) / 32768)
    return out


class Store(SpeechStore):
    """Adds telephone copies of every class; `ready` says which classes have one."""

    def add_copies(self, real: list[str], file: Path) -> None:
        """Real calls (speakers `real`) are their own copies. Writes all speech to `file` for the workers."""
        self.copy = self.wave.clone()
        self.is_call = torch.tensor([n in set(real) for n in self.names], device=self.device).repeat(self.speeds)
        self.ready = self.is_call.clone()
        self.wave.cpu().numpy().tofile(file)

    def jobs(self, turn: int) -> list[tuple[int, int, int, int]]:
        """One job per class that is no real call, normal speed first."""
        first, size, call = self.first.tolist(), self.size.tolist(), self.is_call.tolist()
        count = len(self.names)
        speeds = sorted(range(self.speeds), key=lambda s: abs(s - self.speeds // 2))
        labels = [s * count + i for s in speeds for i in range(count)]
        return [(k, first[k], size[k], 1_000_003 * turn + k) for k in labels if not call[k]]

    def both(self, labels: Tensor, position: Tensor, samples: int, more: int, share: float) -> tuple[Tensor, Tensor, Tensor]:
        """Crops, longer clean crops from the same places, and which rows of the first are telephone copies."""
        first, size = self.first[labels], self.size[labels]
        start = (position * size).long()
        index = first[:, None] + (start[:, None] + torch.arange(more, device=self.device)[None]) % size[:, None]
        longer = self.wave[index].float()
        phone = self.ready[labels] & ((torch.rand(len(labels), device=self.device) < share) | self.is_call[labels])
        rows = torch.where(phone)[0]
        crops = longer[:, :samples].clone()
        crops[rows] = self.copy[index[rows, :samples]].float()
        return crops, longer, phone


class Copier:
    """Keeps worker processes busy with copies of the store's classes until it is stopped."""

    def __init__(self, workers: int, settings: tuple):
        self.pool = multiprocessing.get_context("spawn").Pool(workers, start_worker, settings)
        self.ended, self.done = threading.Event(), 0

    def clips(self, audio: list[np.ndarray], seed: int) -> list[np.ndarray]:
        return self.pool.map(one_clip, [(np.array(x), seed + i) for i, x in enumerate(audio)], chunksize=4)

    def start(self, store: Store) -> None:
        threading.Thread(target=self._work, args=(store,), daemon=True).start()

    def _work(self, store: Store) -> None:
        for turn in itertools.count(1):
            for label, first, y in self.pool.imap_unordered(one_class, store.jobs(turn), chunksize=8):
                if self.ended.is_set():
                    return
                store.copy[first:first + len(y)] = torch.from_numpy(y).to(store.device)
                store.ready[label] = True
                self.done += 1

    def stop(self) -> None:
        self.ended.set()
        self.pool.terminate()
