"""Tables of prints by students that speaker.distil saved, for speaker.distil_choose (speaker.distil makes the same ones at its end).

    python3 -m speaker.distil_tables --packs DIR --audio DIR --peer peer.npz --start PT --out DIR a2.pt a3.pt b.pt ...

`--audio` holds what speaker.conditions rendered; the packs' calls-dev gives the real calls of those who may be learned from.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import torch
from torch import nn

from common.features import LogMel
from common.packs import by_speaker
from speaker.distil_judge import table
from speaker.model import load, load_prototype
from speaker.telephone_data import calls_split, read_packs
from speaker.telephone_judge import Clips
from speaker.xvector import XVector


def write_tables(nets: dict[str, nn.Module], calls: tuple[list[str], list[np.ndarray]], audio: Path, out: Path, say) -> None:
    """`calls.npz` and `table-NAME.npy` by each network; the one named `peer` hears waveforms. `calls`: owners and clips."""
    device = next(iter(nets["r2"].parameters())).device
    logmel = LogMel().to(device)
    index = json.loads((audio / "audio.json").read_text())
    (out / "index.json").write_text(json.dumps(index))
    small = {"owner": np.array(calls[0])}
    real = Clips(np.concatenate([np.array(x) for x in calls[1]]), [len(x) for x in calls[1]], calls[0], device)
    rendered = Clips(np.fromfile(audio / "audio.raw", "<i2"), [m["samples"] for m in index], [m["speaker"] for m in index], device)
    for name, net in nets.items():
        features = None if name == "peer" else logmel
        small[name] = table(real, net, features)
        np.save(out / f"table-{name}.npy", table(rendered, net, features).astype(np.float16))
        say("table", name)
    np.savez(out / "calls.npz", **small)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for name in ("packs", "audio", "peer", "start", "out"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("nets", nargs="*")
    args = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    nets = {"r2": load_prototype(args.start).to(device), **{Path(f).stem: load(f, device) for f in args.nets}, "peer": XVector(args.peer).to(device).eval()}
    calls = by_speaker(read_packs([args.packs], None)["calls-dev"])
    learn = calls_split(sorted(calls))[0] if len(calls) > 12 else sorted(calls)
    clips = ([n for n in learn for _ in calls[n]], [u.samples for n in learn for u in calls[n]])
    write_tables(nets, clips, Path(args.audio), Path(args.out), lambda *a: print(*a, flush=True))


if __name__ == "__main__":
    main()
