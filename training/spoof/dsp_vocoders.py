"""Owns copy-synthesis by signal processing: bona fide speech in, the same words with a vocoder's artefacts out. Batched, torch, [B, N] at 16 kHz.

Every vocoder draws its own settings per batch, so that one kind covers a family and not one program.
"""
import math
import random

import torch
import torch.nn.functional as F

SR = 16000


def stft(x, n, hop):
    return torch.stft(x, n, hop, window=torch.hann_window(n, device=x.device), return_complex=True)


def istft(X, n, hop, length):
    return torch.istft(X, n, hop, window=torch.hann_window(n, device=X.device), length=length)


def mel_basis(n_fft, n_mels, lo, hi, device):
    m = lambda f: 1127.0 * math.log(1 + f / 700.0)
    edges = torch.linspace(m(lo), m(hi), n_mels + 2, device=device)
    bins = 1127.0 * torch.log(1 + torch.arange(n_fft // 2 + 1, device=device) * SR / n_fft / 700.0)
    up = (bins[None] - edges[:-2, None]) / (edges[1:-1] - edges[:-2])[:, None]
    down = (edges[2:, None] - bins[None]) / (edges[2:] - edges[1:-1])[:, None]
    return torch.minimum(up, down).clamp_min(0)


def griffin_lim_from(mag, n, hop, length, iterations, momentum):
    phase = torch.exp(2j * math.pi * torch.rand(mag.shape, device=mag.device))
    before = torch.zeros_like(phase)
    for _ in range(iterations):
        again = stft(istft(mag * phase, n, hop, length), n, hop)
        phase = again - momentum * before
        phase = phase / phase.abs().clamp_min(1e-8)
        before = again
    return istft(mag * phase, n, hop, length)


def smooth(mag, rng):
    """What an acoustic model does to spectra: blur over time and frequency."""
    if rng.random() < 0.5:
        k = rng.choice([3, 5])
        axis = rng.choice([(1, k), (k, 1), (3, 3)])
        mag = F.avg_pool2d(mag[:, None], axis, 1, (axis[0] // 2, axis[1] // 2), count_include_pad=False)[:, 0]
    return mag


def griffin_lim(x, rng):
    n = rng.choice([400, 512, 800, 1024, 2048])
    hop = n // rng.choice([4, 4, 8])
    return griffin_lim_from(smooth(stft(x, n, hop).abs(), rng), n, hop, x.shape[1], rng.choice([4, 8, 16, 32, 60]), rng.choice([0.0, 0.5, 0.9]))


def mel_griffin_lim(x, rng):
    n = rng.choice([800, 1024, 1024])
    hop = n // 4
    mel = mel_basis(n, rng.choice([60, 80, 80, 100, 128]), rng.choice([0, 20, 60]), rng.choice([7600, 8000]), x.device)
    logs = (mel @ stft(x, n, hop).abs()).clamp_min(1e-3).log()
    back = torch.linalg.pinv(mel) @ smooth(logs, rng).exp()
    return griffin_lim_from(back.clamp_min(1e-3), n, hop, x.shape[1], rng.choice([16, 32, 60]), rng.choice([0.5, 0.9]))


def pitch(x, hop):
    """Autocorrelation pitch per hop: (f0 in Hz, voicing 0..1), each [B, T]."""
    f = F.pad(x, (512, 512)).unfold(1, 1024, hop)
    f = (f - f.mean(-1, keepdim=True)) * torch.hann_window(1024, device=x.device)
    power = torch.fft.rfft(f, n=2048).abs() ** 2
    ac = torch.fft.irfft(power)[..., :320]
    ac = ac / ac[..., :1].clamp_min(1e-3)
    lo, hi = SR // 400, SR // 70
    best, lag = ac[..., lo:hi].max(-1)
    f0 = SR / (lag + lo).float()
    f0 = f0.unfold(1, 5, 1).median(-1).values
    return F.pad(f0[:, None], (2, 2), mode="replicate")[:, 0], best


def envelope(mag, lifter):
    """Cepstrally smoothed log spectrum of [B, K, T]."""
    logs = mag.clamp_min(1e-2).log()
    cep = torch.fft.irfft(logs, dim=1)
    keep = torch.zeros(cep.shape[1], device=mag.device)
    keep[:lifter] = 1
    keep[-lifter + 1:] = 1
    return torch.fft.rfft(cep * keep[:, None], dim=1).real


def minimum_phase(log_env):
    cep = torch.fft.irfft(log_env, dim=1)
    n = cep.shape[1]
    fold = torch.zeros(n, device=cep.device)
    fold[0] = 1
    fold[1:n // 2] = 2
    fold[n // 2] = 1
    return torch.exp(torch.fft.rfft(cep * fold[:, None], dim=1))


def source_filter(x, rng):
    """WORLD-like: pitch, smoothed envelope and band aperiodicity, put together again; pitch and formants may move (voice conversion)."""
    n, hop = 1024, rng.choice([80, 160, 240])
    X = stft(x, n, hop)
    f0, voicing = pitch(x, hop)
    T = min(X.shape[2], f0.shape[1])
    X, f0, voicing = X[:, :, :T], f0[:, :T], voicing[:, :T]
    env = envelope(X.abs(), rng.choice([24, 40, 60, 90]))
    if rng.random() < 0.5:
        f0 = f0 * rng.uniform(0.7, 1.45)
        warp = rng.uniform(0.88, 1.14)
        k = (torch.arange(env.shape[1], device=x.device) * warp).clamp_max(env.shape[1] - 1.001)
        i = k.long()
        w = (k - i)[None, :, None]
        env = env[:, i] * (1 - w) + env[:, i + 1] * w
    if rng.random() < 0.5:
        env = F.avg_pool1d(env.transpose(1, 2).reshape(-1, T, env.shape[1]).transpose(1, 2), 5, 1, 2, count_include_pad=False)
    N = x.shape[1]
    up = lambda a: F.interpolate(a[:, None], size=N, mode="linear", align_corners=False)[:, 0]
    phase = torch.cumsum(up(f0) / SR, 1)
    kind = rng.choice(["pulse", "pulse", "sines"])
    if kind == "pulse":
        pulse = F.pad((phase.floor()[:, 1:] > phase.floor()[:, :-1]).float(), (1, 0)) * torch.sqrt(SR / up(f0))
    else:
        pulse = sum(torch.cos(2 * math.pi * h * phase) * (up(f0) * h < 7800) for h in range(1, 41)) * torch.sqrt(2 * up(f0) / SR)
    noise = torch.randn_like(x)
    P, Z = stft(pulse, n, hop)[:, :, :T], stft(noise, n, hop)[:, :, :T]
    freq = torch.arange(n // 2 + 1, device=x.device)[None, :, None] * SR / n
    cut = rng.uniform(2500, 7000)
    harmonic = torch.sigmoid((voicing[:, None] - rng.uniform(0.35, 0.55)) * 20) * torch.sigmoid((cut - freq) / 500)
    H = minimum_phase(env) if rng.random() < 0.6 else env.exp() + 0j
    white = math.sqrt(n * 3 / 8)
    Y = H * (P / white * harmonic.sqrt() + Z / white * (1 - harmonic).sqrt())
    return istft(Y, n, hop, N)


def lpc(x, rng):
    """LPC synthesis with a changed residual: upper band folded from the lower one, or random phases.

    A merely quantised residual is left out on purpose: that is what telephone codecs do to honest speech."""
    n, hop = 512, 128
    X = stft(x, n, hop)
    power = X.abs() ** 2
    order = rng.choice([12, 16, 20])
    ac = torch.fft.irfft(power, dim=1)[:, :order + 1].transpose(1, 2)
    ac = ac * torch.exp(-0.5 * (2 * math.pi * 40 / SR * torch.arange(order + 1, device=x.device)) ** 2)
    ac[..., 0] = ac[..., 0] * 1.0005 + 1e-3
    R = ac[..., (torch.arange(order, device=x.device)[:, None] - torch.arange(order, device=x.device)[None]).abs()]
    a = torch.linalg.solve(R, ac[..., 1:, None])[..., 0]
    A = torch.fft.rfft(torch.cat([torch.ones_like(a[..., :1]), -a], -1), n=n).transpose(1, 2)
    E = X * A
    if rng.random() < 0.5:
        cut = rng.choice([64, 86, 128])
        low = E[:, :cut]
        reps = math.ceil(E.shape[1] / cut)
        E = torch.cat([low] + [low.flip(1) if k % 2 else low for k in range(1, reps)], 1)[:, :E.shape[1]]
    else:
        E = E.abs() * torch.exp(1j * (E.angle() + rng.uniform(0.7, 1.6) * torch.randn(E.shape, device=x.device)))
    return istft(E / A, n, hop, x.shape[1])


def phase_damage(x, rng):
    """Keep magnitudes, damage phases: zero or minimum phase per frame, jitter, or phase from a low-passed guess."""
    n = rng.choice([512, 1024])
    hop = n // 4
    X = stft(x, n, hop)
    way = rng.choice(["jitter", "smooth", "advance"])
    if way == "jitter":
        phi = X.angle() + rng.uniform(0.6, 2.0) * torch.randn(X.shape, device=x.device)
    elif way == "smooth":
        Y = torch.view_as_real(X).permute(0, 3, 1, 2).reshape(-1, *X.shape[1:])
        Y = F.avg_pool2d(Y[:, None], (1, 3), 1, (0, 1))[:, 0].reshape(X.shape[0], 2, *X.shape[1:])
        phi = torch.atan2(Y[:, 1], Y[:, 0])
    else:  # phase vocoder with an estimated frequency per bin
        step = X[:, :, 1:] * X[:, :, :-1].conj()
        advance = F.avg_pool2d(torch.view_as_real(step).permute(0, 3, 1, 2), (1, 3), 1, (0, 1))
        turn = torch.atan2(advance[:, 1], advance[:, 0])
        phi = torch.cat([X[:, :, :1].angle(), X[:, :, :1].angle() + torch.cumsum(turn, 2)], 2)
    return istft(smooth(X.abs(), rng) * torch.exp(1j * phi), n, hop, x.shape[1])


def spectral_codec(x, rng):
    """Transform-codec-like: coarse log magnitudes per band, noise or copies in the upper band."""
    n = rng.choice([320, 640])
    hop = n // 4
    X = stft(x, n, hop)
    step = rng.uniform(0.7, 1.3)
    mag = (torch.round(X.abs().clamp_min(1e-2).log() / step) * step).exp()
    bits = rng.choice([4, 6])
    phi = torch.round(X.angle() / (2 * math.pi) * bits) / bits * 2 * math.pi
    cut = int(X.shape[1] * rng.uniform(0.35, 0.7))
    phi[:, cut:] = 2 * math.pi * torch.rand(phi[:, cut:].shape, device=x.device)
    return istft(mag * torch.exp(1j * phi), n, hop, x.shape[1])


def mlsa(x, rng):
    """HTS-like: mel-cepstral envelope every 5 ms, mixed pulse and noise per voicing decision, minimum phase; parameters are smoothed over time
    as a statistical model does, and variance is sometimes put back (global variance)."""
    n, hop = 1024, 80
    X = stft(x, n, hop)
    f0, voicing = pitch(x, hop)
    T = min(X.shape[2], f0.shape[1])
    X, f0, voicing = X[:, :, :T], f0[:, :T], voicing[:, :T]
    env = warped_envelope(X.abs(), rng.choice([24, 30, 34, 39, 49]), rng.uniform(0.35, 0.6))
    k = rng.choice([1, 5, 9, 15])
    if k > 1:
        mean = env.mean(2, keepdim=True)
        blur = F.avg_pool1d(env, k, 1, k // 2, count_include_pad=False)
        env = mean + (blur - mean) * rng.choice([1.0, 1.0, 1.15])
        f0 = F.avg_pool1d(f0[:, None], k, 1, k // 2, count_include_pad=False)[:, 0]
    if rng.random() < 0.5:
        f0 = f0 * rng.uniform(0.75, 1.35)
        env = shift_formants(env, rng.uniform(0.88, 1.14))
    N = x.shape[1]
    up = lambda a: F.interpolate(a[:, None], size=N, mode="linear", align_corners=False)[:, 0]
    phase = torch.cumsum(up(f0) / SR, 1)
    voiced = (up(voicing) > rng.uniform(0.4, 0.55)).float()
    pulse = F.pad((phase.floor()[:, 1:] > phase.floor()[:, :-1]).float(), (1, 0)) * torch.sqrt(SR / up(f0))
    noise = torch.randn_like(x)
    if rng.random() < 0.5:  # plain switch between pulses and noise
        e = torch.where(voiced > 0.5, pulse, noise)
        E = stft(e, n, hop)[:, :, :T]
    else:  # band-wise mix
        freq = torch.arange(n // 2 + 1, device=x.device)[None, :, None] * SR / n
        share = torch.sigmoid((rng.uniform(2000, 5500) - freq) / 400) * F.interpolate(voiced[:, None], size=T)[:, 0][:, None]
        E = stft(pulse, n, hop)[:, :, :T] * share.sqrt() + stft(noise, n, hop)[:, :, :T] * (1 - share).sqrt()
    return istft(minimum_phase(env) * E / math.sqrt(n * 3 / 8), n, hop, N)


def warped_envelope(mag, order, alpha):
    """Log spectrum smoothed by a cepstrum of `order` on a warped (mel-like) frequency axis."""
    K = mag.shape[1]
    w = torch.arange(K, device=mag.device) / (K - 1) * math.pi
    warp = (w + 2 * torch.atan(alpha * torch.sin(w) / (1 - alpha * torch.cos(w)))) / math.pi * (K - 1)
    back = (w - 2 * torch.atan(alpha * torch.sin(w) / (1 + alpha * torch.cos(w)))) / math.pi * (K - 1)
    logs = mag.clamp_min(1e-2).log()
    cep = torch.fft.irfft(at(logs, back), dim=1)
    keep = torch.zeros(cep.shape[1], device=mag.device)
    keep[:order] = 1
    keep[-order + 1:] = 1
    return at(torch.fft.rfft(cep * keep[:, None], dim=1).real, warp)


def at(a, pos):
    """Linear interpolation of [B, K, T] at fractional rows."""
    pos = pos.clamp(0, a.shape[1] - 1.001)
    i = pos.long()
    w = (pos - i)[None, :, None]
    return a[:, i] * (1 - w) + a[:, i + 1] * w


def shift_formants(env, factor):
    return at(env, torch.arange(env.shape[1], device=env.device) * factor)


def convert(x, rng):
    """Voice conversion by phase vocoder: pitch and formants move apart, phases are propagated, spectra blurred a little."""
    n = rng.choice([512, 1024])
    hop = n // 4
    X = stft(x, n, hop)
    mag = X.abs()
    env = envelope(mag, rng.choice([20, 30, 40]))
    fine = mag.clamp_min(1e-2).log() - env
    ratio = rng.choice([rng.uniform(0.72, 0.93), rng.uniform(1.07, 1.4)])
    fine = at(fine, torch.arange(fine.shape[1], device=x.device) / ratio)
    mag = (fine + shift_formants(env, rng.uniform(0.85, 1.17))).clamp(-6, 16).exp()
    turn = torch.angle(X[:, :, 1:] * X[:, :, :-1].conj())
    base = 2 * math.pi * hop / n * torch.arange(X.shape[1], device=x.device)[None, :, None]
    deviation = torch.remainder(turn - base + math.pi, 2 * math.pi) - math.pi
    true = at((base + deviation), torch.arange(X.shape[1], device=x.device) / ratio) * ratio
    phi = torch.cat([X[:, :, :1].angle(), X[:, :, :1].angle() + torch.cumsum(true, 2)], 2)
    return istft(smooth(mag, rng) * torch.exp(1j * phi), n, hop, x.shape[1])


def harmonics(x, rng):
    """Harmonic plus noise: sines at multiples of the pitch with amplitudes read off the spectrum, noise shaped by the rest."""
    n, hop = 1024, rng.choice([80, 160])
    X = stft(x, n, hop)
    f0, voicing = pitch(x, hop)
    T, N = min(X.shape[2], f0.shape[1]), x.shape[1]
    mag, f0, voicing = X.abs()[:, :, :T], f0[:, :T], voicing[:, :T]
    up = lambda a: F.interpolate(a[:, None], size=N, mode="linear", align_corners=False)[:, 0]
    phase, f = 2 * math.pi * torch.cumsum(up(f0) / SR, 1), up(f0)
    gate = up((voicing > 0.45).float()) if rng.random() < 0.5 else up(voicing.clamp(0, 1))
    jitter = rng.choice([0.0, 0.0, 0.6])
    y = torch.zeros_like(x)
    top = rng.uniform(3500, 7800)
    for h in range(1, 49):
        k = (f0 * h / SR * n).clamp(0, n // 2 - 1).round().long()
        amp = mag.gather(1, k[:, None])[:, 0] * 4 / n
        y = y + up(amp) * torch.cos(h * phase + jitter * h * h * 0.1 + 0.7 * h) * (f * h < top)
    env = envelope(mag, rng.choice([30, 60]))
    freq = torch.arange(n // 2 + 1, device=x.device)[None, :, None] * SR / n
    share = 1 - (F.interpolate(gate[:, None], size=T)[:, 0][:, None] * torch.sigmoid((top - freq) / 400)).clamp(0, 0.97)
    z = istft(env.exp() * share * stft(torch.randn_like(x), n, hop)[:, :, :T] / math.sqrt(n * 3 / 8), n, hop, N)
    return y * gate + z


def stages(x, rng):
    """What upsampling in learned stages leaves: each stage's filter differs from sample to sample within its step, so every component gets faint images at multiples of the stage's rate;
    above some frequency the phases are the generator's own."""
    n, N = torch.arange(x.shape[1], device=x.device)[None], x.shape[1]
    gain = torch.zeros(1, N, device=x.device)
    for step in rng.sample([2, 3, 4, 5, 8, 10, 16, 64, 80, 128, 160, 256], rng.choice([1, 2, 3])):
        for k in range(1, min(4, step)):
            gain = gain + 10 ** (-rng.uniform(22, 42) / 20) * torch.cos(2 * math.pi * k * n / step + rng.uniform(0, 2 * math.pi))
    y = x * (1 + gain)
    size = rng.choice([512, 1024])
    Y = stft(y, size, size // 4)
    freq = torch.arange(Y.shape[1], device=x.device)[None, :, None] * SR / size
    own = torch.sigmoid((freq - rng.uniform(2500, 7000)) / 300) * rng.uniform(0.3, 1.2)
    return istft(smooth(Y.abs(), rng) * torch.exp(1j * (Y.angle() + own * torch.randn(Y.shape, device=x.device))), size, size // 4, N)


KINDS = {"gl": griffin_lim, "mel-gl": mel_griffin_lim, "source-filter": source_filter, "lpc": lpc, "phase": phase_damage, "spectral-codec": spectral_codec,
         "mlsa": mlsa, "convert": convert, "harmonics": harmonics, "stages": stages}


def copy_synthesis(kind, x, rng=random):
    """x: [B, N] float (int16 scale). The result keeps the level of the source."""
    y = torch.nan_to_num(KINDS[kind](x, rng))
    if y.shape[1] < x.shape[1]:
        y = F.pad(y, (0, x.shape[1] - y.shape[1]))
    y = y[:, : x.shape[1]]
    level = lambda a: a.pow(2).mean(1, keepdim=True).sqrt().clamp_min(1)
    return (y * level(x) / level(y)).clamp(-32768, 32767)
