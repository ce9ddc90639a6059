"""Owns a network that makes spectra: from units of speech (k-means over the frames of a published word encoder), a voice and, where it is told them, pitch and loudness, it goes from noise to a log mel spectrum
by flow matching, as text-to-speech of 2023 and later does. In one step it gives what a regression would (the mean of all that is possible: over-smooth), in many steps what diffusion gives; a part of the true spectrum may go
before it as a prompt, and what it made may be made again around parts that stay (masked generation).
"""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

from neural_vocoders import log_mel

BANDS, VOICE = 100, 256
BOOKS = ((2, 200, 2), (2, 500, 1), (2, 2000, 1), (1, 1000, 1))  # layer, units, frames of 20 ms for each unit
RATES = (16000, 22050, 24000)


def attend(q, k, v):
    if hasattr(F, "scaled_dot_product_attention"):
        return F.scaled_dot_product_attention(q, k, v)
    return torch.softmax(q @ k.transpose(2, 3) * q.shape[3] ** -0.5, -1) @ v


class Step(nn.Module):
    """A convolution along time (which also tells places), attention, two layers; shifted and scaled by the time of the flow."""

    def __init__(self, c, heads):
        super().__init__()
        self.heads, self.conv = heads, nn.Conv1d(c, c, 15, padding=7, groups=c)
        self.n1, self.n2 = nn.LayerNorm(c, elementwise_affine=False), nn.LayerNorm(c, elementwise_affine=False)
        self.qkv, self.out, self.a, self.b = nn.Linear(c, 3 * c), nn.Linear(c, c), nn.Linear(c, 4 * c), nn.Linear(4 * c, c)
        self.own = nn.Parameter(torch.cat([torch.zeros(4, c), 0.2 * torch.ones(2, c)]))

    def forward(self, x, when):
        s1, m1, s2, m2, g1, g2 = (self.own[None] + when).unbind(1)
        x = x + self.conv(x.transpose(1, 2)).transpose(1, 2)
        y = self.n1(x) * (1 + m1[:, None]) + s1[:, None]
        n, t, c = y.shape
        q, k, v = self.qkv(y).reshape(n, t, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4)
        x = x + g1[:, None] * self.out(attend(q, k, v).transpose(1, 2).reshape(n, t, c))
        y = self.n2(x) * (1 + m2[:, None]) + s2[:, None]
        return x + g2[:, None] * self.b(F.gelu(self.a(y)))


class SpectrumFlow(nn.Module):
    def __init__(self, c=512, depth=8, heads=8):
        super().__init__()
        self.units = nn.ModuleList([nn.Embedding(k + 1, c) for _, k, _ in BOOKS])  # the last unit: nothing is told
        self.course, self.rate = nn.Conv1d(4, c, 5, padding=2), nn.Embedding(len(RATES), c)
        self.voice = nn.Sequential(nn.Conv1d(BANDS, VOICE, 5, padding=2), nn.GELU(), nn.Conv1d(VOICE, VOICE, 5, padding=2), nn.GELU())
        self.lift, self.pre = nn.Linear(2 * VOICE, c), nn.Linear(2 * BANDS + 1, c)
        self.time, self.turn = nn.Sequential(nn.Linear(64, c), nn.SiLU(), nn.Linear(c, c), nn.SiLU()), nn.Linear(c, 6 * c)
        nn.init.zeros_(self.turn.weight), nn.init.zeros_(self.turn.bias)
        self.body, self.norm, self.post = nn.ModuleList([Step(c, heads) for _ in range(depth)]), nn.LayerNorm(c), nn.Linear(c, BANDS)
        self.register_buffer("mean", torch.zeros(BANDS, 1)), self.register_buffer("sd", torch.ones(BANDS, 1))

    def tell(self, book, units, course, reference, rate, frames):
        """What is known of a spectrum of so many frames, [B, T, c]. `course`: pitch, voicing, loudness and whether they are told, [B, 4, T]; `reference`: a piece of spectrum of the same voice."""
        u = F.interpolate(self.units[book](units).transpose(1, 2), size=frames, mode="nearest")
        r = self.voice(reference)
        r = self.lift(torch.cat([r.mean(2), (r.var(2) + 1e-4).sqrt()], 1))
        return (u + self.course(course)).transpose(1, 2) + r[:, None] + self.rate.weight[rate]

    def untold(self, told, rate):
        """The same without words, voice and pitch, for guidance."""
        return self.units[0].weight[-1].expand_as(told) + self.rate.weight[rate]

    def forward(self, z, t, told, context, mask):
        """z, context: [B, BANDS, T]; mask: [B, 1, T], 1 where the context is given. Gives the velocity."""
        e = t[:, None] * math.pi * 2 ** torch.linspace(0, 8, 32, device=z.device)[None]
        when = self.turn(self.time(torch.cat([e.sin(), e.cos()], 1))).reshape(len(z), 6, -1)
        x = self.pre(torch.cat([z, context * mask, mask], 1).transpose(1, 2)) + told
        for step in self.body:
            x = step(x, when)
        return self.post(self.norm(x)).transpose(1, 2)

    def loss(self, mel, told, rate, mask, p_untold=0.15):
        """`mel`: standardised. What lies under the mask is context and is not asked for."""
        n = len(mel)
        t, noise = torch.sigmoid(torch.randn(n, device=mel.device) * 1.2), torch.randn_like(mel)
        t = torch.where(torch.rand(n, device=mel.device) < 0.15, 0.0, t)  # the very beginning is what single steps live on
        s, drop = t[:, None, None], torch.rand(n, 1, 1, device=mel.device) < p_untold
        told, mask = torch.where(drop, self.untold(told, rate), told), torch.where(drop, 0.0, mask)
        v = self((1 - s) * noise + s * mel, t, told, mel, mask).float()
        return ((v - (mel - noise)).pow(2) * (1 - mask)).mean()


@torch.no_grad()
def generate(net, told, untold, context, mask, how):
    """A spectrum outside the mask; `how`: steps, guidance, heat (spread of the noise), sway (more of the steps at the beginning)."""
    z = how["heat"] * torch.randn_like(context)
    t = torch.linspace(0, 1, how["steps"] + 1)
    t = (t + how["sway"] * (torch.cos(math.pi / 2 * t) - 1 + t)).tolist()
    for a, b in zip(t[:-1], t[1:]):
        now = torch.full((len(z),), a, device=z.device)
        v = net(z, now, told, context, mask)
        if how["guidance"]:
            v = v + how["guidance"] * (v - net(z, now, untold, torch.zeros_like(context), torch.zeros_like(mask)))
        z = z + (b - a) * v
    return torch.where(mask > 0, context, z)


def piece(n, frames, low, high, dev):
    """One stretch of each recording, [n, 1, frames], 1 inside it."""
    size = (low + (high - low) * torch.rand(n, 1, device=dev)) * frames
    first = torch.rand(n, 1, device=dev) * (frames - size)
    at = torch.arange(frames, device=dev)[None]
    return ((at >= first) & (at < first + size)).float()[:, None]


def pieces(n, frames, share, dev, width=12):
    """Scattered stretches, about `share` of all frames."""
    some = (torch.rand(n, 1, frames // width + 1, device=dev) < share).float()
    return some.repeat_interleave(width, 2)[:, :, :frames]


@torch.no_grad()
def whole(net, told, untold, true, how):
    """A spectrum in which no frame is the true one. `how["mode"]`: plain; prompt: a stretch of the true one goes before, then that stretch is made with what was made around it; masked: made again around what stays, three times."""
    n, _, frames = true.shape
    none = torch.zeros(n, 1, frames, device=true.device)
    if how["mode"] == "prompt":
        m = piece(n, frames, 0.25, 0.5, true.device)
        made = generate(net, told, untold, true, m, how)
        return generate(net, told, untold, made, 1 - m, how)
    made = generate(net, told, untold, true, none, how)
    for _ in range(3 if how["mode"] == "masked" else 0):
        made = generate(net, told, untold, made, pieces(n, frames, 0.5, true.device), how)
    return made


def draw_how(rng):
    return {"mode": rng.choice(("plain", "plain", "prompt", "prompt", "masked")), "steps": rng.choice((1, 2, 4, 8, 8, 16, 16, 32)), "guidance": rng.choice((0, 0.5, 1.0, 2.0)),
            "heat": rng.choice((0.7, 0.85, 1.0, 1.0)), "sway": rng.choice((0, 0, -1.0))}


def spectrum(u):
    return log_mel(u, BANDS, 8000)


@torch.no_grad()
def units_of(encoder, books, x, book):
    """Units of waves of 4 s in units of 16-bit samples: the nearest middle to each frame (less the recording's mean)."""
    layer, _, step = BOOKS[book]
    h = encoder.hidden(x)[layer].float()
    return (torch.cdist(frames_of(h, step), books[book][None].expand(len(x), -1, -1))).argmin(2)


def frames_of(h, step):
    h = h - h.mean(1, keepdim=True)
    return h if step == 1 else F.avg_pool1d(h.transpose(1, 2), step).transpose(1, 2)


@torch.no_grad()
def grow_books(encoder, x, rounds=12):
    """k-means for each book, over the frames of waves x."""
    layers, books = [], []
    for k in range(0, len(x), 32):
        layers.append([h.float() for h in encoder.hidden(x[k:k + 32])])
    for layer, count, step in BOOKS:
        f = torch.cat([frames_of(h[layer], step).flatten(0, 1) for h in layers])
        middle = f[torch.randperm(len(f), device=f.device)[:count]]
        middle = torch.cat([middle, torch.randn(count - len(middle), f.shape[1], device=f.device)])
        for _ in range(rounds):
            near = torch.cat([torch.cdist(some, middle).argmin(1) for some in f.split(16384)])
            total = torch.zeros_like(middle).index_add_(0, near, f)
            size = torch.bincount(near, minlength=count)[:, None]
            middle = torch.where(size > 0, total / size.clamp_min(1), f[torch.randint(0, len(f), (count,), device=f.device)])
        books.append(middle)
    return books
