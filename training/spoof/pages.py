"""Owns what the pages' material is and how it is divided: labels, folds (pages and families of vocoders that a copy of the network never meets), and the drawing of pairs."""
import random
import zlib

from bank import Label

FOLDS = 5
# Pages held out by each fold: originals and copies of a page stay together. Written before the ninth run (the runs before it had three folds, of which two were judged).
PAGE_FOLD = {
    "google": 0, "quickvc": 0,
    "cantabile-kwok": 1, "keonlee9420": 1,
    "e1tts": 2, "rhasspy": 2, "janvainer": 2,
    "FunAudioLLM": 3, "exercise-book-yq": 3, "EdgeTX": 3,
    "MobileSpeech": 4, "jackaduma": 4, "ming024": 4,
}
# Families of our own copies held out by each fold. None any more: that unmet families of our making are heard is known (seventh and eighth run), and says nothing about pages.
COPY_FOLD = {}
# Larger pages hold more papers and systems; pages without originals are paired with people of any corpus.
PAGE_WEIGHT = {"google": 3, "cantabile-kwok": 3, "e1tts": 3, "exercise-book-yq": 2, "FunAudioLLM": 2, "MobileSpeech": 1.5, "jackaduma": 1, "janvainer": 1, "ming024": 1.2, "quickvc": 0.8}
LONE_WEIGHT = {"EdgeTX": 2, "rhasspy": 2, "keonlee9420": 1, "piper-vits": 2, "mimic3": 1.5, "kokoro-v1": 1.5, "espeak-ng": 0.8, "flite": 0.6}
STRANGER = 0.25  # share of the pages' attacks that are paired with a person of a corpus: a page has few originals, and every network soon knows them
CALLED = 0.12  # share of the plain pairs that come over real telephone coders, both sides
CALLED_PHONE = 0.5  # the same of the pairs that stand for telephone calls (the others are cut to the telephone band on the device)
NEAR = 0.5  # share of the pages' pairs whose original comes from the attack's own folder, or from the nearest one that has any: a page often shows several papers
CORPUS_WEIGHT = {"cv": 0.5, "libri": 0.25, "so762": 0.1}


# Called originals in the pack, but the folder names a synthesizer that the page compares itself with (16 files; found by looking at the originals that score highest, as the pack's README advises).
NO_ORIGINALS = ("cantabile-kwok/EmoDiff-intensity-ctrl/diversity/MixedEmotion", "cantabile-kwok/EmoDiff-intensity-ctrl/naturalness/MixedEmotion", "cantabile-kwok/word-level-prosody-tagging-control/naturalness/raw_fastspeec")


def parse(label):
    """`s:page/system...` -> Label."""
    kind, rest = label.split(":", 1)
    return Label("s" if rest in NO_ORIGINALS else kind, rest.split("/")[0], rest)


def folds_of(label):
    """The folds that must not see this recording."""
    found = {PAGE_FOLD.get(label.page, -1)}
    if label.kind in ("copy", "orig"):
        found.add(COPY_FOLD.get(label.system.split("@")[0], -1))
    return found - {-1}


def called(plain):
    """How many of such pairs come over real telephone coders."""
    return CALLED_PHONE if plain == "phone" else CALLED


def nearest(systems, system):
    """Those of the originals' folders that share most of their path with this attack's."""
    mine = system.split("/")
    shared = {s: next((i for i, (a, b) in enumerate(zip(s.split("/"), mine)) if a != b), min(len(mine), s.count("/") + 1)) for s in systems}
    return [s for s in systems if shared[s] == max(shared.values())]


def is_fresh(corpus, speaker):
    """People of the training corpora that training never meets: thresholds are set on them."""
    return zlib.crc32(f"{corpus}/{speaker}".encode()) % 100 < 12


class Draw:
    """Chooses recordings: pairs of an original (or a person) and an attack. Each entry is a list of versions of the same recording."""

    def __init__(self, seed):
        self.rng, self.real, self.fake, self.people, self.copies, self.near = random.Random(seed), {}, {}, {}, {}, {}

    def add(self, label, versions, own=None):
        """`own`: versions of the copy's own original."""
        if label.kind == "copy":
            self.copies.setdefault(label.system.split("@")[0], []).append((versions, own))
        elif label.kind == "b" and label.page in PAGE_FOLD:
            self.real.setdefault(label.page, {}).setdefault(label.system, []).append(versions)
            self.near = {}
        elif label.kind == "b":
            self.people.setdefault(label.page, []).append(versions)
        else:
            self.fake.setdefault(label.page, {}).setdefault(label.system, []).append(versions)

    def _one(self, by_system):
        return self.rng.choice(by_system[self.rng.choice(list(by_system))])

    def _both(self, real, fake, plain):
        """The same version of both: with `plain` (True, or "phone": telephone calls) as they came, or, some of them, over the telephone (the third version, where there is one a fourth, made while the training goes on)."""
        have = min(len(real), len(fake))
        if plain and (have < 3 or self.rng.random() >= called(plain)):
            return real[0], fake[0]
        if plain:  # each side by draws of its own
            return self.rng.choice(real[2:]), self.rng.choice(fake[2:])
        k = self.rng.randrange(min(have, 3))
        return real[k], fake[k]

    def person(self):
        if self.rng.random() < 0.15:
            return self._one(self.real[self.rng.choice(list(self.real))])
        names = list(self.people)
        return self.rng.choice(self.people[self.rng.choices(names, [CORPUS_WEIGHT.get(n, 0.1) for n in names])[0]])

    def page_pair(self, plain=False):
        names = [p for p in self.real if p in self.fake]
        page = self.rng.choices(names, [PAGE_WEIGHT.get(p, 1) for p in names])[0]
        system = self.rng.choice(list(self.fake[page]))
        if self.rng.random() < STRANGER:
            real = self.person()
        elif self.rng.random() < NEAR:
            if system not in self.near:
                self.near[system] = nearest(list(self.real[page]), system)
            real = self.rng.choice(self.real[page][self.rng.choice(self.near[system])])
        else:
            real = self._one(self.real[page])
        return self._both(real, self.rng.choice(self.fake[page][system]), plain)

    def lone_pair(self, plain=False):
        names = [p for p in self.fake if p not in self.real]
        page = self.rng.choices(names, [LONE_WEIGHT.get(p, 1) for p in names])[0]
        return self._both(self.person(), self._one(self.fake[page]), plain)

    def copy_pair(self, families, plain=False):
        """A recording and its copy; the second version of both, where there is one, is over the telephone."""
        versions, own = self.rng.choice(self.copies[self.rng.choice(sorted(families))])
        have = min(len(versions), len(own))
        k = self.rng.randrange(have) if not plain else 1 if have > 1 and self.rng.random() < called(plain) else 0
        return own[k], versions[k]
