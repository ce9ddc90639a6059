"""Students of speaker.distil with their optimisers, losses and running averages."""

from __future__ import annotations

import copy
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from speaker.ecapa import Ecapa
from speaker.losses import AngularMargin, pair_loss, similarity_loss
from speaker.students import PhoneView, slow_from
from speaker.telephone_nets import OWN_DIM, run

TEACHER_RMS = 1500.0  # the x-vector network's idea of speech depends on the level; its student cannot hear that
LEAST_GAIN = 0.02  # of a normalisation: the product takes a layer's normalisation in only where no factor is negative


def level(x: Tensor) -> Tensor:
    return x * (TEACHER_RMS / x.pow(2).mean(1, keepdim=True).sqrt().clamp_min(1.0))


class Student:
    def __init__(self, spec: dict, net: nn.Module, device: str, extra: list[nn.Parameter]):
        self.name, self.spec, self.skipped = spec["name"], spec, 0
        self.net = net.to(device).train().requires_grad_(True)
        self.average = copy.deepcopy(self.net).eval().requires_grad_(False)
        params = [*self.net.parameters()]
        groups = [{"params": [p for p in params if p.ndim > 1] + extra, "weight_decay": spec.get("decay", 0.01)},
                  {"params": [p for p in params if p.ndim <= 1], "weight_decay": 0.0}]
        self.optimiser = torch.optim.AdamW(groups, lr=spec["lr"], betas=(0.9, 0.98), **({"fused": True} if device == "cuda" else {}))
        self.gains = [m.weight for m in self.net.modules() if isinstance(m, nn.BatchNorm1d)]
        self.old = [v for v in self.average.state_dict().values() if v.dtype.is_floating_point]
        self.new = [v for v in self.net.state_dict().values() if v.dtype.is_floating_point]
        self.shown = torch.zeros(1, device=device)

    def step(self, loss: Tensor, factor: float, decay: float) -> None:
        for group in self.optimiser.param_groups:
            group["lr"] = self.spec["lr"] * factor + 1e-6
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        if not bool(torch.isfinite(norm + loss.detach())):
            self.skipped += 1
            return
        self.optimiser.step()
        with torch.no_grad():
            for gain in self.gains:
                gain.clamp_(min=LEAST_GAIN)
            torch._foreach_mul_(self.old, decay)
            torch._foreach_add_(self.old, self.new, alpha=1 - decay)

    def write(self, out: Path, step: int, spec: dict) -> None:
        half = {k: v.half().cpu() if v.dtype == torch.float32 else v.cpu() for k, v in self.average.state_dict().items()}
        path = out / f"{self.name}.pt"
        torch.save({"net": half, "spec": spec, "step": step}, path.with_suffix(".tmp"))
        path.with_suffix(".tmp").rename(path)


class SlowStudent(Student):
    """ECAPA at a lower frame rate; teacher: the shipped network."""

    teacher = 0

    def __init__(self, spec: dict, start: Ecapa, head: Tensor, device: str):
        self.head = AngularMargin(len(head), OWN_DIM).to(device)
        self.head.weight.data.copy_(head)
        super().__init__(spec, slow_from(start, spec["stack"]), device, [self.head.weight] if spec["spk"] else [])

    def loss(self, batch: dict, config: dict) -> Tensor:
        e = F.normalize(run(self.net, batch["feats"]), dim=1)
        far = 1 - (e * batch["same"]).sum(1).mean()
        sim = similarity_loss(e, batch["clean"] @ batch["clean"].t())
        shown = [far.detach(), sim.detach()]
        loss = self.spec["same"] * far + self.spec["distil"] * sim
        if self.spec["spk"]:
            known, labels = batch["known"], batch["labels"]
            spk, accuracy = self.head(e[known], labels[known], self.spec["margin"])
            loss = loss + self.spec["spk"] * (spk + config["pair_weight"] * pair_loss(e[known], labels[known]))
            shown += [spk.detach(), accuracy]
        self.shown = torch.stack(shown)
        return loss

    def save(self, out: Path, step: int) -> None:
        self.write(out, step, {"family": "ecapa-slow", "stack": self.spec["stack"]})


class PhoneStudent(Student):
    """The telephone view; teacher: the x-vector network."""

    teacher = 1

    def __init__(self, spec: dict, device: str):
        super().__init__(spec, PhoneView(**spec["net"]), device, [])

    def loss(self, batch: dict, config: dict) -> Tensor:
        q = F.normalize(run(self.net, batch["feats"]), dim=1)
        far = 1 - (q * batch["peer"]).sum(1).mean()
        sim = similarity_loss(q, batch["peer"] @ batch["peer"].t())
        self.shown = torch.stack([far.detach(), sim.detach()])
        return self.spec["cos"] * far + self.spec["sim"] * sim

    def save(self, out: Path, step: int) -> None:
        self.write(out, step, {"family": "phone-view", **self.spec["net"]})
