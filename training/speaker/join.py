"""Joins an ECAPA and a telephone view (checkpoints of speaker.distil) to one network with one output.

    python3 -m speaker.join --own a2.pt --view b.pt --projections projections.npz --kept 64 --share 0.2 --out dual.pt

`projections.npz` holds the directions that speaker.distil_choose kept of each view, found on the cohort of training speakers.
"""

from __future__ import annotations

import argparse

import numpy as np
import torch

from speaker.model import build


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for name in ("own", "view", "projections", "out"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--kept", type=int, default=64)
    parser.add_argument("--share", type=float, required=True)
    args = parser.parse_args()
    own, view = (torch.load(f, map_location="cpu", weights_only=False) for f in (args.own, args.view))
    options = [{k: v for k, v in c["spec"].items() if k != "family"} for c in (own, view)]
    spec = {"family": "dual", "share": args.share, "slow": options[0], "phone": options[1], "kept": args.kept}
    name = args.view.split("/")[-1].removesuffix(".pt")
    keep = torch.from_numpy(np.load(args.projections)[f"{name}:{args.kept}"]).half()
    state = {**{f"slow.{k}": v for k, v in own["net"].items()}, **{f"phone.{k}": v for k, v in view["net"].items()}, "keep.weight": keep}
    build(spec).load_state_dict({k: v.float() if v.dtype == torch.float16 else v for k, v in state.items()})
    torch.save({"net": state, "spec": spec}, args.out)


if __name__ == "__main__":
    main()
