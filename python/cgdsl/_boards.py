"""Boards of Python (texts, numbers, arrays, graphs and posets of networkx and Sage) come in; texts of the language come out; and back."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from numbers import Integral
from typing import TYPE_CHECKING, Any

from ._native import is_name

if TYPE_CHECKING:
    from ._native import Position


def literals(board: object, symbols: Mapping[Any, str] | None = None) -> list[str]:
    """What may stand in the brackets of a position for a board, the likeliest last."""
    if isinstance(board, str):
        return _of_text(board)
    if isinstance(board, bool):
        raise TypeError("a board is no truth value")
    if isinstance(board, Integral):
        return [str(board)]
    if hasattr(board, "nodes") and hasattr(board, "edges"):
        return of_graph(board)
    if hasattr(board, "vertices") and hasattr(board, "edges") and callable(board.vertices):
        return _of_sage_graph(board)
    if hasattr(board, "cover_relations"):
        return _of_sage_poset(board)
    if hasattr(board, "nrows") and hasattr(board, "rows"):
        return _of_rows([list(row) for row in board.rows()], symbols)
    if hasattr(board, "tolist"):
        board = board.tolist()
    if isinstance(board, Iterable):
        return _of_rows(list(board), symbols)
    raise TypeError(f"a board is a text, a number, a sequence, an array or a graph, not {type(board).__name__}")


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "").replace('"', "") + '"'


def _of_text(text: str) -> list[str]:
    text = text.strip("\n")
    art = _quoted("|".join(line.strip() for line in text.splitlines() if line.strip()))
    # What has brackets, signs or digits is an expression; a wrong one is answered as such.
    if re.search(r"[\[\](){}<>=:,\d]|--|->", text):
        return [art, text]
    return [text, art]


def _of_rows(rows: Sequence[Any], symbols: Mapping[Any, str] | None) -> list[str]:
    if not rows:
        return [""]
    if all(isinstance(row, str) for row in rows):
        return [_quoted("|".join(rows))]
    if symbols is None and all(isinstance(n, Integral) and not isinstance(n, bool) for n in rows):
        return [", ".join(str(n) for n in rows)]
    if symbols is None and all(
        isinstance(row, tuple) and all(isinstance(n, Integral) for n in row) for row in rows
    ):
        return [", ".join("(" + ", ".join(str(n) for n in row) + ")" for row in rows)]
    if not isinstance(rows[0], (list, tuple)):
        rows = [rows]

    def symbol(x: Any) -> str:
        if symbols is not None and x in symbols:
            return symbols[x]
        if isinstance(x, str):
            return x
        if x is True:
            return "."
        if x is False:
            return "#"
        raise ValueError(f"no symbol for {x!r}: give symbols={{{x!r}: '.', ..}}, where '.' is an empty cell and '#' a wall")

    return [_quoted("|".join("".join(symbol(x) for x in row) for row in rows))]


def _namer() -> Callable[[Any], str]:
    """Names of vertices in the language; what is not a name there becomes ``vertex_1``, ``vertex_2``, .."""
    known: dict[Any, str] = {}
    used: set[str] = set()

    def plain(vertex: Any) -> str | None:
        whole = isinstance(vertex, Integral) and not isinstance(vertex, bool)
        if whole and vertex >= 0:
            return str(vertex)
        if isinstance(vertex, str) and is_name(vertex):
            return vertex
        if isinstance(vertex, tuple) and len(vertex) > 1:
            parts = [plain(part) for part in vertex if not isinstance(part, tuple)]
            names = [part for part in parts if part is not None]
            return f"({', '.join(names)})" if len(names) == len(vertex) else None
        return None

    def name(vertex: Any) -> str:
        if vertex not in known:
            text = plain(vertex)
            number = len(known) + 1
            while text is None or text in used:
                text = f"vertex_{number}"
                number += 1
            known[vertex] = text
            used.add(text)
        return known[vertex]

    return name


def of_graph(graph: Any) -> list[str]:
    """A graph of networkx: ``piece`` of a vertex or an edge says what lies there."""
    name = _namer()
    vertices = []
    for vertex, data in graph.nodes(data=True):
        piece = data.get("piece")
        vertices.append(name(vertex) + (f":{piece}" if piece else ""))
    edges = [(name(a), name(b), data.get("piece")) for a, b, data in graph.edges(data=True)]
    return _texts(vertices, edges, bool(graph.is_directed()))


def _of_sage_graph(graph: Any) -> list[str]:
    """A graph of Sage: a text that is set on a vertex, or that labels an edge, is the piece there."""
    name = _namer()
    objects = graph.get_vertices() if hasattr(graph, "get_vertices") else {}
    vertices = []
    for vertex in graph.vertices(sort=False):
        piece = _sage_piece(objects.get(vertex))
        vertices.append(name(vertex) + (f":{piece}" if piece else ""))
    edges = [(name(a), name(b), _sage_piece(label)) for a, b, label in graph.edges(sort=False)]
    return _texts(vertices, edges, bool(graph.is_directed()))


def _sage_piece(label: Any) -> str | None:
    # A label can also be a weight or an element of a group. One that comes from networkx is a dictionary.
    if isinstance(label, Mapping):
        label = label.get("piece")
    return label if isinstance(label, str) and label else None


def _of_sage_poset(poset: Any) -> list[str]:
    name = _namer()

    def plain(point: Any) -> Any:
        # A poset that is no facade wraps its points.
        return getattr(point, "element", point)

    points = [name(plain(point)) for point in poset]
    covers = [f"{name(plain(a))} < {name(plain(b))}" for a, b in poset.cover_relations()]
    return [", ".join([*points, *covers])]


def _texts(vertices: list[str], edges: list[tuple[str, str, Any]], directed: bool) -> list[str]:
    def text(line: str) -> str:
        def link(piece: Any) -> str:
            return f"-{piece}-{'>' if directed else ''}" if piece else line

        return ", ".join([*vertices, *(f"{a} {link(piece)} {b}" for a, b, piece in edges)])

    # A digraph may be meant as a poset.
    return [text("<"), text("->")] if directed else [text("--")]


def to_networkx(position: Position) -> Any:
    """The board of a position as a graph of networkx, with what lies there as ``piece``.

    A poset becomes the digraph of its covering relations, from below to above.
    """
    import networkx

    kind, nodes, lines = position._graph()
    graph = networkx.MultiGraph() if kind == "graph" else networkx.MultiDiGraph()
    labels: list[Any] = [int(label) if label.isdigit() else label for label, _ in nodes]
    for label, (_, pieces) in zip(labels, nodes, strict=True):
        graph.add_node(label, **_piece(pieces))
    for a, b, pieces in lines:
        graph.add_edge(labels[a], labels[b], **_piece(pieces))
    single = len({(a, b) for a, b, _ in lines}) == len(lines)
    if single:
        return networkx.Graph(graph) if kind == "graph" else networkx.DiGraph(graph)
    return graph


def _piece(pieces: list[str]) -> dict[str, Any]:
    return {"piece": ", ".join(pieces)} if pieces else {}
