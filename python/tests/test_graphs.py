"""Boards from networkx and numpy, and back."""

from __future__ import annotations

import random

import pytest

import brute
import cgdsl

networkx = pytest.importorskip("networkx")
Kayles = cgdsl.ruleset("node-kayles")["NodeKayles"]


def test_random_graphs_against_brute_force() -> None:
    for seed in range(15):
        graph = networkx.gnp_random_graph(7, 0.3, seed=seed)
        edges = frozenset(frozenset(e) for e in graph.edges)
        expected = brute.nimber(brute.node_kayles(edges), frozenset(graph.nodes))
        assert Kayles(graph).nimber == expected, seed


def test_there_and_back() -> None:
    graph = networkx.petersen_graph()
    back = cgdsl.to_networkx(Kayles(graph))
    assert networkx.is_isomorphic(graph, back) and set(back.nodes) == set(graph.nodes)


def test_names_and_pieces() -> None:
    graph = networkx.Graph()
    graph.add_node("a", piece="x")
    graph.add_edge("a", "for")
    graph.add_edge("for", frozenset({1}))
    position = cgdsl.ruleset("col")["Col"](graph)
    assert position.value == cgdsl.ruleset("col")["Col"]("a:x -- b -- c").value
    back = cgdsl.to_networkx(position)
    assert back.nodes["a"] == {"piece": "x"} and len(back) == 3
    stalk = networkx.Graph()
    stalk.add_edge("ground", "u", piece="b")
    stalk.add_edge("u", "w", piece="r")
    # Berlekamp's rule: blue, red is 1/2.
    assert cgdsl.ruleset("hackenbush")["Hackenbush"](stalk).value == cgdsl.Value("1/2")


def test_grids_are_graphs_too() -> None:
    graph = networkx.grid_2d_graph(2, 3)
    edges = frozenset(frozenset(e) for e in graph.edges)
    relabelled = networkx.convert_node_labels_to_integers(graph)
    plain = frozenset(frozenset(e) for e in relabelled.edges)
    expected = brute.nimber(brute.node_kayles(plain), frozenset(relabelled.nodes))
    assert len(edges) == 7 and Kayles(graph).nimber == expected


def test_posets() -> None:
    game = cgdsl.ruleset("poset-game")["PosetGame"]
    poset = game("a < b, c < b")
    graph = cgdsl.to_networkx(poset)
    assert game(graph).is_same(poset)
    # A digraph is still one where the rules are played on digraphs.
    walk = cgdsl.ruleset("geography")["Geography"](graph, token="a")
    assert walk.is_same(cgdsl.ruleset("geography")["Geography"]("a -> b, c -> b", token="a"))


def test_numbers_of_numpy() -> None:
    numpy = pytest.importorskip("numpy")
    nim = cgdsl.ruleset("nim")["Nim"]
    for three in (numpy.int64(3), numpy.uint8(3)):
        assert nim(three).is_same(nim(3))
        assert nim(three, numpy.int32(5)).is_same(nim(3, 5))
        assert nim([three, 5]).is_same(nim(3, 5))
    cut = cgdsl.ruleset("cutcake")["Cutcake"]
    assert cut([(numpy.int64(4), 2)]).is_same(cut("(4, 2)"))
    with pytest.raises(TypeError):
        nim(numpy.bool_(True))


def test_arrays() -> None:
    numpy = pytest.importorskip("numpy")
    dom = cgdsl.ruleset("domineering")["Domineering"]
    there = numpy.array([[True, True, True], [True, False, True]])
    assert dom(there).is_same(dom("...|.#."))
    digits = numpy.array([[0, 0, 0], [0, 1, 0]])
    assert dom(digits, symbols={0: ".", 1: "#"}).is_same(dom("...|.#."))
