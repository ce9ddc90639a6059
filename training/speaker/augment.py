"""Channel, room and noise simulation on the accelerator, one batch at a time.

Everything works on [B, N] float tensors in int16 scale at 16 kHz. Each effect draws its own
subset of the batch, so one crop may pass through a room, noise and a telephone in this order,
as real speech does. A share of the batch is left untouched. How many rows an effect takes is drawn
on the host: nothing here waits for the accelerator.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

SAMPLE_RATE = 16000
RIR_SAMPLES = 8000


@dataclass(frozen=True)
class AugmentConfig:
    untouched: float = 0.15
    reverb: float = 0.40
    colour: float = 0.55
    noise: float = 0.65
    snr_db: tuple[float, float] = (-2.0, 20.0)
    telephone: float = 0.50
    codec: float = 0.15
    coder_noise: float = 0.0
    suppress: float = 0.0
    drive: float = 0.0
    clip: float = 0.06
    floor: float = 0.50


def rms(x: Tensor) -> Tensor:
    return x.pow(2).mean(1, keepdim=True).clamp_min(1.0).sqrt()


def fft_size(n: int) -> int:
    """A length >= n that factors well."""
    step = 4096
    return -(-n // step) * step


class Augmenter:
    def __init__(self, noise: Tensor, device: str, config: AugmentConfig = AugmentConfig(), rooms: int = 800):
        self.noise, self.device, self.config = noise, device, config
        self.rirs = self._make_rooms(rooms)
        self._room_spectra: dict[int, Tensor] = {}

    # -- helpers -------------------------------------------------------------------------
    def rand(self, *shape: int) -> Tensor:
        return torch.rand(*shape, device=self.device)

    def uniform(self, low: float, high: float, *shape: int) -> Tensor:
        return low + (high - low) * self.rand(*shape)

    def pick(self, batch: int, probability: float) -> Tensor:
        """Indices of the rows that an effect is applied to."""
        return self.deal(batch, probability)[0]

    def deal(self, batch: int, *shares: float) -> list[Tensor]:
        """Disjoint random sets of rows, one per share of the batch, and the rest last."""
        order = torch.randperm(batch, device=self.device)
        rest = max(0.0, 1 - sum(shares))
        counts = np.random.multinomial(batch, [*shares, rest])
        return list(order.split(counts.tolist()))

    def _make_rooms(self, count: int) -> Tensor:
        """Direct path, a few early reflections, exponentially decaying tail."""
        t = torch.arange(RIR_SAMPLES, device=self.device)[None] / SAMPLE_RATE
        rt60 = 0.08 + 0.8 * self.rand(count, 1) ** 2
        tail = torch.randn(count, RIR_SAMPLES, device=self.device) * torch.exp(-6.9 * t / rt60)
        tail = tail * (t > self.uniform(0.0005, 0.012, count, 1))
        where = (self.uniform(0.0007, 0.03, count, 6) * SAMPLE_RATE).long()
        early = torch.zeros_like(tail).scatter_(1, where, self.uniform(-0.6, 0.6, count, 6))
        tail = tail / tail.norm(dim=1, keepdim=True)
        direct_to_late = 10 ** (self.uniform(-3, 16, count, 1) / 20)
        rir = tail / direct_to_late + early * self.rand(count, 1)
        rir[:, 0] = 1.0
        return rir / rir.norm(dim=1, keepdim=True)

    def _rooms(self, n: int) -> Tensor:
        if n not in self._room_spectra:
            self._room_spectra[n] = torch.fft.rfft(self.rirs, n=n)
        return self._room_spectra[n]

    def _freqs(self, n: int, rate: int = SAMPLE_RATE) -> Tensor:
        return torch.arange(n // 2 + 1, device=self.device) * (rate / n)

    # -- effects -------------------------------------------------------------------------
    def reverb(self, x: Tensor) -> Tensor:
        n = fft_size(x.shape[1] + RIR_SAMPLES)
        rooms = self._rooms(n)
        chosen = rooms[torch.randint(0, rooms.shape[0], (x.shape[0],), device=self.device)]
        return torch.fft.irfft(torch.fft.rfft(x, n=n) * chosen, n=n)[:, :x.shape[1]]

    def colour(self, x: Tensor) -> Tensor:
        """Microphone and handset responses: a spectral tilt and slow ripples over log frequency."""
        batch, count = x.shape
        n = fft_size(count)
        octave = torch.log2((self._freqs(n)[None] + 150) / 1000)
        gain_db = self.uniform(-6, 6, batch, 1) * octave
        for _ in range(3):
            rate, phase = self.uniform(0.3, 2.0, batch, 1), self.uniform(0, 2 * math.pi, batch, 1)
            gain_db = gain_db + self.uniform(0, 5, batch, 1) * torch.sin(2 * math.pi * rate * octave / 2 + phase)
        return torch.fft.irfft(torch.fft.rfft(x, n=n) * 10 ** (gain_db / 20), n=n)[:, :count]

    def _noise_like(self, rows: int, count: int, speech: Tensor) -> tuple[Tensor, Tensor]:
        """Noise [rows, count] of mixed kinds, and the extra SNR in dB that its kind asks for."""
        start = (self.rand(rows) * (len(self.noise) - count - 1)).long()
        out = self.noise[start[:, None] + torch.arange(count, device=self.device)[None]].float()
        extra = torch.zeros(rows, 1, device=self.device)
        babble, hiss, tonal, _ = self.deal(rows, 0.25, 0.20, 0.13)
        if len(babble):
            talkers = torch.zeros(len(babble), count, device=self.device)
            for i in range(6):
                other = speech[torch.randint(0, speech.shape[0], (len(babble),), device=self.device)]
                on = 1.0 if i < 2 else (self.rand(len(babble), 1) < 0.6).float()
                talkers = talkers + on * other / rms(other) * self.uniform(0.4, 1.0, len(babble), 1)
            out[babble] = talkers * 1000
            extra[babble] = 5.0
        if len(hiss):
            n = fft_size(count)
            spectrum = torch.fft.rfft(torch.randn(len(hiss), n, device=self.device))
            slope = (self._freqs(n).clamp_min(20)[None] / 1000) ** (-self.uniform(-0.3, 2.2, len(hiss), 1) / 2)
            out[hiss] = torch.fft.irfft(spectrum * slope, n=n)[:, :count] * 1000
        if len(tonal):
            out[tonal] = self._music(len(tonal), count)
        return out, extra

    def _music(self, rows: int, count: int) -> Tensor:
        """Chords of decaying harmonic notes, with a beat; also covers hum and beeps."""
        t = torch.arange(count, device=self.device)[None] / SAMPLE_RATE
        out = torch.zeros(rows, count, device=self.device)
        beat = self.uniform(1.0, 5.0, rows, 1)
        note = torch.floor(t * beat)
        local = t * beat - note
        decay = torch.exp(-local * self.uniform(0.0, 5.0, rows, 1))
        for _ in range(3):
            seed = self.uniform(0, 1000, rows, 1)
            step = torch.floor(12 * torch.frac((torch.sin(note * 12.9898 + seed) * 43758.5453).abs()))
            pitch = self.uniform(60, 500, rows, 1) * 2 ** (step / 12)
            phase = 2 * math.pi * torch.cumsum(pitch, 1) / SAMPLE_RATE
            for h in range(1, 6):
                out = out + self.rand(rows, 1) / h * torch.sin(h * phase) * decay
        return out * 1000

    def add_noise(self, x: Tensor, speech: Tensor) -> Tensor:
        noise, extra = self._noise_like(x.shape[0], x.shape[1], speech)
        low, high = self.config.snr_db
        snr = self.uniform(low, high, x.shape[0], 1) + extra
        return x + noise * (rms(x) / rms(noise) * 10 ** (-snr / 20))

    def _band(self, x: Tensor, low: Tensor, high: Tensor) -> Tensor:
        n = fft_size(x.shape[1])
        f = self._freqs(n)[None]
        rows = x.shape[0]
        mask = torch.sigmoid((f - low) / self.uniform(10, 50, rows, 1)) * torch.sigmoid(
            (high - f) / self.uniform(15, 80, rows, 1))
        mask = torch.where(low > 0, mask, torch.sigmoid((high - f) / self.uniform(15, 80, rows, 1)))
        return torch.fft.irfft(torch.fft.rfft(x, n=n) * mask, n=n)[:, :x.shape[1]]

    def _companded(self, x: Tensor) -> Tensor:
        """mu-law or A-law at a random level; returns int16 scale again."""
        rows = x.shape[0]
        level = 10 ** (self.uniform(-32, 0, rows, 1) / 20)
        peak = x.abs().amax(1, keepdim=True).clamp_min(1.0)
        q = x / peak * level
        mu = torch.sign(q) * torch.log1p(255 * q.abs()) / math.log(256.0)
        mu = torch.round(mu * 127) / 127
        mu = torch.sign(mu) * (256 ** mu.abs() - 1) / 255
        a, la = 87.6, 1 + math.log(87.6)
        mag = q.abs()
        al = torch.where(mag < 1 / a, a * mag / la, (1 + torch.log((a * mag).clamp_min(1.0))) / la)
        al = (torch.floor(al * 128).clamp_max(127) + 0.5) / 128
        inv = torch.where(al < 1 / la, al * la / a, torch.exp(al * la - 1) / a)
        out = torch.where(self.rand(rows, 1) < 0.5, mu, torch.sign(q) * inv)
        return out / level * peak

    def _lost_packets(self, x: Tensor, rate: int) -> Tensor:
        """20 ms packets vanish; the decoder plays a faded copy of the packet before, or nothing."""
        size = rate // 50
        rows, packets = x.shape[0], x.shape[1] // size
        body = x[:, :packets * size].reshape(rows, packets, size)
        lost = self.rand(rows, packets) < self.uniform(0.0, 0.12, rows, 1)
        lost[:, 0] = False
        conceal = torch.roll(body, 1, 1) * (self.rand(rows, 1, 1) < 0.5).float() * 0.7
        body = torch.where(lost[..., None], conceal, body).reshape(rows, -1)
        return torch.cat([body, x[:, packets * size:]], 1)

    def telephone(self, x: Tensor) -> Tensor:
        rows, count = x.shape
        narrow, companded, rest = self.deal(rows, 0.66, 0.20)
        wide = torch.zeros(rows, 1, dtype=torch.bool, device=x.device)
        for part in (companded, rest):
            wide[part] = self.rand(len(part), 1) < 0.35
        high = torch.where(wide, self.uniform(5000, 7500, rows, 1), self.uniform(3200, 3950, rows, 1))
        low = torch.where(self.rand(rows, 1) < 0.65, self.uniform(60, 380, rows, 1), torch.zeros(rows, 1, device=x.device))
        y = self._band(x, low, high)
        for part, effect in ((narrow, self._through_8k), (companded, self._companded)):
            if len(part):
                y[part] = effect(y[part])
        return y

    def _through_8k(self, x: Tensor) -> Tensor:
        """Sampled at 8 kHz, coded, damaged, and brought back to 16 kHz with an imperfect filter."""
        rows, count = x.shape
        narrow = x[:, ::2]
        index = self.pick(rows, 0.75)
        if len(index):
            narrow[index] = self._companded(narrow[index])
        index = self.pick(rows, 0.25)
        if len(index):
            narrow[index] = self._lost_packets(narrow[index], 8000)
        out = torch.zeros(rows, narrow.shape[1] * 2, device=x.device)
        out[:, ::2] = narrow * 2
        n = fft_size(out.shape[1])
        f = self._freqs(n)[None]
        edge, width = self.uniform(3700, 4050, rows, 1), self.uniform(10, 90, rows, 1)
        leak = 10 ** (self.uniform(-110, -45, rows, 1) / 20)
        keep = torch.sigmoid((edge - f) / width).clamp_min(leak)
        return torch.fft.irfft(torch.fft.rfft(out, n=n) * keep, n=n)[:, :count]

    def codec(self, x: Tensor) -> Tensor:
        """Low-rate transform codec: weak spectral parts vanish, the others get coarse levels and loose phases."""
        window = torch.hann_window(512, device=x.device)
        spec = torch.stft(x, 512, 256, window=window, return_complex=True)
        mag = spec.abs().clamp_min(1e-3)
        peak = mag.amax(1, keepdim=True)
        rows = x.shape[0]
        gate = 10 ** (self.uniform(-45, -22, rows, 1, 1) / 20)
        step = self.uniform(1.0, 5.0, rows, 1, 1) / 8.686
        coarse = torch.exp(torch.round(mag.log() / step) * step)
        jitter = self.uniform(0, 1.0, rows, 1, 1) * torch.randn_like(mag)
        coarse = torch.where(mag > peak * gate, coarse, coarse * self.uniform(0, 0.2, rows, 1, 1))
        phase = torch.angle(spec) + jitter
        return torch.istft(torch.polar(coarse, phase), 512, 256, window=window, length=x.shape[1])

    def coder_noise(self, x: Tensor) -> Tensor:
        """What speech coders of few bits leave behind: noise that follows the speech in time and frequency.

        Half of the rows get noise with the smoothed spectrum of each frame (linear-prediction coders), the
        others noise that multiplies the signal (the reference impairment of ITU-T P.810).
        """
        rows, count = x.shape
        window = torch.hann_window(512, device=x.device)
        envelope = torch.stft(x, 512, 256, window=window, return_complex=True).abs()
        envelope = F.avg_pool1d(envelope.transpose(1, 2), 9, 1, 4).transpose(1, 2)
        noise = torch.istft(torch.polar(envelope, self.uniform(0, 2 * math.pi, *envelope.shape)), 512, 256, window=window, length=count)
        shaped = x + noise * (rms(x) / rms(noise) * 10 ** (-self.uniform(4, 20, rows, 1) / 20))
        modulated = x * (1 + torch.randn_like(x) * 10 ** (-self.uniform(6, 25, rows, 1) / 20))
        return torch.where(self.rand(rows, 1) < 0.5, shaped, modulated)

    def suppress(self, x: Tensor) -> Tensor:
        """Noise suppression of handsets and browsers: spectral subtraction above a steady floor."""
        window = torch.hann_window(512, device=x.device)
        spec = torch.stft(x, 512, 128, window=window, return_complex=True)
        power = spec.abs().pow(2)
        rows = x.shape[0]
        rank = max(1, int(0.2 * power.shape[2]))
        floor = power.kthvalue(rank, dim=2, keepdim=True).values * self.uniform(1.5, 6.0, rows, 1, 1)
        least = 10 ** (self.uniform(-24, -8, rows, 1, 1) / 10)
        gain = torch.maximum(1 - floor / power.clamp_min(1e-3), least).sqrt()
        gain = F.avg_pool1d(gain, 3, 1, 1, count_include_pad=False)
        return torch.istft(spec * gain, 512, 128, window=window, length=x.shape[1])

    def drive(self, x: Tensor) -> Tensor:
        """A microphone or amplifier that bends the waveform, a little unevenly."""
        rows = x.shape[0]
        gain = self.uniform(1.0, 7.0, rows, 1) / x.abs().amax(1, keepdim=True).clamp_min(1.0)
        bias = self.uniform(-0.4, 0.4, rows, 1)
        y = torch.tanh(gain * x + bias) - torch.tanh(bias)
        return y * (rms(x) / (y.pow(2).mean(1, keepdim=True) + 1e-9).sqrt())

    def finish(self, x: Tensor) -> Tensor:
        """Level, clipping, noise floor and 16-bit rounding: what the last device does."""
        rows = x.shape[0]
        index = self.pick(rows, self.config.clip)
        if len(index):
            limit = x[index].abs().amax(1, keepdim=True) * self.uniform(0.2, 0.7, len(index), 1)
            x[index] = torch.maximum(torch.minimum(x[index], limit), -limit)
        index = self.pick(rows, self.config.floor)
        if len(index):
            part = x[index] * (10 ** (self.uniform(-30, 3, len(index), 1) / 20))
            part = part + torch.randn_like(part) * 10 ** self.uniform(-2.5, 1.0, len(index), 1)
            x[index] = torch.where(self.rand(len(index), 1) < 0.6, part.round(), part)
        return x

    def __call__(self, clean: Tensor) -> Tensor:
        c = self.config
        batch = clean.shape[0]
        y = clean.clone()
        for probability, effect in ((c.reverb, self.reverb), (c.colour, self.colour)):
            index = self.pick(batch, probability)
            if len(index):
                z = effect(y[index])
                y[index] = z * (rms(y[index]) / rms(z))
        index = self.pick(batch, c.noise)
        if len(index):
            y[index] = self.add_noise(y[index], clean)
        for probability, effect in ((c.suppress, self.suppress), (c.drive, self.drive), (c.codec, self.codec),
                                    (c.coder_noise, self.coder_noise), (c.telephone, self.telephone)):
            index = self.pick(batch, probability)
            if len(index):
                y[index] = effect(y[index])
        y = self.finish(y)
        return torch.where(self.rand(batch, 1) < c.untouched, clean, y)


def mask_features(feats: Tensor, max_bins: int = 8, max_frames: int = 16, probability: float = 0.4) -> Tensor:
    """One random band and one random stretch of time are set to the mean (zero)."""
    batch, frames, bins = feats.shape
    device = feats.device

    def span(size: int, widest: int) -> Tensor:
        width = torch.randint(0, widest + 1, (batch, 1), device=device)
        start = (torch.rand(batch, 1, device=device) * (size - width)).long()
        position = torch.arange(size, device=device)[None]
        used = torch.rand(batch, 1, device=device) < probability
        return (position >= start) & (position < start + width) & used

    feats = feats.masked_fill(span(bins, max_bins)[:, None, :], 0)
    return feats.masked_fill(span(frames, max_frames)[:, :, None], 0)
