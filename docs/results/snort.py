"""Temperatures and values of Snort and Col on graphs, from the definitions, by a program that shares nothing with cgdsl.

Reads graphs in graph6, one a line (`geng 5 | python3 snort.py snort`), with at most 7 vertices, and prints for each number of
vertices how many graphs have each temperature, for Col how many have each value, and the graphs whose temperature is greater
than their greatest degree.

A game is a pair of sets of canonical forms. A thermograph is a pair of walls; a wall is a list of points (t, x) with straight
lines between them, and vertical above the last. Numbers are fractions.
"""

import sys
from collections import Counter
from fractions import Fraction as Q
from functools import lru_cache

FORMS = [(frozenset(), frozenset())]
NUMBER_OF = {FORMS[0]: 0}


@lru_cache(maxsize=None)
def le(g, h):
    """Left does not win g - h moving first: no left option of g is at least h, no right option of h at most g."""
    return not any(le(h, x) for x in FORMS[g][0]) and not any(le(y, g) for y in FORMS[h][1])


def le_form(left, right, h):
    """{left | right} <= h."""
    return not any(le(h, x) for x in left) and not any(ge_form(left, right, y) for y in FORMS[h][1])


def ge_form(left, right, h):
    """{left | right} >= h."""
    return not any(le(y, h) for y in right) and not any(le_form(left, right, x) for x in FORMS[h][0])


def form(left, right):
    """The canonical form of {left | right}: reversible options are bypassed, then dominated ones are left out."""
    left, right = set(left), set(right)
    again = True
    while again:
        again = False
        for x in left:
            by = next((y for y in FORMS[x][1] if ge_form(left, right, y)), None)
            if by is not None:
                left = (left - {x}) | FORMS[by][0]
                again = True
                break
        for x in right:
            by = next((y for y in FORMS[x][0] if le_form(left, right, y)), None)
            if by is not None:
                right = (right - {x}) | FORMS[by][1]
                again = True
                break
    left = frozenset(x for x in left if not any(x != y and le(x, y) for y in left))
    right = frozenset(x for x in right if not any(x != y and le(y, x) for y in right))
    if (left, right) not in NUMBER_OF:
        NUMBER_OF[left, right] = len(FORMS)
        FORMS.append((left, right))
    return NUMBER_OF[left, right]


@lru_cache(maxsize=None)
def number(g):
    """The number that a canonical form is, or None."""
    left, right = ([number(x) for x in side] for side in FORMS[g])
    if None in left + right or len(left) > 1 or len(right) > 1:
        return None
    if not left and not right:
        return Q(0)
    if not right:
        return left[0] + 1
    if not left:
        return right[0] - 1
    return (left[0] + right[0]) / 2 if left[0] < right[0] else None


def at(wall, t):
    """Where a wall is at the temperature t."""
    for (t0, x0), (t1, x1) in zip(wall, wall[1:]):
        if t <= t1:
            return x0 + (x1 - x0) * (t - t0) / (t1 - t0)
    return wall[-1][1]


def envelope(walls, better):
    """The best of several walls at each temperature, as a wall."""
    ts = sorted({t for wall in walls for t, _ in wall})
    ts.append(ts[-1] + 1)
    cuts = set(ts)
    for a, b in zip(ts, ts[1:]):
        ends = [(at(w, a), at(w, b)) for w in walls]
        for i, (p0, p1) in enumerate(ends):
            for q0, q1 in ends[:i]:
                d0, d1 = p0 - q0, p1 - q1
                if d0 * d1 < 0:
                    cuts.add(a + (b - a) * d0 / (d0 - d1))
    return [(t, better(at(w, t) for w in walls)) for t in sorted(cuts)]


@lru_cache(maxsize=None)
def thermograph(g):
    """The walls of a canonical form and its temperature."""
    x = number(g)
    if x is not None:
        # A number k/2^n has the temperature -1/2^n; its mast stands from there.
        t = Q(-1, x.denominator)
        return ((t, x),), ((t, x),), t
    left, right = FORMS[g]
    low = Q(-1)
    start = lambda wall: wall if wall[0][0] == low else ((low, wall[0][1]), *wall)  # noqa: E731
    lw = envelope([start(thermograph(y)[1]) for y in left], max)
    rw = envelope([start(thermograph(y)[0]) for y in right], min)
    # Cooled by t; they meet at the temperature.
    ts = sorted({t for wall in (lw, rw) for t, _ in wall if t >= 0} | {Q(0)})
    far = ts[-1] + abs(at(lw, ts[-1]) - at(rw, ts[-1])) + 1
    ts.append(far)
    gap = lambda t: (at(lw, t) - t) - (at(rw, t) + t)  # noqa: E731
    # At temperature 0 the stops of an infinitesimal (plus a number) meet.
    if gap(Q(0)) <= 0:
        t = Q(0)
    else:
        a, b = next((a, b) for a, b in zip(ts, ts[1:]) if gap(b) <= 0)
        t = a + (b - a) * gap(a) / (gap(a) - gap(b))
    cut = sorted({s for s in ts if s < t} | {t})
    return tuple((s, at(lw, s) - s) for s in cut), tuple((s, at(rw, s) + s) for s in cut), t


def read(line):
    n = ord(line[0]) - 63
    bits = "".join(f"{ord(c) - 63:06b}" for c in line[1:])
    near = [[] for _ in range(n)]
    pairs = ((u, v) for v in range(n) for u in range(v))
    for bit, (u, v) in zip(bits, pairs):
        if bit == "1":
            near[u].append(v)
            near[v].append(u)
    return near


def game(name, near):
    """The value of a position: a colour for each vertex, 0 for none, 1 for Left's, 2 for Right's."""

    @lru_cache(maxsize=None)
    def value(position):
        sides = []
        for own in (1, 2):
            bad = 3 - own if name == "snort" else own
            moves = (
                position[:v] + (own,) + position[v + 1 :]
                for v, colour in enumerate(position)
                if not colour and all(position[u] != bad for u in near[v])
            )
            sides.append({value(p) for p in moves})
        return form(*sides)

    return value


def main():
    name = sys.argv[1]
    counts, over = Counter(), []
    values = Counter()
    for line in sys.stdin:
        line = line.strip()
        near = read(line)
        value = game(name, near)
        start = value((0,) * len(near))
        t = thermograph(start)[2]
        counts[len(near), t] += 1
        if name == "col":
            x = next((str(x) for x, g in ((0, form((), ())), ("*", form([0], [0]))) if start == g), "other")
            values[len(near), x] += 1
        if t > max(map(len, near)):
            over.append((line, t))
    for (n, t), count in sorted(counts.items()):
        print(n, "temperature", t, count)
    for (n, x), count in sorted(values.items()):
        print(n, "value", x, count)
    for line, t in over:
        print("hotter than its degree:", line, t)


if __name__ == "__main__":
    main()
