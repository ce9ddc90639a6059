"""Owns the order of the statistics of rich_view.Rich by name, and how pieces that were computed in another order are picked into it."""
import torch

LAYOUT = {}


def _names(text):
    for item in text.split():
        name, size = item.rsplit(":", 1)
        LAYOUT[name] = int(size)


# statistics_view.Statistics
_names("b.m:32 b.sd:32 b.skew:32 b.moves1:32 b.moves2:32 b.moves4:32 low.m:40 low.sd:40 low.moves1:40 low.moves3:40 high.m:8 high.sd:8 b.together1:31 b.together2:30 b.together4:28 b.together8:24 b.rates:96 b.ordered:48")
_names("p.v:8 p.fourth:8 p.together1:7 p.together2:6 p.together3:5 p.together4:4 p.together5:3 p.together6:2 p.together7:1 p.steps:24 phases:128 h.m:16 h.sd:16 h.third:16")
# statistics_more.MoreStatistics, group by group
_names("cep.fourth:29 cep.d.skew:29 cep.d.fourth:29 cep.dd:29 cep.alike1:29 cep.alike2:29 cep.alike4:29 cep.alike8:29 cep.alike16:29 t0:144 t1:144 t4:144 cep.rates:120")
_names("ripple:64 ripple.narrow:64 ripple.fast:32 flat.m:16 flat.sd:16 flat.skew:16 flat.moves1:16 flat64.m:16 flat64.sd:16 flat64.skew:16 flat64.moves:16")
_names("area.m:16 area.sd:16 area.skew:16 area.moves1:16 area.moves3:16 area.alike:16 g.m:1 g.sd:1 g.skew:1 g.moves1:1 g.moves4:1 pulse.m:5 pulse.sd:5 pulse.skew:5 pulse.alike:5 pulse.moves1:5")
_names("u.abs:1 u.skew:1 u.fourth:1 u.pair:5 u.square:5 f.voiced:1 f.peak:3 f.at:3 f.alike:2 f.moves:1 f.lags:60 f.second:1 f.second.log:1 asym.wave:21")
_names(" ".join(f"asym{lag}.skew:16 asym{lag}.fourth:16 asym{lag}.env.skew:8 asym{lag}.env.fourth:8" for lag in (1, 2, 4)))
_names("c.r:64 c.r1:64 c.r2:64 c.r4:64 c.b:64 c.d:64 c.dd:64 bispectrum:80 q.m:16 q.sd:16 q.share:1 q.moves:16 q.level:1 q.skew:1")
_names("mel.m:19 mel.sd:20 mel.skew:20 mel.moves1:20 mel.moves4:20 mel.d.skew:20 mel.d.fourth:20 mel.alike:20")
_names(" ".join(f"{part}.m:8 {part}.sd:8 {part}.skew:8 {part}.same:8 {part}.same.sd:8 {part}.up:8 {part}.fourth:8" for part in "ln"))
# learned_views.Surprise, rich_view.SpeakerLayer
_names("z.m:32 z.sd:32 z.skew:32 z.fourth:32 s.m:32 s.sd:32 z.cost:32 z.lag1:32 z.lag2:32 z.together1:31 z.together4:28 total.m:1 total.sd:1 total.skew:1 total.ordered:3 speaker:1024")
START = {name: sum(list(LAYOUT.values())[:i]) for i, name in enumerate(LAYOUT)}


def unpacked(place):
    place = (0, place) if isinstance(place, str) else place
    row, name, count, first = (*place, *(LAYOUT[place[1]], 0)[len(place) - 2:])
    return row, name, count, first


class Sheet:
    """Pieces [B, K, 1] and where each of their rows belongs."""

    def __init__(self):
        self.parts, self.size, self.source = [], 0, {}

    def put(self, x, *places):
        """Each place: a name for the piece from its beginning, or (row, name[, count[, first of the name's]]); rows that no place names are not wanted."""
        for place in places:
            row, name, count, first = unpacked(place)
            for i in range(count):
                target = START[name] + first + i
                assert target not in self.source, name
                self.source[target] = self.size + row + i
        self.parts.append(x)
        self.size += int(x.shape[1])

    def ordered(self, x):
        """[B, 17, 6]: three of sixteen bands, three of the total."""
        self.put(x.reshape(-1, 102, 1), *((6 * i + k, "b.ordered", 1, 16 * k + i) for k in range(3) for i in range(16)), (99, "total.ordered", 3))

    def order(self):
        missing = [name for name, start in START.items() if any(start + i not in self.source for i in range(LAYOUT[name]))]
        assert not missing, missing
        return torch.tensor([self.source[i] for i in range(sum(LAYOUT.values()))])
