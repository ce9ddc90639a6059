"""Owns copies whose spectrum is generated: trains the network of spectrum_flow.py on people of the training corpora (never on a page), and when the vocoders are trained (copies.py --weights) makes of each recording a copy with a
generated spectrum by one of them. Hands over two kinds of pairs: the recording and that copy (`gen-NAME`), and the recording with its true spectrum through the same vocoder and that copy (`same-NAME`): there nothing but the
spectrum differs. Vocoders: frame-istft, snake, flow; gl: no network at all; gain: the recording itself, filtered until its spectrum is the generated one.

Usage: generated_copies.py PACKS OUT OPUS_TOOL ENCODER.pt VOCODERS --until EPOCH_SECONDS [--wait FILES] [--seed N] [--weights FILE] [--small]
"""
import argparse
import os
import random
import threading
import time

import numpy as np
import torch
import torch.nn.functional as F

import encoder_view
import spectrum_flow as flow
from dsp_vocoders import griffin_lim_from, istft, mel_basis, pitch, stft
from grown_vocoders import grow
from neural_vocoders import HOP, MELS, N_FFT, stretch
from recoder import Recoder
from sources import Source
from store import CROP, SR

ap = argparse.ArgumentParser()
ap.add_argument("packs"), ap.add_argument("out"), ap.add_argument("tool"), ap.add_argument("encoder"), ap.add_argument("vocoders")
ap.add_argument("--until", type=float, required=True)
ap.add_argument("--wait", default="")
ap.add_argument("--weights", default="")
ap.add_argument("--seed", type=int, default=0)
ap.add_argument("--small", action="store_true")
TRAINED, OTHERS = ("frame-istft", "snake", "flow"), ("gl", "gain")
MOMENTS, COUNTS, FRESH = (0.65, 1.0), (3, 12), 2  # moments of handing over (of the training, and not before the vocoders are there); batches for each vocoder
FULL_RATE = 6e-4


class Bases:
    def __init__(self, dev):
        self.hundred, self.eighty = mel_basis(N_FFT, flow.BANDS, 20, 8000, dev), mel_basis(N_FFT, MELS, 20, 8000, dev)
        self.back = torch.linalg.pinv(self.hundred)
        self.spread = self.hundred.t() / self.hundred.sum(0)[:, None].clamp_min(1e-3)

    def bins(self, mel):
        return (self.back @ mel.exp()).clamp_min(1e-5)


class Vocoders:
    """A wave by a log mel spectrum (100 bands, 20 to 8,000 Hz), and the true wave where only its loudness in each band is changed."""

    def __init__(self, folder, dev, small):
        self.dev, self.bases, self.nets = dev, Bases(dev), {}
        for name in TRAINED:
            v = grow(name, dev)
            target = v.gen if name == "flow" else v.smooth
            if not small:
                saved = torch.load(f"{folder}/{name}.pt", map_location="cpu")
                left = target.load_state_dict({k: w.float() for k, w in saved.items() if not k.endswith(("win", "fir"))}, strict=False)
                assert not left.unexpected_keys and all(k.endswith(("win", "fir")) for k in left.missing_keys), left
            v.gen, v.exact = target.eval(), True
            self.nets[name] = v

    @torch.no_grad()
    def wave(self, name, u, mel, true, seed):
        """Both sides of a pair are made with the same `seed`: the same noise goes into them."""
        torch.manual_seed(seed)
        if name == "flow":
            return self.by_flow(u, mel)
        if name in self.nets:
            return self.nets[name].synth(u, mel).float()
        if name == "gl":
            return griffin_lim_from(F.pad(self.bases.bins(mel), (0, 1), mode="replicate"), N_FFT, HOP, u.shape[1], 32, 0.9)
        gain = (self.bases.spread @ (mel - true)).clamp(-4, 4).exp()
        return istft(stft(u, N_FFT, HOP) * F.pad(gain, (0, 1), mode="replicate"), N_FFT, HOP, u.shape[1])

    def by_flow(self, u, mel):
        gen = self.nets["flow"].gen
        eighty = (self.bases.eighty @ self.bases.bins(mel)).clamp_min(1e-5).log()
        shape = gen.spectrum(u).shape
        z, told = torch.randn(shape, device=self.dev), F.interpolate((eighty + 4) / 3, size=shape[2], mode="linear")
        for k in range(12):
            z = z + gen.speed(z, told, torch.full((len(u),), k / 12, device=self.dev)) / 12
        return gen.wave(z, u.shape[1])


class Maker:
    def __init__(self, a, dev, rng, say):
        self.a, self.dev, self.rng, self.say = a, dev, rng, say
        self.batch = 2 if a.small else 64
        self.encoder = encoder_view.load(a.encoder).to(dev)
        self.net = flow.SpectrumFlow(**({"c": 32, "depth": 2, "heads": 2} if a.small else {})).to(dev)
        self.smooth = flow.SpectrumFlow(**({"c": 32, "depth": 2, "heads": 2} if a.small else {})).to(dev).eval()
        self.opt = torch.optim.AdamW(self.net.parameters(), FULL_RATE, betas=(0.9, 0.98), weight_decay=0.01)
        self.steps = 0

    def cast(self):
        return torch.autocast(self.dev, dtype=torch.bfloat16, enabled=self.dev == "cuda")

    def begin(self, source):
        """Units and the scale of the spectra, from people alone."""
        n = 8 if self.a.small else 512
        x = torch.cat([source.draw(8 if self.a.small else 64, 0)[0] for _ in range(max(1, n // 64))])
        with self.cast():
            self.books = flow.grow_books(self.encoder, x)
        mel = flow.spectrum(self.scaled(x[:128]))
        for net in (self.net, self.smooth):
            net.mean.copy_(mel.mean((0, 2))[:, None]), net.sd.copy_(mel.std((0, 2))[:, None])
        self.smooth.load_state_dict(self.net.state_dict())
        self.say("units", [len(b) for b in self.books], "spectra of mean %.2f and spread %.2f" % (mel.mean(), mel.std()))

    def scaled(self, x):
        u = x / x.abs().amax(1, keepdim=True).clamp_min(1) * 0.7
        return F.pad(u, (0, (-u.shape[1]) % 1280))

    @torch.no_grad()
    def know(self, x, rate, book):
        """The wave as if at another rate, its spectrum (standardised) and what is told of it."""
        length = CROP * flow.RATES[rate] // SR
        u = self.scaled(stretch(x, length) if length != CROP else x)
        mel = flow.spectrum(u)
        T = mel.shape[2]
        with self.cast():
            units = flow.units_of(self.encoder, self.books, x, book)
        f0, voicing = pitch(x, 320)
        loud = x.reshape(len(x), -1, 320).pow(2).mean(2).add(1.0).log()
        rows = torch.stack([(f0[:, :200] / 150).log() * (voicing[:, :200] > 0.4), voicing[:, :200], (loud - loud.mean(1, keepdim=True)) / 3], 1)
        return u, (mel - self.net.mean) / self.net.sd, units, F.interpolate(rows, size=T, mode="linear", align_corners=False)

    def course(self, rows, p):
        given = (torch.rand(len(rows), 1, 1, device=self.dev) < p).float()
        return torch.cat([rows, torch.ones_like(rows[:, :1])], 1) * given

    def reference(self, mel):
        """A stretch of each spectrum, always of the same length."""
        T = mel.shape[2]
        size = T * 2 // 5
        at = torch.randint(0, T - size, (len(mel), 1), device=self.dev) + torch.arange(size, device=self.dev)[None]
        return mel.gather(2, at[:, None].expand(-1, mel.shape[1], -1))

    def step(self, source, lr):
        x, _ = source.draw(self.batch, 0)
        rate, book = self.rng.randrange(len(flow.RATES)), self.rng.randrange(len(flow.BOOKS))
        _, mel, units, rows = self.know(x, rate, book)
        n, _, T = mel.shape
        kind = torch.rand(n, 1, 1, device=self.dev)
        mask = torch.where(kind < 0.35, flow.piece(n, T, 0.2, 0.7, self.dev), torch.where(kind < 0.5, flow.pieces(n, T, 0.5, self.dev), torch.zeros(n, 1, T, device=self.dev)))
        with self.cast():
            told = self.net.tell(book, units, self.course(rows, 0.5), self.reference(mel), rate, T)
            loss = self.net.loss(mel, told, rate, mask)
        self.opt.param_groups[0]["lr"] = lr
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.opt.step()
        self.steps += 1
        with torch.no_grad():
            for own, now in zip(self.smooth.parameters(), self.net.parameters()):
                own.lerp_(now, 0.005 if self.steps > 500 else 0.1)
        return loss.detach()

    @torch.no_grad()
    def copies(self, x, vocoders, name):
        """(the same through the vocoder with the true spectrum, with a generated one), by draws of this batch."""
        how, rate, book = flow.draw_how(self.rng), self.rng.randrange(len(flow.RATES)), self.rng.randrange(len(flow.BOOKS))
        u, true, units, rows = self.know(x, rate, book)
        swap = name != "gain" and self.rng.random() < 0.25  # another voice says it
        told_pitch = 1.0 if name == "gain" else 0.0 if swap else float(self.rng.random() < 0.5)
        reference = self.reference(true)
        told = self.smooth.tell(book, units, self.course(rows, told_pitch), reference.roll(1, 0) if swap else reference, rate, true.shape[2])
        made = flow.whole(self.smooth, told, self.smooth.untold(told, rate), true.roll(1, 0) if swap and how["mode"] == "prompt" else true, how)
        back = lambda m: (m * self.smooth.sd + self.smooth.mean).clamp(-11.6, 6)
        seed, level, out = self.rng.randrange(1 << 30), lambda s: s.pow(2).mean(1, keepdim=True).sqrt().clamp_min(1), []
        torch.backends.cudnn.allow_tf32 = torch.backends.cuda.matmul.allow_tf32 = False  # vocoders in full precision, as published ones are run
        for mel in (true, made):
            y = torch.nan_to_num(vocoders.wave(name, u, back(mel), back(true), seed))[:, : CROP * flow.RATES[rate] // SR]
            y = stretch(y, CROP) if y.shape[1] != CROP else y
            y = y * 20000
            out.append((y * level(x) / level(y)).clamp(-32768, 32767))
        torch.backends.cudnn.allow_tf32 = torch.backends.cuda.matmul.allow_tf32 = True
        return out, how


def hand_over(maker, draw, rec, k, count):
    """`count` batches for each vocoder; folders appear when their files are coded."""
    vocoders, distance = maker.vocoders, []
    for name in TRAINED + OTHERS:
        rows, labels = [], []
        for _ in range(count):
            x, names = draw(maker.batch)
            (true, made), how = maker.copies(x, vocoders, name)
            rows.append([w.cpu().numpy() for w in (x, true, made)])
            labels += names
            distance.append((how["steps"], float((flow.spectrum(maker.scaled(made)) - flow.spectrum(maker.scaled(true))).abs().mean())))
        orig, true, made = (np.concatenate(w) for w in zip(*rows))
        rec.put(f"generated-{k}", f"gen-{name}@{k}", (orig, made), labels)
        rec.put(f"generated-{k}", f"same-{name}@{k}", (true, made), labels, alike=True)
    maker.say("copies", k, "distance by steps", {s: round(float(np.mean([d for n, d in distance if n == s])), 2) for s in sorted({n for n, _ in distance})})
    thread = threading.Thread(target=lambda: (rec.finish(f"generated-{k}"), maker.say(f"generated-{k}", "ready")))
    thread.start()
    return thread


def main(a):
    dev = "cuda" if torch.cuda.is_available() else "cpu"
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = torch.backends.cudnn.benchmark = True
    t0, seed = time.time(), 71 + 1000 * a.seed
    say = lambda *m: print("[generated %.0fs]" % (time.time() - t0), *m, flush=True)
    rng, g = random.Random(seed), torch.Generator(device=dev)
    g.manual_seed(seed), torch.manual_seed(seed)
    while not all(os.path.exists(f) or os.path.exists(f"{a.packs}/{f}") for f in [*a.wait.split(","), a.encoder] if f):
        time.sleep(1)
    source, maker = Source(a.packs, dev, (rng, g), say, a.small), Maker(a, dev, rng, say)
    source.look()
    maker.begin(source)
    begin, last, handed, threads, looked = time.time(), 0.0, 0, [], time.time()
    there = lambda: a.small or all(os.path.exists(f"{a.vocoders}/{n}.pt") for n in TRAINED)
    rec, rec_fresh = Recoder(a.out, a.tool, rng), Recoder(a.out + "-fresh", a.tool, rng)
    while handed < len(MOMENTS):
        spent = (time.time() - begin) / max(1.0, a.until - begin)
        if (spent >= MOMENTS[handed] or (a.small and maker.steps >= 2 * (handed + 1))) and there():
            time.sleep(0 if a.small else 1)
            maker.vocoders = Vocoders(a.vocoders, dev, a.small) if not handed else maker.vocoders
            threads.append(hand_over(maker, source.draw, rec, handed, 1 if a.small else COUNTS[handed]))
            handed += 1
            continue
        if time.time() - looked > 20:
            looked = time.time()
            source.look()
        lr = FULL_RATE * min(1, (maker.steps + 1) / 200) * (1.0 if spent < 0.5 else max(0.03, 1 - (spent - 0.5) / 0.5))
        loss = maker.step(source, lr)
        if time.time() - last > 20:
            last = time.time()
            say("step", maker.steps, "loss %.3f" % loss.item())
    if source.fresh:
        threads.append(hand_over(maker, source.draw_fresh, rec_fresh, 0, 1 if a.small else FRESH))
    if a.weights:
        torch.save({"net": {k: v.half().cpu() for k, v in maker.smooth.state_dict().items()}, "books": [b.half().cpu() for b in maker.books], "steps": maker.steps}, a.weights)
    for t in threads:
        t.join()
    say("done", maker.steps)


if __name__ == "__main__":
    main(ap.parse_args())
