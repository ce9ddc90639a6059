"""Trials from embedded evaluation audio: single utterances against each other, and templates of three."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from common.packs import SAMPLE_RATE
from speaker.backend import Cohort, Side, terms, unit

# The utterances are trimmed at both ends, but keep their pauses. The product's detector of speech finds so much of them
# (90 held-out utterances each: 0.81 clean, 0.79 telephone, 0.83 noisy; Common Voice 0.82, speechocean762 0.78, LibriSpeech 0.92).
DETECTED_SHARE = 0.8


@dataclass(frozen=True)
class Trials:
    name: str
    corpus: str
    x: np.ndarray  # [13, n]
    target: np.ndarray  # bool [n]


class Table:
    """audio.json beside the embeddings of one network."""

    def __init__(self, index_file: str, emb_file: str, seconds: list[float] | None = None):
        """`seconds`: the lengths to which the utterances were cut before they were embedded."""
        self.index = json.loads(Path(index_file).read_text())
        for m in self.index if seconds else []:
            m["samples"] = int(SAMPLE_RATE * max(s for s in seconds if s * SAMPLE_RATE <= max(m["samples"], SAMPLE_RATE)))
        self.emb = unit(np.load(emb_file).astype(np.float64))
        self.rows: dict[tuple[str, str], np.ndarray] = {}
        for i, m in enumerate(self.index):
            self.rows.setdefault((m["set"], m["condition"]), []).append(i)
        self.rows = {k: np.array(v) for k, v in self.rows.items()}

    def column(self, rows: np.ndarray, name: str) -> np.ndarray:
        return np.array([self.index[i][name] for i in rows])

    def cohort(self, top_n: int, min_sd: float = 0.02, twins: float = 0.68) -> Cohort:
        """Mean embeddings of the cohort's speakers; of two that look like one person under two ids, the first stays."""
        blocks = []
        for condition in ("clean", "tel8k"):
            rows = self.rows[("cohort", condition)]
            owner = self.column(rows, "speaker")
            blocks.append(unit(np.stack([self.emb[rows[owner == n]].mean(0) for n in sorted(set(owner))])))
        alike = np.triu(blocks[0] @ blocks[0].T, 1) > twins
        keep = ~alike.any(0)
        return Cohort(blocks[0][keep], blocks[1][keep], top_n, min_sd)

    def corpora(self, name: str) -> list[str]:
        """The corpora that a set is made of; impostors always come from the speaker's own corpus."""
        rows = next(rows for (set_name, _), rows in self.rows.items() if set_name == name)
        return sorted({s.split("/")[0] for s in self.column(rows, "speaker")})

    def side(self, name: str, condition: str, corpus: str) -> tuple[Side, np.ndarray]:
        """The utterances of a corpus of a set under a condition, and their utterance numbers."""
        rows = self.rows[(name, condition)]
        rows = rows[[s.startswith(corpus + "/") for s in self.column(rows, "speaker")]]
        side = Side(self.emb[rows], DETECTED_SHARE * self.column(rows, "samples") / SAMPLE_RATE, self.column(rows, "snr_db"),
                    bool(self.index[rows[0]]["narrow"]), self.column(rows, "speaker"))
        return side, self.column(rows, "utt")

    def templates(self, name: str, condition: str, corpus: str, size: int = 3) -> tuple[Side, set[int]]:
        """One template per speaker from its first utterances, and the utterance numbers it used."""
        side, utt = self.side(name, condition, corpus)
        emb, net, snr, owner, used = [], [], [], [], set()
        for speaker in sorted(set(side.owner)):
            rows = np.flatnonzero(side.owner == speaker)[:size]
            if len(rows) < size:
                continue
            weight = np.clip(side.net[rows], 0.5, 30)
            emb.append(unit((side.emb[rows] * weight[:, None]).sum(0)))
            net.append(side.net[rows].sum())
            snr.append((side.snr[rows] * weight).sum() / weight.sum())
            owner.append(speaker)
            used |= set(utt[rows].tolist())
        return Side(np.stack(emb), np.array(net), np.array(snr), side.narrow, np.array(owner)), used

    def single(self, name: str, a: str, b: str, cohort: Cohort) -> list[Trials]:
        """Every utterance under condition a against every other one under condition b, one entry per corpus."""
        out = []
        for corpus in self.corpora(name):
            first, utt_a = self.side(name, a, corpus)
            second, utt_b = self.side(name, b, corpus)
            x = terms(first, second, cohort)
            keep = utt_a[:, None] < utt_b[None] if a == b else utt_a[:, None] != utt_b[None]
            same = first.owner[:, None] == second.owner[None]
            out.append(Trials(f"{name}:{a}x{b}", corpus, x[:, keep], same[keep]))
        return out

    def enrolled(self, name: str, a: str, b: str, cohort: Cohort) -> list[Trials]:
        """Templates of three utterances under condition a against the other utterances under condition b."""
        out = []
        for corpus in self.corpora(name):
            first, used = self.templates(name, a, corpus)
            second, utt = self.side(name, b, corpus)
            keep = np.array([u not in used for u in utt])
            second = Side(second.emb[keep], second.net[keep], second.snr[keep], second.narrow, second.owner[keep])
            x = terms(first, second, cohort)
            same = first.owner[:, None] == second.owner[None]
            out.append(Trials(f"{name}:3*{a}x{b}", corpus, x.reshape(len(x), -1), same.ravel()))
        return out
