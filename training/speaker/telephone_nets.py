"""What speaker.telephone trains: one candidate with its optimiser and running average, and arithmetic that was tried first."""

from __future__ import annotations

import copy
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from speaker.losses import AngularMargin
from speaker.model import Ecapa, TwoHeads

OWN_DIM, PEER_DIM = 192, 128  # of the two outputs


MODE = {"bf16": True}


def run(net: nn.Module, feats: Tensor):
    """The network's raw outputs in fp32."""
    device = feats.device.type
    with torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda" and MODE["bf16"]):
        out = net(feats)
    return tuple(o.float() for o in out) if isinstance(out, tuple) else out.float()


def embed(net: nn.Module, feats: Tensor):
    """The network's outputs, of length one."""
    out = run(net, feats)
    return tuple(F.normalize(o, dim=1) for o in out) if isinstance(out, tuple) else F.normalize(out, dim=1)


@torch.no_grad()
def choose_arithmetic(net: nn.Module, say) -> None:
    """The first setting whose embeddings equal plain fp32 ones, for the lengths that training uses and odd ones."""
    torch.manual_seed(0)
    sets = [torch.randn(b, t, 80, device="cuda") * 3 for b, t in ((340, 198), (220, 318), (160, 418), (1, 301), (1, 477), (64, 398))]
    torch.backends.cudnn.enabled = False
    torch.backends.cuda.matmul.allow_tf32 = False
    MODE["bf16"] = False
    want = [torch.cat([embed(net, c) for c in x.split(32)]) for x in sets]
    say("reference finite", [bool(torch.isfinite(w).all()) for w in want])
    settings = ((True, True, True, True), (True, False, True, False), (True, True, False, True), (True, False, False, False), (False, False, True, True), (False, False, False, True))
    for cudnn, benchmark, bf16, tf32 in settings:
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


class Member:
    """One candidate: weights in training, their running average, and who of the real callers it may hear."""

    def __init__(self, spec: dict, start: Ecapa, head: Tensor, device: str):
        self.name, self.spec, self.skipped = spec["name"], spec, 0
        self.net = TwoHeads(copy.deepcopy(start)).to(device).train().requires_grad_(True)
        self.average = copy.deepcopy(self.net).eval().requires_grad_(False)
        self.head = AngularMargin(len(head), OWN_DIM).to(device)
        self.head.weight.data.copy_(head)
        trunk = list(self.net.net.parameters())
        groups = [{"params": [p for p in trunk if p.ndim > 1], "weight_decay": 0.05, "scale": 1.0},
                  {"params": [p for p in trunk if p.ndim <= 1], "weight_decay": 0.0, "scale": 1.0},
                  {"params": list(self.net.peer.parameters()), "weight_decay": 0.01, "scale": 2.0},
                  {"params": [self.head.weight], "weight_decay": 0.01, "scale": 1.0}]
        extra = {"fused": True} if device == "cuda" else {}
        self.optimiser = torch.optim.AdamW(groups, lr=spec["lr"], betas=(0.9, 0.98), **extra)
        self.shown = torch.zeros(4, device=device)
        self.old = [v for v in self.average.state_dict().values() if v.dtype.is_floating_point]
        self.new = [v for v in self.net.state_dict().values() if v.dtype.is_floating_point]

    def step(self, loss: Tensor, factor: float, decay: float) -> None:
        for group in self.optimiser.param_groups:
            group["lr"] = (self.spec["lr"] * factor + 1e-6) * group["scale"]
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        if not bool(torch.isfinite(norm + loss.detach())):
            self.skipped += 1
            return
        self.optimiser.step()
        with torch.no_grad():
            torch._foreach_mul_(self.old, decay)
            torch._foreach_add_(self.old, self.new, alpha=1 - decay)


def blend(parts: list[tuple[float, dict]]) -> dict:
    """Weighted mean of the floating-point entries of several states, the others from the first."""
    first = parts[0][1]
    return {k: sum(w * s[k].float() for w, s in parts) if v.dtype.is_floating_point else v for k, v in first.items()}


def save(state: dict, path: Path, extra: dict) -> None:
    half = {k: v.half().cpu() if v.dtype == torch.float32 else v.cpu() for k, v in state.items()}
    torch.save({"net": half, "spec": {"family": "ecapa-print", "channels": 512}, **extra}, path.with_suffix(".tmp"))
    path.with_suffix(".tmp").rename(path)
