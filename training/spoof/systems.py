"""Owns the split of the attacks: what training of the `hold` copy sees, what choices are made on, and what is only reported."""

# Choices (which networks, how they are put together, when to stop) are made on CHOOSE. REPORT is scored once, at the end.
CHOOSE = {"mimic3", "festival-hts", "openjtalk"}
REPORT = {"kokoro-v1", "kokoro-v019", "vits-curie"}
HELD_OUT = CHOOSE | REPORT
NEURAL = ("kokoro-v1", "kokoro-v019", "mimic3")

# (loudspeaker, room). Held out: loudspeakers of the family `smooth` and rooms of the family `image`; `smooth` in `image` has both unseen.
SEEN_REPLAY = (("peaks", "tail"), ("peaks", "bands"), ("driver", "tail"), ("driver", "bands"))
HELD_REPLAY = (("smooth", "image"), ("peaks", "image"), ("smooth", "tail"), ("driver", "image"), ("smooth", "bands"))

# Neural systems with many voices say more about the attacks of today than the classic ones.
WEIGHT = {"piper": 6, "ttsvctk": 3, "mimic3": 2, "kokoro-v1": 3, "kokoro-v019": 2, "sam": 0.5, "festival-units": 0.5}
