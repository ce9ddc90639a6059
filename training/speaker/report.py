"""Markdown tables from the figures of evaluate.py: python3 -m speaker.report evaluation.json"""

from __future__ import annotations

import json
import sys
from pathlib import Path

TABLE = {"voxforge:clean": 2.34, "voxforge:3s": 2.45, "voxforge:tel": 3.25, "voxforge:noisy": 4.20,
         "cvev:clean": 5.30, "cvev:3s": 5.60, "cvev:tel": 6.61, "cvev:noisy": 7.43}


def cell(row: dict) -> str:
    return f"{100 * row['eer']:.2f} [{100 * row['low']:.2f}, {100 * row['high']:.2f}]"


def main() -> None:
    figures = json.loads(Path(sys.argv[1]).read_text())
    print("| Trials | prototype's table | prototype, cosine | prototype, as-norm | ours, cosine | ours, as-norm | ours, LLR |\n" + "|---" * 7 + "|")
    for key, nets in figures.items():
        ours, old = nets["ours"], nets.get("prototype")
        before = (cell(old["cosine"]), cell(old["asnorm"])) if old else ("-", "-")
        print(f"| {key.replace('cvev', 'commonvoice-dev')} | {TABLE.get(key, '-')} | {before[0]} | {before[1]} | "
              f"{cell(ours['cosine'])} | {cell(ours['asnorm'])} | **{cell(ours['llr'])}** |")
    print("\n| Trials | target / impostor | minDCF(0.01) | prototype's (cosine) | Cllr | FAR at 1 % | at 0.1 % | at 0.01 % | missed at these |\n" + "|---" * 9 + "|")
    for key, nets in figures.items():
        row, old = nets["ours"]["llr"], nets.get("prototype")
        far = " | ".join(f"{100 * f['far']:.3g} %" for f in row["far"])
        missed = " / ".join(f"{100 * f['frr']:.1f} %" for f in row["far"])
        before = old["cosine"]["min_dcf"] if old else "-"
        print(f"| {key.replace('cvev', 'commonvoice-dev')} | {row['target']} / {row['impostor']} | {row['min_dcf']:.3f} | {before} | "
              f"{row['cllr']:.3f} | {far} | {missed} |")


if __name__ == "__main__":
    main()
