"""Makes answers and what the encoder hears in them: training answers, or those that judge.

Usage: make.py PACKS LIBS ENCODER.onnx OUT train SEED COUNT      random answers, speakers in turn
       make.py PACKS LIBS ENCODER.onnx OUT judge SEED COUNT      every kind of judge.py, speakers in turn; takes as recorded
       make.py PACKS LIBS - OUT files SEED COUNT                 answers of those who judge as 8 kHz WAV files, with the LIST.tsv of bench/words.ts: the right words, then one of them replaced

Writes shards of 40 answers: OUT/KIND-SEED-N.npz with hidden4, hidden6 (16-bit floats, one after another), frames, labels, spans, speakers, kinds.
"""
import sys
from pathlib import Path

import numpy as np
import onnxruntime

from answers import FILLER, RATE, Answers, down

HOP = 320
KINDS = ("mulaw", "mulaw", "mulaw", "quick", "phone", "behind", "around", "speech", "silence", "noise", "two", "double")


def judged(a, rng, speaker, kind):
    """One answer of a kind: right ones (mulaw, quick: overlapping, phone: every trouble, behind: a voice 15 to 25 dB below, around: words before or after); speech, silence and noise alone; two: another speaker says the last two digits; double: another speaker says other digits at the same time."""
    four = [int(d) for d in rng.integers(0, 10, 4)]
    if kind in ("mulaw", "quick", "phone", "around", "behind"):
        edge = lambda: rng.uniform(0.4, 1.5) if kind == "around" and rng.random() < 0.7 else 0.0
        parts = [(x, d) for x, d in zip(a.said(rng, speaker, four, plain=True), four)]
        before, after = edge(), edge()
        if before: parts.insert(0, (a.piece(rng, before), FILLER))
        if after: parts.append((a.piece(rng, after), FILLER))
        x, labels, spans = a.joined(rng, parts, pace={"quick": 0}.get(kind, 1 + int(rng.random() < 0.5)))
        if kind == "behind":
            y = a.piece(rng, len(x) / RATE); x[:len(y)] += y * np.sqrt((x ** 2).mean()) * 10 ** (-rng.uniform(15, 25) / 20)
        return a.through(rng, x, "phone" if kind == "phone" else "mulaw"), labels, spans
    other = a.speakers[rng.integers(len(a.speakers))]
    if kind == "two":
        parts = list(zip(a.said(rng, speaker, four[:2], True) + a.said(rng, other, four[2:], True), four))
        x, labels, spans = a.joined(rng, parts, pace=1)
        return a.through(rng, x, "mulaw"), labels, spans
    if kind == "double":
        x, labels, spans = a.joined(rng, list(zip(a.said(rng, speaker, four, True), four)), pace=1)
        more = [int(d) for d in rng.integers(0, 10, 4)]
        y, _, _ = a.joined(rng, list(zip(a.said(rng, other, more, True), more)), pace=1)
        n = min(len(x), len(y)); x[:n] += y[:n] * 10 ** (-rng.uniform(0, 6) / 20)
        return a.through(rng, x, "mulaw"), labels, spans
    if kind == "speech":
        x, labels, spans = a.joined(rng, [(a.piece(rng, rng.uniform(2, 5)), FILLER)], pace=1)
        return a.through(rng, x, "mulaw"), labels, spans
    n = int(rng.uniform(2, 5) * RATE)
    if kind == "noise":
        at = rng.integers(len(a.noise) - n)
        return a.through(rng, a.noise[at:at + n].astype(np.float64), "mulaw"), [], []
    return a.through(rng, np.zeros(n), "mulaw"), [], []


def files(a, rng, out, count):
    """In the plain band, for the product itself."""
    import scipy.io.wavfile
    from split import JUDGE
    words = "zero one two three four five six seven eight nine".split()
    lines = []
    for i in range(count):
        speaker, kind = JUDGE[i % len(JUDGE)], ("mulaw", "quick", "phone")[i // len(JUDGE) % 3]
        x, said, _ = judged(a, rng, speaker, kind)
        name = f"{kind}-{speaker}-{i}.wav"
        scipy.io.wavfile.write(Path(out) / name, 8000, np.clip(np.round(down(x.astype(np.float64))), -32768, 32767).astype(np.int16))
        wrong = list(said); at = int(rng.integers(4)); wrong[at] = (wrong[at] + int(rng.integers(1, 10))) % 10
        lines += [f"{name}\t{' '.join(words[d] for d in digits)}" for digits in (said, wrong)]
    (Path(out) / "list.tsv").write_text("\n".join(lines) + "\n")


def whole(x):
    """A whole multiple of 20 ms."""
    return x[:len(x) // HOP * HOP].astype(np.float32)


def main():
    packs, libs, encoder, out, kind, seed, count = sys.argv[1:8]
    a = Answers(packs, libs)
    if kind == "files":
        files(a, np.random.default_rng([int(seed), 2]), out, int(count))
        return
    options = onnxruntime.SessionOptions(); options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(encoder, options)
    rng = np.random.default_rng([int(seed), 0 if kind == "train" else 1])
    order = rng.permutation(len(a.speakers))
    shard, n = [], 0
    for i in range(int(count)):
        speaker = a.speakers[order[i % len(order)]]
        what = "train" if kind == "train" else KINDS[(i // len(order)) % len(KINDS)]
        x, labels, spans = a.drawn(rng, speaker) if kind == "train" else judged(a, rng, speaker, what)
        four, six = session.run(["hidden4", "hidden6"], {"wave": whole(x)[None]})
        shard.append((speaker, what, four[0], six[0], labels, spans))
        if len(shard) == 40:
            np.savez(Path(out) / f"{kind}-{seed}-{n}.npz", hidden4=np.concatenate([s[2] for s in shard]).astype(np.float16), hidden6=np.concatenate([s[3] for s in shard]).astype(np.float16),
                     frames=[len(s[2]) for s in shard], speakers=[s[0] for s in shard], kinds=[s[1] for s in shard],
                     labels=np.array([s[4] for s in shard] + [None], object), spans=np.array([s[5] for s in shard] + [None], object))
            shard, n = [], n + 1


if __name__ == "__main__":
    main()
