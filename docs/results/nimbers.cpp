// Reads graphs in graph6, one a line, of at most 16 vertices; prints, for Node Kayles, Arc Kayles or Grim, how many graphs
// have each nimber and the graphs of fewest edges that have it. A position is a set of vertices that are left, so all
// positions on a graph are the subsets of its vertices, and their nimbers are found from the smallest on by the rule of mex.
// Nothing here is shared with cgdsl.
//
//   c++ -O2 -o nimbers nimbers.cpp && geng -q 8 | ./nimbers node
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <map>
#include <string>
#include <vector>

using Set = uint32_t;

static int n;
static Set near[16];

static void read(const std::string &line) {
  n = line[0] - 63;
  for (int v = 0; v < n; v++) near[v] = 0;
  int k = 0;
  for (int v = 1; v < n; v++)
    for (int u = 0; u < v; u++, k++)
      if ((line[1 + k / 6] - 63) >> (5 - k % 6) & 1) near[u] |= 1u << v, near[v] |= 1u << u;
}

static int nimber(const std::string &game) {
  static std::vector<uint8_t> value;
  value.assign(1u << n, 0);
  for (Set s = 0; s < 1u << n; s++) {
    Set seen = 0;  // nimbers of options, as bits
    for (int v = 0; v < n; v++) {
      if (!(s >> v & 1)) continue;
      if (game == "node") {
        seen |= 1u << value[s & ~(near[v] | 1u << v)];
      } else if (game == "arc") {
        for (int u = 0; u < v; u++)
          if (s & near[v] & 1u << u) seen |= 1u << value[s & ~(1u << v | 1u << u)];
      } else {
        // Grim: a vertex that is not isolated is removed, and then all isolated ones.
        if (!(s & near[v])) continue;
        Set left = s & ~(1u << v), kept = left;
        for (int u = 0; u < n; u++)
          if (left >> u & 1 && !(left & near[u])) kept &= ~(1u << u);
        seen |= 1u << value[kept];
      }
    }
    int m = 0;
    while (seen >> m & 1) m++;
    value[s] = m;
  }
  return value[(1u << n) - 1];
}

int main(int argc, char **argv) {
  const std::string game = argc > 1 ? argv[1] : "";
  if (game != "node" && game != "arc" && game != "grim") {
    std::cerr << "usage: nimbers node|arc|grim < graphs\n";
    return 2;
  }
  std::map<int, uint64_t> count;
  std::map<int, int> fewest;
  std::map<int, std::vector<std::string>> graphs;
  std::string line;
  while (std::getline(std::cin, line)) {
    read(line);
    int edges = 0;
    for (int v = 0; v < n; v++) edges += __builtin_popcount(near[v]);
    edges /= 2;
    const int g = nimber(game);
    count[g]++;
    if (!fewest.count(g) || edges < fewest[g]) fewest[g] = edges, graphs[g].clear();
    if (edges == fewest[g]) graphs[g].push_back(line);
  }
  for (auto [g, c] : count) {
    std::cout << g << '\t' << c << '\t' << fewest[g] << '\t' << graphs[g].size();
    for (size_t i = 0; i < graphs[g].size() && i < 4; i++) std::cout << '\t' << graphs[g][i];
    std::cout << '\n';
  }
}
