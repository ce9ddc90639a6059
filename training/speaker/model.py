"""Speaker embedding networks by name: `build(spec)` makes one from the plain dictionary that is stored in every checkpoint, `load` reads it with its weights."""

from __future__ import annotations

import torch
from torch import nn

from speaker.ecapa import Ecapa
from speaker.resnet import ResNet
from speaker.students import Dual, PhoneView, SlowEcapa

FAMILIES = {"ecapa": Ecapa, "resnet": ResNet, "ecapa-slow": SlowEcapa, "phone-view": PhoneView, "dual": Dual}


def build(spec: dict) -> nn.Module:
    """`{"family": "resnet", "width": 32, ...}` -> network."""
    options = {k: v for k, v in spec.items() if k != "family"}
    return FAMILIES[spec["family"]](**options)


def load(path: str, device: str = "cpu") -> nn.Module:
    """A network from one of our checkpoints, ready to evaluate."""
    checkpoint = torch.load(path, map_location=device, weights_only=False)
    net = build(checkpoint["spec"])
    net.load_state_dict({k: v.float() if v.dtype == torch.float16 else v for k, v in checkpoint["net"].items()})
    return net.to(device).eval()


def load_prototype(path: str) -> nn.Module:
    """The prototype's weights (ECAPA, 512 channels), stored as fp16 without a specification."""
    checkpoint = torch.load(path, map_location="cpu", weights_only=False)
    net = Ecapa()
    net.load_state_dict({k: v.float() if v.dtype == torch.float16 else v for k, v in checkpoint["net"].items()})
    return net.eval()
