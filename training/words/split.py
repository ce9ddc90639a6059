"""The 40 speakers of the digits pack, written down before any score was seen: 21 train, 7 choose (calibration, thresholds, settings), 12 judge."""
JUDGE = ("01", "05", "10", "14", "19", "23", "28", "32", "37", "43", "49", "55")
CHOOSE = ("04", "11", "17", "26", "35", "46", "58")
