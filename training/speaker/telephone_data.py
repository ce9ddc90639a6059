"""Data of speaker.telephone: packs as they arrive, who may be learned from, and copies of all speech sent through telephones."""

from __future__ import annotations

import json
import random
import wave
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from common.packs import Utterance, by_speaker
from speaker.data import HOLD_OUT, SpeechStore
from speaker.phone import Phone


@dataclass(frozen=True)
class Clip(Utterance):
    """An utterance and where its samples lie on disk."""

    file: str = ""
    at: int = 0

    def job(self, seed: int) -> tuple[str, int, int, int]:
        return self.file, self.at, len(self.samples), seed


def read_packs(folder: str, limit: int | None) -> dict[str, list[Clip]]:
    """All decoded packs by set; the parts of a split pack come together again."""
    sets: dict[str, list[Utterance]] = {}
    for header in sorted(Path(folder).glob("*.json")):
        raw_file = header.with_suffix(".raw")
        if not raw_file.exists():
            continue
        try:
            h = json.loads(header.read_text())
        except ValueError:
            continue
        raw, at, name = np.memmap(raw_file, dtype="<i2", mode="r"), 0, h["set"]
        if name not in ("cv", "so762", "libri", "gsc", "esc10", "places", "calls-dev"):
            continue
        for speaker, count in h["utts"][:limit]:
            sets.setdefault(name, []).append(Clip(name, f"{name}/{speaker}", raw[at:at + count], str(raw_file), at))
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


_phone = None


def start_worker(libs: str, noise_files: list[tuple[str, int]], rooms: list[np.ndarray]) -> None:
    global _phone
    torch.set_num_threads(1)
    noise = np.concatenate([np.fromfile(f, "<i2", count=n) for f, n in noise_files]) if noise_files else np.zeros(0, np.int16)
    _phone = Phone(libs, noise, rooms)


def one_call(job: tuple[str, int, int, int]) -> np.ndarray:
    file, at, count, seed = job
    x = np.fromfile(file, "<i2", count=count, offset=2 * at)
    try:
        return _phone(x, np.random.default_rng(seed))
    except Exception:
        return x


def many_calls(jobs: list) -> list[np.ndarray]:
    return [one_call(j) for j in jobs]


def read_rooms(folder: str) -> list[np.ndarray]:
    out = []
    for file in sorted(Path(folder).glob("*.wav")):
        with wave.open(str(file)) as w:
            out.append(np.frombuffer(w.readframes(w.getnframes()), "<i2").astype(np.float64) / 32768)
    return out


class Store(SpeechStore):
    """Adds copies that went through telephones, for the classes at normal speed."""

    def add_copies(self, copies: list[np.ndarray]) -> None:
        self.copies = [torch.from_numpy(c).to(self.device) for c in copies]
        middle = self.speeds // 2 * len(self.names)
        self.middle = (middle, middle + len(self.names))
        self.base = self.first[self.middle[0]]

    def both(self, labels: Tensor, position: Tensor, samples: int, more: int) -> tuple[Tensor, Tensor, Tensor]:
        """Clean crops, longer clean crops, and which rows were replaced in the first by telephone copies."""
        first, size = self.first[labels], self.size[labels]
        start = (position * size).long()
        index = first[:, None] + (start[:, None] + torch.arange(more, device=self.device)[None]) % size[:, None]
        longer = self.wave[index].float()
        crops = longer[:, :samples].clone()
        real = (labels >= self.middle[0]) & (labels < self.middle[1]) & (torch.rand(len(labels), device=self.device) < 0.6)
        for i, copy_ in enumerate(self.copies):
            rows = torch.where(real)[0][i::len(self.copies)]
            if len(rows):
                crops[rows] = copy_[index[rows, :samples] - self.base].float()
        return crops, longer, real
