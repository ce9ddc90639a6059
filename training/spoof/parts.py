"""Owns the parts in which the speech travels to the GPU machine (what one call takes is limited): packs are cut, packets stay as they are.

Usage: parts.py SPEECH OUT BYTES[,BYTES ...] [OWN]     writes OUT/part-1, part-2, ... of at most so many bytes; the last number goes for all that follow
"""
import glob
import json
import os
import struct
import sys

SR, PACKET = 16000, 960


def utterances(source):
    """(label, samples, packets as bytes) of every utterance of a pack; at most `most` packets can be kept by cutting the list."""
    meta, data, at = json.load(open(source + ".json")), open(source + ".pack", "rb").read(), 0
    for label, samples in meta["utts"]:
        _, packets = struct.unpack_from("<II", data, at)
        at, rows = at + 8, []
        for _ in range(packets):
            n = 2 + struct.unpack_from("<H", data, at)[0]
            rows.append(data[at:at + n])
            at += n
        yield label, samples, rows


class Parts:
    """Writes packs into numbered folders of at most so many bytes; a pack that does not fit goes on in the next one under another letter."""

    def __init__(self, out, most):
        self.out, self.limits, self.number = out, most, 0
        self.next()

    def next(self):
        self.number, self.used = self.number + 1, 0
        self.most = self.limits[min(self.number, len(self.limits)) - 1]
        os.makedirs(f"{self.out}/part-{self.number}", exist_ok=True)

    def put(self, source, name, kind, new_set=None, want=lambda i, label: True, most_s=1e9):
        meta, most = json.load(open(source + ".json")), int(most_s * SR / PACKET)
        letter, utts, blob = 0, [], bytearray()

        def close():
            base = f"{self.out}/part-{self.number}/{name}" + ("abcdefgh"[letter] if letter or more else "")
            open(base + ".pack", "wb").write(blob)
            json.dump({"set": new_set or meta["set"], "kind": kind, "utts": utts}, open(base + ".json", "w"))
            self.used += len(blob) + 40 * len(utts)
            print(base, len(utts), "utterances", round(sum(u[1] for u in utts) / SR / 60, 1), "min", len(blob) // 1000, "kB")
        rows = [u for i, u in enumerate(utterances(source)) if want(i, u[0])]
        more = sum(sum(map(len, r[:most])) + 48 for _, _, r in rows) > self.most - self.used
        for label, samples, packets in rows:
            packets = packets[:most]
            body = b"".join(packets)
            if self.used + len(blob) + len(body) + 40 * len(utts) + 48 > self.most:
                close()
                self.next()
                letter, utts, blob = letter + 1, [], bytearray()
            samples = min(samples, len(packets) * PACKET)
            blob += struct.pack("<II", samples, len(packets)) + body
            utts.append([label, samples])
        close()


def few(per_speaker):
    seen = {}

    def want(_, label):
        seen[label] = seen.get(label, 0) + 1
        return seen[label] <= per_speaker
    return want


def main(speech, out, most, own=""):
    """`own`: a folder of packs of attack speech made here (prepare.py)."""
    p = Parts(out, [int(n) for n in most.split(",")])
    p.put(f"{speech}/noise/places", "places", "noise")  # beside what else the first call takes
    p.put(f"{speech}/spoof/piper-vits", "piper-vits", "spoof", "piper-vits", most_s=6)
    p.put(f"{speech}/spoof/mimic3", "mimic3", "spoof", most_s=7)
    for path in sorted(glob.glob(f"{own}/*.json")) if own else []:
        p.put(path[:-5], os.path.basename(path)[:-5], "spoof")
    p.put(f"{speech}/dev/voxforge", "judge-voxforge", "judge", "voxforge", few(2))
    p.put(f"{speech}/dev/commonvoice-dev", "judge-cvdev", "judge", "cvdev", few(1))
    p.put(f"{speech}/dev/calls-dev", "calls-dev", "judge")
    p.next()
    p.put(f"{speech}/spoof/attacks-train", "attacks-train", "attacks")
    p.put(f"{speech}/train/librispeech", "librispeech", "train")
    p.next()
    p.put(f"{speech}/noise/esc10", "esc10", "noise")  # beside the first piece of Kokoro
    p.next()
    p.put(f"{speech}/train/speechocean762", "speechocean762", "train")  # beside the second
    p.next()
    p.put(f"{speech}/train/commonvoice-0", "commonvoice-0", "train")
    p.next()
    p.put(f"{speech}/train/commonvoice-1", "commonvoice-1", "train")


if __name__ == "__main__":
    main(*sys.argv[1:])
