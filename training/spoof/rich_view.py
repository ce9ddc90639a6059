"""Owns the view by all statistics that were found worth it (lab.py): hand-made ones, surprise, and a layer of the speaker network; four small networks over them, their mean. Made for serving: spectra that
several statistics look at are computed once, and everything can be exported."""
import math
import os
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

from learned_views import Surprise
from statistics_more import MoreStatistics
from statistics_view import Statistics

FRAME, SHIFT, FFT, MELS, LOG_FLOOR = 400, 160, 512, 80, 1.1920929e-07


def kaldi_basis():
    """The speaker network's spectrum as one matrix over the raw frame: mean removed, pre-emphasis, window, DFT. [2 * 257, 400]."""
    n = torch.arange(FRAME, dtype=torch.float64)
    centred = torch.eye(FRAME, dtype=torch.float64) - 1 / FRAME
    previous = torch.roll(torch.eye(FRAME, dtype=torch.float64), 1, 0)
    previous[0], previous[0, 0] = 0, 1
    previous = previous if previous[1, 0] == 1 else previous.t()
    shaped = (0.54 - 0.46 * torch.cos(2 * math.pi * n / (FRAME - 1)))[:, None] * (centred - 0.97 * previous @ centred)
    angle = 2 * math.pi * torch.arange(FFT // 2 + 1, dtype=torch.float64)[:, None] * n[None] / FFT
    return torch.cat([torch.cos(angle) @ shaped, torch.sin(angle) @ shaped]).float()


class SpeakerLayer(nn.Module):
    """Mean and spread over time of the speaker network's second block."""

    def __init__(self):
        super().__init__()
        sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
        from common.features import mel_matrix
        from speaker.ecapa import Res2Block
        self.c0, self.b0 = nn.Conv1d(MELS, 512, 5, padding=2), nn.BatchNorm1d(512)
        self.l = nn.ModuleList([Res2Block(512, 3, 2), Res2Block(512, 3, 3)])
        self.register_buffer("basis_frame", kaldi_basis()[:, None])
        self.register_buffer("basis_mel", mel_matrix()[None])

    def forward(self, wave):
        y = F.conv1d(wave[:, None], self.basis_frame, stride=SHIFT)
        half = FFT // 2 + 1
        x = (self.basis_mel @ (y[:, :half] * y[:, :half] + y[:, half:] * y[:, half:])).clamp_min(LOG_FLOOR).log()
        x = self.b0(F.relu(self.c0(x - x.mean(2, keepdim=True))))
        x = self.l[1](x + self.l[0](x))
        m = x.mean(2)
        return torch.cat([m, ((x * x).mean(2) - m * m).clamp_min(0).add(1e-5).sqrt()], 1)


class Rich(nn.Module):
    """The standardised statistics, [B, K]."""

    def __init__(self):
        super().__init__()
        self.base, self.more, self.surprise, self.speaker = Statistics(), MoreStatistics(), Surprise(), SpeakerLayer()
        self.register_buffer("mean", torch.zeros(4573)), self.register_buffer("sd", torch.ones(4573))

    def key(self):
        return (type(self),)

    def shared(self, wave):
        """One computation for spectra of the same kind."""
        kinds = {}
        for owner in (self.base, self.more, self.surprise):
            for name, part in owner.named_children():
                if hasattr(part, "parts") and not (owner is self.more and name == "low"):  # that one looks at another wave
                    kinds.setdefault((tuple(part.basis.shape), part.hop), []).append(part)
        for parts in kinds.values():
            given = parts[0].parts(wave)
            for p in parts:
                p.given = given
        return [p for parts in kinds.values() for p in parts]

    def forward(self, wave):
        parts = self.shared(wave)
        s = torch.cat([self.base(wave), *self.more(wave).values(), self.surprise(wave), self.speaker(wave)], 1)
        for p in parts:
            p.given = None
        return ((s - self.mean) / self.sd).clamp(-3.5, 3.5)


class Judged(nn.Module):
    """Four small networks over standardised statistics, their mean."""

    def __init__(self, spectrum, numbers, seeds=4, hidden=192, second=48):
        super().__init__()
        self.spectrum, self.seeds = spectrum, seeds
        self.a, self.b, self.c = nn.Linear(numbers, seeds * hidden), nn.Conv1d(seeds * hidden, seeds * second, 1, groups=seeds), nn.Linear(seeds * second, 1)

    def judge(self, s):
        return self.c(F.relu(self.b(F.relu(self.a(s))[:, :, None])[:, :, 0]))[:, 0]

    def forward(self, wave):
        return self.judge(self.spectrum(wave))

    def fill(self, net, scale):
        """Weights from what lab.py (`net`) and lab_table.py (`scale`) left."""
        self.spectrum.mean.copy_(scale["mean"][net["columns"]]), self.spectrum.sd.copy_(scale["sd"][net["columns"]])
        (ma, sa), (mb, sb) = net["norm"]
        a, b, c = net["a"].float(), net["b"].float(), net["c"].float()
        ga, gb = net["ga"] / sa, net["gb"] / sb  # [seeds, 1, width]: normalisation folded into the layers
        with torch.no_grad():
            self.a.weight.copy_((a * ga).permute(0, 2, 1).reshape(-1, a.shape[1])), self.a.bias.copy_((net["ba"] - ma * ga).reshape(-1))
            self.b.weight.copy_((b * gb).permute(0, 2, 1).reshape(-1, b.shape[1], 1)), self.b.bias.copy_((net["bb"] - mb * gb).reshape(-1))
            self.c.weight.copy_(c.reshape(1, -1) / len(c)), self.c.bias.copy_(net["bias"].mean().reshape(1))
        return self.eval()


class RichBranch(Judged):
    def __init__(self):
        super().__init__(Rich(), 4573)


def gathered(net, scale, surprise, speaker):
    """The branch's weights from what lab.py (`net`), lab_table.py (`scale`, `surprise`) and the speaker network's training left."""
    branch = RichBranch()
    branch.spectrum.surprise.load_state_dict(surprise)
    own = branch.spectrum.speaker.state_dict()
    branch.spectrum.speaker.load_state_dict({**own, **{k: v.float() if v.dtype == torch.float16 else v for k, v in speaker["net"].items() if k in own}})
    return branch.fill(net, scale)


if __name__ == "__main__":  # rich_view.py NET.pt SCALE.pt SURPRISE.pt SPEAKER.pt PAGES_ALL.pt OUT.pt: one checkpoint of what ships
    parts = [torch.load(p, map_location="cpu") for p in sys.argv[1:6]]
    kept = {k: (v.half() if v.dtype == torch.float32 else v) for k, v in gathered(*parts[:4]).state_dict().items() if "basis" not in k}
    torch.save({**{k: v for k, v in parts[4].items() if k.split("/")[1:2] in (["wide"], ["short"])}, "synthetic/rich/all": kept, "step": parts[4]["step"]}, sys.argv[6])
