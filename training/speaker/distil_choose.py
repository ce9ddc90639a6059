"""Chooses among the students of speaker.distil and calibrates the candidates, from the tables of prints that it wrote.

    python3 -m speaker.distil_choose --out DIR

Every pairing of an ECAPA and a telephone view is scored with several shares of the second, after score normalisation. The share is chosen
on held-out training speakers and on the twelve callers that may be learned from; the dev sets are written down and choose nothing.
The main pairings are then calibrated and evaluated like any model (`speaker.calibrate`, `speaker.evaluate`) under `DIR/candidates`.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import subprocess
import sys
from pathlib import Path

import numpy as np

from speaker.backend import Side, terms
from speaker.metrics import eer, min_dcf
from speaker.trials import Table

SHARES = (0.1, 0.15, 0.2, 0.3, 0.4)
HELD = (("clean", "clean"), ("tel8k", "tel8k"), ("noisy-any", "noisy-any"), ("clean", "tel8k"), ("noisy-tel8k", "noisy-tel8k"))
DEV = (("clean", "clean"), ("tel", "tel"), ("tel8k", "tel8k"), ("noisy-new", "noisy-new"))


def directions(rows: np.ndarray, kept: int) -> np.ndarray:
    """[kept, 128]: where the cohort's telephone views lie, so that cosines change least."""
    values, vectors = np.linalg.eigh(rows.T @ rows)
    print("kept by the projection:", kept, round(float(values[-kept:].sum() / values.sum()), 4), flush=True)
    return vectors[:, ::-1][:, :kept].T.copy()


def joined(a: np.ndarray, b: np.ndarray | None, project: np.ndarray | None, share: float) -> np.ndarray:
    a = a.astype(np.float64)
    return a if share == 0 else np.concatenate([(1 - share) ** 0.5 * a, share ** 0.5 * (b.astype(np.float64) @ project.T)], 1)


class Pairing:
    """Files of the tables, and figures for a share."""

    def __init__(self, out: Path):
        self.out = out
        self.index = json.loads((out / "index.json").read_text())
        self.calls = dict(np.load(out / "calls.npz"))  # read now: workers would share the open file
        self.owner = np.array([o.split("/")[-1] for o in self.calls["owner"]])
        self.cohort_rows = np.array([m["set"] == "cohort" for m in self.index])
        self.projections: dict[str, np.ndarray] = {}

    def rows(self, name: str) -> np.ndarray:
        return np.load(self.out / f"table-{name.split(':')[0]}.npy")

    def projection(self, name: str) -> np.ndarray:
        if name not in self.projections:
            self.projections[name] = directions(self.rows(name)[self.cohort_rows].astype(np.float64), int(name.split(":")[1]))
        return self.projections[name]

    def table(self, own: str, view: str, share: float) -> Path:
        path = self.out / "pairs" / f"{own}-{view}-{share}.npy"
        path.parent.mkdir(exist_ok=True)
        if not path.exists():
            np.save(path, joined(self.rows(own), self.rows(view) if share else None, self.projection(view) if share else None, share).astype(np.float32))
        return path

    def figures(self, own: str, view: str, share: float) -> dict[str, list[float]]:
        table = Table(str(self.out / "index.json"), str(self.table(own, view, share)))
        cohort = table.cohort(200)
        out = {}
        pools = [(f"held {a}x{b}", table.single("held", a, b, cohort)) for a, b in HELD]
        for label, trials in pools:
            for t in trials:
                if t.corpus in ("cv", "so762"):
                    out[f"{t.corpus} {label}"] = rates(t.x[1][t.target], t.x[1][~t.target])
        for name in ("voxforge", "cvev"):
            for a, b in DEV:
                for t in table.single(name, a, b, cohort):
                    out[f"dev {name} {a}"] = rates(t.x[1][t.target], t.x[1][~t.target])
        prints = joined(self.calls[own], self.calls[view.split(":")[0]] if share else None, self.projection(view) if share else None, share)
        prints = prints / np.linalg.norm(prints, axis=1, keepdims=True)
        for label, who in (("calls-12", sorted(set(self.owner))), ("calls-unheard", sorted(set(self.owner))[1::2])):
            rows = np.isin(self.owner, who)
            side = Side(prints[rows], np.full(rows.sum(), 12.0), np.full(rows.sum(), 20.0), False, self.owner[rows])
            x = terms(side, side, cohort)
            upper = np.triu_indices(rows.sum(), 1)
            same = (side.owner[:, None] == side.owner[None])[upper]
            for kind, plane in (("", x[1]), (" cosine", x[2])):
                out[label + kind] = rates(plane[upper][same], plane[upper][~same])
        return out


def rates(target: np.ndarray, impostor: np.ndarray) -> list[float]:
    return [round(100 * eer(target, impostor), 3), round(min_dcf(target, impostor), 4)]


def cost(f: dict[str, list[float]]) -> float:
    """Logarithm of EER and minDCF, held-out corpora and calls alike."""
    of = lambda keys: np.mean([np.log(max(f[k][0], 0.2)) + np.log(max(f[k][1], 0.005)) for k in keys])
    return float(0.25 * of([k for k in f if k.startswith("cv ")]) + 0.25 * of([k for k in f if k.startswith("so762 ")]) + 0.5 * of(["calls-12", "calls-unheard"]))


_pairing: Pairing | None = None


def work(job: tuple[str, str, float]) -> tuple[tuple, dict]:
    try:
        return job, _pairing.figures(*job)
    except Exception as error:  # one broken candidate must not take the others along
        return job, {"error": repr(error)}


def calibrate(out: Path, own: str, view: str, share: float) -> subprocess.Popen:
    folder = out / "candidates" / (own if not share else f"{own}-{view}-{share}")
    folder.mkdir(parents=True, exist_ok=True)
    index, emb = str(out / "index.json"), str(out / "pairs" / f"{own}-{view}-{share}.npy")
    python = sys.executable
    command = (f"{python} -m speaker.calibrate --index {index} --emb {emb} --out {folder} --rule most > {folder}/log 2>&1 && "
               f"{python} -m speaker.evaluate --index {index} --calibration {folder} --out {folder}/evaluation.json --rounds 100 ours={emb} >> {folder}/log 2>&1")
    return subprocess.Popen(command, shell=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", required=True)
    parser.add_argument("--own", default="r2,a2,a2s,a3", help="the first is the shipped network")
    parser.add_argument("--view", default="b:64,b:48,bw:64,bw:48,peer:64,peer:128", help="NAME:DIRECTIONS")
    parser.add_argument("--workers", type=int, default=14)
    args = parser.parse_args()
    out = Path(args.out)
    global _pairing
    _pairing = Pairing(out)
    owns, views = args.own.split(","), args.view.split(",")
    for view in views:
        _pairing.projection(view)
    np.savez(out / "projections.npz", **_pairing.projections)
    singles = [(own, views[0], 0.0) for own in owns]
    jobs = [*singles, *((own, view, share) for own in owns for view in views for share in SHARES)]
    with multiprocessing.get_context("fork").Pool(args.workers) as pool:
        found = dict(pool.imap_unordered(work, jobs))
    (out / "choose.json").write_text(json.dumps({f"{o}+{v}@{s}": f for (o, v, s), f in sorted(found.items())}, indent=0))
    print("figures are written", flush=True)
    running = [calibrate(out, *job) for job in singles]
    for own in owns:
        for view in views:
            good = [(cost(found[job]), job) for job in found if job[0] == own and job[1] == view and job[2] and "error" not in found[job]]
            if good and not view.startswith("peer"):
                print("chosen", own, view, min(good), flush=True)
                running.append(calibrate(out, *min(good)[1]))
    for p in running:
        p.wait()
    (out / "chosen").write_text("done\n")
    print("calibrated", flush=True)


if __name__ == "__main__":
    main()
