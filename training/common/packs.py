"""Speech packs: `X.raw` (s16le samples of all utterances in order) beside `X.json`.

`X.json` is `{"set": name, "kind": "train" | "eval" | "noise", "utts": [[speaker, samples], ...]}`.
The `.raw` files come from the Opus packs through `unpack` (see training/decode.sh).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

SAMPLE_RATE = 16000


@dataclass(frozen=True)
class Utterance:
    corpus: str
    speaker: str
    samples: np.ndarray  # int16, 16 kHz

    @property
    def seconds(self) -> float:
        return len(self.samples) / SAMPLE_RATE


def load_pack(stem: Path) -> tuple[str, list[Utterance]]:
    """Reads one pack; returns its kind and its utterances."""
    header = json.loads(Path(f"{stem}.json").read_text())
    raw = np.memmap(f"{stem}.raw", dtype="<i2", mode="r")
    utterances, offset = [], 0
    for speaker, count in header["utts"]:
        name = f"{header['set']}/{speaker}"
        utterances.append(Utterance(header["set"], name, raw[offset:offset + count]))
        offset += count
    if offset != len(raw):
        raise ValueError(f"{stem}: {len(raw)} samples, {offset} announced")
    return header["kind"], utterances


def load_folder(folder: str, limit: int | None = None) -> dict[str, list[Utterance]]:
    """All packs of a folder by kind. `limit` keeps only the first utterances of each pack (for trials of the scripts)."""
    kinds: dict[str, list[Utterance]] = {"train": [], "eval": [], "noise": []}
    for header in sorted(Path(folder).glob("*.json")):
        if not header.with_suffix(".raw").exists():
            continue
        kind, utterances = load_pack(header.with_suffix(""))
        kinds.setdefault(kind, []).extend(utterances[:limit])
    return kinds


def by_speaker(utterances: list[Utterance]) -> dict[str, list[Utterance]]:
    groups: dict[str, list[Utterance]] = {}
    for utterance in utterances:
        groups.setdefault(utterance.speaker, []).append(utterance)
    return groups
