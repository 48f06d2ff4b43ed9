"""Values of Blocking Pebbles with blue and red pebbles on a small acyclic digraph, by a program that shares nothing with cgdsl.

    python3 dyadic.py family 5      checks the theorem of dyadic.md for up to 5 sources
    python3 dyadic.py search 4 1 2  all digraphs on 4 vertices with 1 blue and 2 red pebbles: the numbers that are no integers

A position is two tuples: how many blue and how many red pebbles lie on each vertex. Vertices are numbered so that arcs go to
greater numbers. Values are canonical forms: pairs of sets of forms.
"""

import sys
from fractions import Fraction as Q
from functools import lru_cache

FORMS = [(frozenset(), frozenset())]
NUMBER_OF = {FORMS[0]: 0}


@lru_cache(maxsize=None)
def le(g, h):
    """g <= h: no left option of g is at least h, and no right option of h at most g."""
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


def moves(own, other, before, after):
    """The positions of the own pebbles after a move."""
    for v, count in enumerate(own):
        if not count:
            continue
        for u in before[v]:
            if not other[u]:
                for k in range(1, count + 1):
                    to = list(own)
                    to[v] -= k
                    to[u] += k
                    yield tuple(to)
        if count >= 2:
            for w in after[v]:
                if not other[w]:
                    to = list(own)
                    to[v] -= 2
                    to[w] += 1
                    yield tuple(to)


def game(n, arcs):
    """The values of the positions on a digraph."""
    before = [[u for u, v in arcs if v == w] for w in range(n)]
    after = [[v for u, v in arcs if u == w] for w in range(n)]

    @lru_cache(maxsize=None)
    def value(blue, red):
        return form(
            {value(b, red) for b in moves(blue, red, before, after)},
            {value(blue, r) for r in moves(red, blue, before, after)},
        )

    return value


def fillings(n, count):
    """All ways to lay so many pebbles on n vertices."""
    if n == 1:
        yield (count,)
        return
    for first in range(count + 1):
        for rest in fillings(n - 1, count - first):
            yield first, *rest


def family(most):
    for k in range(most + 1):
        x, y, z = k, k + 1, k + 2
        value = game(k + 3, [(s, x) for s in range(k)] + [(x, y), (x, z), (y, z)])
        blue = (0,) * (k + 2) + (1,)
        on_x = number(value(blue, (1,) * k + (1, 0, 0)))
        on_y = number(value(blue, (1,) * k + (0, 1, 0)))
        print(k, on_x, on_y)
        assert (on_x, on_y) == (Q(1, 4**k), Q(1, 2 * 4**k))


def search(n, blue, red):
    pairs = [(u, v) for v in range(n) for u in range(v)]
    found = {}
    for mask in range(1 << len(pairs)):
        arcs = [pair for i, pair in enumerate(pairs) if mask >> i & 1]
        value = game(n, arcs)
        for b in fillings(n, blue):
            for r in fillings(n, red):
                x = number(value(b, r))
                if x is not None and x.denominator > 1 and (x not in found or len(found[x][0]) > len(arcs)):
                    found[x] = arcs, b, r
    for x in sorted(found, key=lambda x: (x.denominator, x)):
        print(x, *found[x])


if __name__ == "__main__":
    task, *rest = sys.argv[1:]
    {"family": family, "search": search}[task](*map(int, rest))
