"""Trains the speech detector on a GPU. Every clip is mixed there, so none is seen twice: speech with the teacher's labels of the
clean signal at several speeds, then rooms, microphones, noise from -5 dB up (steady, coloured, machines, babble, ESC-10, music, tones)
or none, muted pauses, level, telephone. Some batches are cut into short recordings, since the net sees their edges too.

usage: train_gpu.py DIR LABELS OUT.pt SECONDS [BANK.npy [START.pt]]
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
# How many utterances have labels, and how often a set is drawn.
SETS = {"librispeech": (None, 1.0), "speechocean762": (None, 1.0), "commonvoice-0": (3600, 1.2), "speechcommands-0": (2800, 0.5)}
# Left out of the training: every seventh utterance of these sets, and of ESC-10 all clips whose number ends in 3, 4, 8 or 9.
HELD_OUT = 7


def load(folder, labels):
    """All training speech end to end. A pack that holds some utterances of its set only says which ("numbers" in its X.json)."""
    pcm, rows, lab, at, lat = [], [], [], 0, 0
    for kind, (name, (limit, _)) in enumerate(SETS.items()):
        parts = sorted(glob.glob(f"{folder}/{name}.[0-9]*.json")) or [f"{folder}/{name}.json"]
        number, label, j = 0, np.fromfile(f"{labels}/{name}.u8", np.uint8), 0
        for part in parts:
            meta = json.load(open(part))
            raw = np.memmap(part[:-5] + ".raw", np.int16, "r")
            start = 0
            for i, (_, n) in enumerate(meta["utts"]):
                if "numbers" in meta:
                    number = meta["numbers"][i]
                if limit and number >= limit:
                    break
                f = n // 512
                # A recording in which the teacher hears nobody may hold a voice all the same.
                if number % HELD_OUT and f > 20 and label[j:j + f].max() > 204:
                    rows.append((at, f * 512, lat, kind))
                    pcm.append(raw[start:start + f * 512])
                    lab.append(label[j:j + f])
                    at += f * 512
                    lat += f
                number, start, j = number + 1, start + n, j + f
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
        numbers = json.load(open(f"{folder}/esc10.json")).get("numbers", range(len(esc)))
        keep = [i for i, number in enumerate(numbers) if number % 5 < 3]
        self.esc = torch.from_numpy(esc[keep]).to(DEV)
        self.bank = torch.from_numpy(np.load(bank)).to(DEV) if bank else None
        # Common Voice has the most utterances and the shortest: draw by set.
        count = torch.bincount(self.rows[:, 3])
        share = torch.tensor([share for _, share in SETS.values()], device=DEV)
        self.weight = (share / count)[self.rows[:, 3]]
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
        # Faster is also higher: half of the voices are others than those of the packs, some like children's.
        speed = torch.where(chance(0.5, b), uniform(0.88, 1.22, b), torch.ones(b, device=DEV))[:, None]
        for _ in range(5):
            start, length, label = self.pieces(b)
            heard = (length[:, None] / speed).long()
            inside = (self.t[None] >= at[:, None]) & (self.t[None] < at[:, None] + heard)
            k = ((self.t[None] - at[:, None]).clamp(0) * inside).float() * speed
            whole = k.long().clamp_max(length[:, None] - 2)
            part = (k - whole).clamp(0, 1)
            u = (self.pcm[start[:, None] + whole] * (1 - part) + self.pcm[start[:, None] + whole + 1] * part) / 32768 * inside
            rms = torch.sqrt((u * u).sum(1) / inside.sum(1).clamp_min(1) + 1e-9)
            x += u / rms[:, None] * (0.05 * 10 ** (uniform(-8, 6, b, 1) / 20))
            y += self.lab[label[:, None] + whole // 512].float() / 255 * inside
            gap = torch.where(chance(0.8, b), uniform(0.1, 2.5, b), torch.zeros(b, device=DEV))
            at = at + heard[:, 0] + (gap * SR).long()
        return x, y

    def microphone(self, x):
        """A random smooth colour."""
        b = len(x)
        octave = torch.log2(torch.linspace(0, SR / 2, CLIP // 2 + 1, device=DEV)[None] + 20)
        db = uniform(-3, 3, b, 1) * (octave - 9)
        for _ in range(3):
            db = db + uniform(-9, 9, b, 1) * torch.exp(-((octave - uniform(6, 13, b, 1)) / uniform(0.2, 1, b, 1)) ** 2)
        return torch.fft.irfft(torch.fft.rfft(x) * 10 ** (db / 20), CLIP)

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

    def coder(self, y):
        """Telephone speech as a coder of few bits leaves it: coarse spectrum, wrong phases, 20 ms at a time."""
        window = torch.hann_window(320, device=DEV)
        z = torch.stft(y, 320, 80, window=window, return_complex=True)
        step = uniform(0.2, 0.8, len(y), 1, 1)
        size = torch.exp(torch.round(torch.log(z.abs() + 1e-6) / step) * step) - 1e-6
        angle = torch.angle(z) + uniform(0, 1.2, len(y), 1, 1) * torch.randn_like(size) * torch.linspace(0, 1, z.shape[1], device=DEV)[None, :, None]
        return torch.istft(torch.polar(size.clamp_min(0), angle), 320, 80, window=window, length=y.shape[1])

    def telephone(self, x):
        b = len(x)
        f = torch.fft.rfft(x)
        hz = torch.linspace(0, SR / 2, f.shape[1], device=DEV)[None]
        # A third of the lines pass everything below 4 kHz, as plain resampling does.
        plain = chance(0.35, b)[:, None]
        low = torch.where(plain, torch.full_like(hz[:, :1], -400), uniform(0, 320, b, 1))
        high = torch.where(plain, uniform(3850, 4100, b, 1), uniform(3200, 3900, b, 1))
        f = f * torch.sigmoid((hz - low) / 25) * torch.sigmoid((high - hz) / 30)
        y = torch.fft.irfft(f[:, :CLIP // 4 + 1], CLIP // 2) / 2
        hum = 6.283 * torch.where(chance(0.5, b), 50.0, 60.0)[:, None] * torch.arange(CLIP // 2, device=DEV)[None] / (SR / 2)
        buzz = sum(torch.sin(h * hum + uniform(0, 6.28, b, 1)) * uniform(0, 1, b, 1) for h in (1, 2, 3, 5))
        y = y + buzz * (chance(0.15, b).float() * 10 ** (uniform(-70, -35, b) / 20))[:, None]
        coded = chance(0.2, b)
        if coded.any():
            y[coded] = self.coder(y[coded])
        size = y.abs().clamp(max=1)
        mu = torch.round(torch.log1p(255 * size) / np.log(256) * 127.5) / 127.5
        mu = (torch.pow(256.0, mu) - 1) / 255
        a = torch.where(size < 1 / 87.6, 87.6 * size, 1 + torch.log((87.6 * size).clamp_min(1))) / (1 + np.log(87.6))
        # Halves: A-law has no step at zero, and makes its own noise there.
        a = (torch.floor(a * 128).clamp_max(127) + 0.5) / 128 * (1 + np.log(87.6))
        a = torch.where(a < 1, a / 87.6, torch.exp(a - 1) / 87.6)
        law = torch.rand(b, 1, device=DEV)
        y = torch.where(law < 0.4, mu * torch.sign(y), torch.where(law < 0.8, a * torch.where(y < 0, -1.0, 1.0), y))
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
        # Nothing but the recording's own noise, down to digital silence between the pieces.
        snr = torch.where(chance(0.22, b), torch.where(chance(0.5, b), uniform(40, 70, b), 300.0), snr)
        without = chance(0.33, b)
        silent = without & chance(0.06, b)
        x = x * (~without)[:, None] + v * ((~silent).float() * torch.where(without, torch.full_like(level, 0.05), level * 10 ** (-snr / 20)))[:, None]
        extra = without & chance(0.3, b)
        if extra.any():
            n = int(extra.sum())
            x[extra] += self.noise(n) * 0.05 * uniform(0.1, 1, n, 1)
        y = y * (~without)[:, None]
        # A line that mutes its pauses.
        muted = ~without & chance(0.05, b)
        if muted.any():
            near = torch.nn.functional.max_pool1d(y[muted, None, ::160], 11, 1, 5)[:, 0]
            x[muted] = x[muted] * (near >= 0.2).repeat_interleave(160, 1)
        other = chance(0.5, b)
        if other.any():
            x[other] = self.microphone(x[other])
        x = x / (x.abs().amax(1, keepdim=True) + 1e-9) * 10 ** (uniform(-42, 0, b, 1) / 20)
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
    start = sys.argv[6] if len(sys.argv) > 6 else None
    if start:
        net.load_state_dict(torch.load(start, map_location=DEV))
    else:
        with torch.no_grad():
            net.mean.copy_(mixer.batch(BATCH)[0].mean((0, 1)))
            net.std.fill_(4.0)
    top = 2e-3 if start else 4e-3
    opt = torch.optim.AdamW(net.parameters(), lr=1e-3, weight_decay=1e-3)
    mean = {k: v.clone() for k, v in net.state_dict().items()}
    step, run = 0, 0.0
    while True:
        done = (time.time() - began) / seconds
        if done >= 1:
            break
        for g in opt.param_groups:
            g["lr"] = top * min(1, (step + 1) / 60) * (0.5 + 0.5 * np.cos(np.pi * done)) + 1e-6
        with torch.no_grad():
            f, y, without = mixer.batch(BATCH)
            # Some bands missing, as in no recording of the training.
            w, s = torch.randint(0, 10, (len(f), 1), device=DEV), torch.randint(0, 70, (len(f), 1), device=DEV)
            k = torch.arange(80, device=DEV)[None]
            f = torch.where(((k >= s) & (k < s + w))[:, None], net.mean, f)
            y = y[:, ::2]
            cut = [1, 1, 1, 2, 3, 4, 6, 8][step % 8]
            if cut > 1:
                frames = f.shape[1] // (2 * cut) * 2
                f = f[:, :cut * frames].reshape(-1, frames, 80)
                y = y[:, :cut * frames // 2].reshape(-1, frames // 2)
                without = without.repeat_interleave(cut)
        logit = net(f)
        y = y[:, :logit.shape[1]]
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
