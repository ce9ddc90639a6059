"""Trains the speech detector on a GPU. Every clip is mixed there, so none is seen twice: speech with the teacher's labels of the
clean signal, then rooms, noise from -5 dB up (steady, coloured, machines, babble, ESC-10, music, tones), level, telephone band.

usage: train_gpu.py DIR LABELS OUT.pt SECONDS [BANK.npy]
DIR: X.raw and X.json, or X.NN.raw and X.NN.json in parts; LABELS: X.u8 (label-with-silero.mjs); BANK: sounds of make_bank.py
"""
import glob
import json
import sys
import time
import numpy as np
import torch
from model import Detector, logmel

SR, CLIP = 16000, 8 * 16000
BATCH = 256 if torch.cuda.is_available() else 8
DEV = "cuda" if torch.cuda.is_available() else "cpu"
SETS = {"librispeech": None, "speechocean762": None, "commonvoice-0": 3600}
# Left out of the training: every seventh utterance of these sets, and of ESC-10 all clips whose number ends in 3, 4, 8 or 9.
HELD_OUT = 7


def load(folder, labels):
    pcm, rows, lab, at, lat = [], [], [], 0, 0
    for number, (name, limit) in enumerate(SETS.items()):
        parts = sorted(glob.glob(f"{folder}/{name}.[0-9]*.json")) or [f"{folder}/{name}.json"]
        taken, label, j = 0, np.fromfile(f"{labels}/{name}.u8", np.uint8), 0
        for part in parts:
            utts = json.load(open(part))["utts"]
            raw = np.memmap(part[:-5] + ".raw", np.int16, "r")
            start = 0
            for _, n in utts:
                if limit and taken >= limit:
                    break
                f = n // 512
                if taken % HELD_OUT and f > 20:
                    rows.append((at, f * 512, lat, number))
                    pcm.append(raw[start:start + f * 512])
                    lab.append(label[j:j + f])
                    at += f * 512
                    lat += f
                taken, start, j = taken + 1, start + n, j + f
    to = lambda a: torch.from_numpy(np.concatenate(a)).to(DEV)
    return to(pcm), to(lab), torch.tensor(rows, device=DEV)


def uniform(low, high, *shape):
    return torch.rand(shape, device=DEV) * (high - low) + low


def chance(p, n):
    return torch.rand(n, device=DEV) < p


class Mixer:
    def __init__(self, folder, labels, bank):
        self.pcm, self.lab, self.rows = load(folder, labels)
        esc = np.fromfile(glob.glob(f"{folder}/esc10.raw")[0], np.int16).reshape(-1, 80000)
        keep = [i for i in range(len(esc)) if i % 5 < 3]
        self.esc = torch.from_numpy(esc[keep]).to(DEV)
        self.bank = torch.from_numpy(np.load(bank)).to(DEV) if bank else None
        # Common Voice has the most utterances and the shortest: draw the sets evenly.
        count = torch.bincount(self.rows[:, 3])
        self.weight = 1.0 / count[self.rows[:, 3]].float()
        self.t = torch.arange(CLIP, device=DEV)
        print(f"{len(self.rows)} utterances, {len(self.pcm) / SR / 3600:.1f} h, {len(esc)} esc, bank {None if bank is None else self.bank.shape}", flush=True)

    def pieces(self, n):
        """n random stretches of speech: where they begin in the pack, how long they are, where their labels begin."""
        r = self.rows[torch.multinomial(self.weight, n, True)]
        length = torch.minimum(r[:, 1], (uniform(1.5, 6.5, n) * SR).long() // 512 * 512)
        skip = (torch.rand(n, device=DEV) * ((r[:, 1] - length) // 512 + 1).float()).long().clamp_min(0)
        return r[:, 0] + skip * 512, length, r[:, 2] + skip

    def speech(self, b):
        x, y = torch.zeros(b, CLIP, device=DEV), torch.zeros(b, CLIP, device=DEV)
        at = torch.where(chance(0.7, b), uniform(0, 1.5, b) * SR, torch.zeros(b, device=DEV)).long()
        for _ in range(5):
            start, length, label = self.pieces(b)
            inside = (self.t[None] >= at[:, None]) & (self.t[None] < (at + length)[:, None])
            k = (self.t[None] - at[:, None]).clamp(0) * inside
            u = self.pcm[(start[:, None] + k)].float() / 32768 * inside
            rms = torch.sqrt((u * u).sum(1) / inside.sum(1).clamp_min(1) + 1e-9)
            x += u / rms[:, None] * (0.05 * 10 ** (uniform(-6, 6, b, 1) / 20))
            y += self.lab[label[:, None] + k // 512].float() / 255 * inside
            gap = torch.where(chance(0.8, b), uniform(0.1, 2.5, b), torch.zeros(b, device=DEV))
            at = at + length + (gap * SR).long()
        return x, y

    def room(self, x):
        b, m = len(x), SR // 4
        ir = torch.randn(b, m, device=DEV) * torch.exp(-torch.arange(m, device=DEV)[None] / (uniform(0.03, 0.12, b, 1) * SR))
        ir[:, 0] = uniform(3, 20, b)
        ir = ir / ir.norm(dim=1, keepdim=True)
        n = CLIP + m
        return torch.fft.irfft(torch.fft.rfft(x, n) * torch.fft.rfft(ir, n), n)[:, :CLIP]

    def steady(self, b):
        """Coloured noise with a random smooth spectrum, for some with hum or the harmonics of a machine, for some breathing."""
        f = torch.fft.rfft(torch.randn(b, CLIP, device=DEV))
        hz = torch.linspace(0, SR / 2, f.shape[1], device=DEV)[None]
        shape = (hz + 30) ** (-uniform(-0.3, 2.4, b, 1) / 2)
        # Bumps and dips an octave wide, as fans, engines and rooms have them.
        octave = torch.log2(hz + 20)
        for _ in range(4):
            shape = shape * 10 ** (uniform(-12, 12, b, 1) * torch.exp(-((octave - uniform(5, 13, b, 1)) / uniform(0.15, 1, b, 1)) ** 2) / 20)
        x = torch.fft.irfft(f * shape, CLIP)
        x = x / (x.std(1, keepdim=True) + 1e-9)
        t = self.t[None] / SR
        f0 = torch.where(chance(0.3, b), torch.where(chance(0.5, b), 50.0, 60.0), uniform(25, 180, b))[:, None]
        f0 = f0 * (1 + uniform(0, 0.03, b, 1) * torch.sin(6.283 * uniform(0.05, 0.6, b, 1) * t))
        phase = 6.283 * torch.cumsum(f0 / SR, 1)
        hum, roll = torch.zeros_like(x), uniform(0.3, 1.6, b, 1)
        for h in range(1, 21):
            hum += torch.sin(h * phase + uniform(0, 6.28, b, 1)) * uniform(0.2, 1, b, 1) / h ** roll
        hum = hum / (hum.std(1, keepdim=True) + 1e-9)
        x = x + hum * (chance(0.35, b).float() * uniform(0.2, 2, b))[:, None]
        slow = 10 ** (uniform(0, 8, b, 1) * torch.sin(6.283 * uniform(0.05, 0.7, b, 1) * t + uniform(0, 6.28, b, 1)) / 20)
        fast = torch.ones_like(x)
        for _ in range(3):
            fast = fast * (0.55 + 0.45 * torch.sin(6.283 * uniform(1.5, 8, b, 1) * t + uniform(0, 6.28, b, 1)))
        kind = torch.rand(b, 1, device=DEV)
        return x * torch.where(kind < 0.3, slow, torch.where(kind < 0.5, fast, torch.ones_like(x)))

    def babble(self, b):
        """Six to twelve people at once, none of them near: noise, not speech."""
        x = torch.zeros(b, CLIP, device=DEV)
        talkers = torch.randint(6, 13, (b,), device=DEV)
        for k in range(12):
            start = (torch.rand(b, device=DEV) * (len(self.pcm) - CLIP)).long()
            u = self.pcm[start[:, None] + self.t[None]].float()
            u = u / (u.std(1, keepdim=True) + 1e-3)
            x += u * ((k < talkers).float() * uniform(0.5, 1, b))[:, None]
        return self.room(x)

    def noise(self, b):
        k = torch.rand(b, device=DEV)
        x = torch.zeros(b, CLIP, device=DEV)

        def put(mask, make):
            n = int(mask.sum())
            if n:
                v = make(n)
                x[mask] = v / (v.std(1, keepdim=True) + 1e-9)

        def esc(n):
            pick = torch.randint(len(self.esc), (n,), device=DEV)
            shift = torch.randint(80000, (n, 1), device=DEV)
            return self.esc[pick[:, None], (self.t[None] + shift) % 80000].float()

        def banked(n):
            return self.bank[torch.randint(len(self.bank), (n,), device=DEV)].float()

        put(k < 0.30, esc)
        put((k >= 0.30) & (k < 0.66), self.steady)
        put((k >= 0.66) & (k < 0.76), self.babble)
        put(k >= 0.76, banked if self.bank is not None else self.steady)
        return x

    def telephone(self, x):
        b = len(x)
        f = torch.fft.rfft(x)
        hz = torch.linspace(0, SR / 2, f.shape[1], device=DEV)[None]
        f = f * torch.sigmoid((hz - uniform(0, 320, b, 1)) / 25) * torch.sigmoid((uniform(3200, 3900, b, 1) - hz) / 30)
        y = torch.fft.irfft(f[:, :CLIP // 4 + 1], CLIP // 2) / 2
        m = torch.sign(y) * torch.log1p(255 * y.abs().clamp(max=1)) / np.log(256)
        m = torch.round(m * 127.5) / 127.5
        m = torch.sign(m) * (torch.pow(256.0, m.abs()) - 1) / 255
        y = torch.where(chance(0.7, b)[:, None], m, y)
        g = torch.zeros(b, CLIP // 2 + 1, dtype=torch.complex64, device=DEV)
        g[:, :CLIP // 4 + 1] = torch.fft.rfft(y)
        return torch.fft.irfft(g, CLIP) * 2

    def batch(self, b):
        x, y = self.speech(b)
        far = chance(0.25, b)
        if far.any():
            x[far] = self.room(x[far])
        on = y > 0.5
        level = torch.sqrt((x * x * on).sum(1) / on.sum(1).clamp_min(1) + 1e-9)
        v = self.noise(b)
        snr = torch.where(chance(0.6, b), uniform(-5, 18, b), uniform(10, 40, b))
        without = chance(0.33, b)
        silent = without & chance(0.06, b)
        x = x * (~without)[:, None] + v * ((~silent).float() * torch.where(without, torch.full_like(level, 0.05), level * 10 ** (-snr / 20)))[:, None]
        extra = without & chance(0.3, b)
        if extra.any():
            n = int(extra.sum())
            x[extra] += self.noise(n) * 0.05 * uniform(0.1, 1, n, 1)
        y = y * (~without)[:, None]
        x = x / (x.abs().amax(1, keepdim=True) + 1e-9) * 10 ** (uniform(-38, 0, b, 1) / 20)
        x = torch.where(chance(0.1, b)[:, None], (x * 2).clamp(-1, 1), x)
        tel = chance(0.5, b)
        if tel.any():
            x[tel] = self.telephone(x[tel])
        f = logmel(torch.round(x.clamp(-1, 1) * 32767))
        return f, y[:, 200::160][:, :f.shape[1]], without


def main():
    folder, labels, out, seconds = sys.argv[1], sys.argv[2], sys.argv[3], float(sys.argv[4])
    began = time.time()
    torch.manual_seed(11)
    mixer = Mixer(folder, labels, sys.argv[5] if len(sys.argv) > 5 else None)
    net = Detector().to(DEV)
    with torch.no_grad():
        net.mean.copy_(mixer.batch(BATCH)[0].mean((0, 1)))
        net.std.fill_(4.0)
    opt = torch.optim.AdamW(net.parameters(), lr=1e-3, weight_decay=1e-3)
    mean = {k: v.clone() for k, v in net.state_dict().items()}
    step, run = 0, 0.0
    while True:
        done = (time.time() - began) / seconds
        if done >= 1:
            break
        for g in opt.param_groups:
            g["lr"] = 4e-3 * min(1, (step + 1) / 60) * (0.5 + 0.5 * np.cos(np.pi * done)) + 1e-6
        with torch.no_grad():
            f, y, without = mixer.batch(BATCH)
            # Some bands missing, as in no recording of the training.
            w, s = torch.randint(0, 10, (len(f), 1), device=DEV), torch.randint(0, 70, (len(f), 1), device=DEV)
            k = torch.arange(80, device=DEV)[None]
            f = torch.where(((k >= s) & (k < s + w))[:, None], net.mean, f)
        logit = net(f)
        y = y[:, ::2][:, :logit.shape[1]]
        # Calling a noise speech is worse than missing the edge of a word.
        weight = 1 + (y < 0.5).float() + without.float()[:, None]
        loss = (torch.nn.functional.binary_cross_entropy_with_logits(logit, y, reduction="none") * weight).mean()
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5)
        opt.step()
        step += 1
        keep = min(0.995, step / (step + 20))
        with torch.no_grad():
            for name, value in net.state_dict().items():
                if value.is_floating_point():
                    mean[name].mul_(keep).add_(value, alpha=1 - keep)
                else:
                    mean[name].copy_(value)
        run = 0.98 * run + 0.02 * loss.item() if step > 1 else loss.item()
        if step % 50 == 0 or DEV == "cpu":
            print(f"step {step} {done * 100:.0f}% loss {run:.4f} {time.time() - began:.0f} s", flush=True)
            torch.save({k: v.cpu() for k, v in mean.items()}, out)
    torch.save({k: v.cpu() for k, v in mean.items()}, out)
    print(f"done: {step} steps of {BATCH}", flush=True)


if __name__ == "__main__":
    main()
