"""Owns the split of the attacks: what training of the `hold` copy sees, what choices are made on, and what is only reported."""

# Written before the third run. The `hold` copy never sees HELD_OUT. Choices (which networks, how they are put together, when to stop) are made on CHOOSE.
# REPORT is scored once, when nothing can change any more: two systems that `hold` never saw, and FRESH, which no copy of any revision was trained on.
CHOOSE = {"mimic3", "festival-hts", "openjtalk", "vits-curie"}
FRESH = {"piper-ryan", "piper-hfc", "dectalk", "neural-flow"}
REPORT = {"kokoro-v1", "kokoro-v019"} | FRESH
HELD_OUT = {"mimic3", "festival-hts", "openjtalk", "vits-curie", "kokoro-v1", "kokoro-v019"}

# (loudspeaker, room). Held out: loudspeakers of the family `smooth` and rooms of the family `image`; `smooth` in `image` has both unseen.
SEEN_REPLAY = (("peaks", "tail"), ("peaks", "bands"), ("driver", "tail"), ("driver", "bands"))
HELD_REPLAY = (("smooth", "image"), ("peaks", "image"), ("smooth", "tail"), ("driver", "image"), ("smooth", "bands"))

# Neural systems with many voices say more about the attacks of today than the classic ones.
WEIGHT = {"piper": 5, "piper-libritts": 4, "ttsvctk": 3, "mimic3": 2, "kokoro-v1": 3, "kokoro-v019": 2, "sam": 0.5, "festival-units": 0.5}
