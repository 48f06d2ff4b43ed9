#!/bin/sh
# Draws pictures of every kind with cgdsl as TikZ, writes cards and tables for LaTeX, and compiles all of it.
# usage: sh docs/compile-tikz.sh [FOLDER]   (CGDSL=path/to/cgdsl; else `cgdsl` of the PATH, else cargo run)
set -u
folder=${1:-target/tikz}
mkdir -p "$folder"
cgdsl() {
  if [ -n "${CGDSL:-}" ]; then "$CGDSL" "$@"
  elif command -v cgdsl >/dev/null 2>&1; then command cgdsl "$@"
  else cargo run --quiet --release -- "$@"; fi
}
draw() { cgdsl draw "$2" "$3" -o "$folder/$1.tex"; }
draw grid domineering '..|.#'
draw pieces clobber '"xo.|#ox"'
draw strip toads-and-frogs 'ToadsAndFrogs["tt.ff"]'
draw stacks end-nim 'EndNim[strip(3), stack: [3, 1, 4]]'
draw heaps nim '3, 5, 20'
draw pairs cutcake '(3, 4), (2, 2)'
draw hackenbush hackenbush 'ground -b- u -r- w, u -g- x, ground -r- y -b- w, ground -b- y, x -r- x'
draw sum hackenbush 'Hackenbush[ground -g- u -b- w] + 2 * Hackenbush[stalk("br")] - Hackenbush[stalk("b")]'
draw graph snort 'a:x -- b -- c:o, b -- d'
draw digraph blocking-pebbles 'A:2b+1g -> B -> C:r, A -> C'
draw token geography 'Geography[a -> b -> c -> d, b -> d, token: a]'
draw poset poset-game 'PosetGame[a < b, a < c, b < d, c < d]'
draw players n-player/hackenbush 'Queer'
cgdsl tree domineering '...|...' --depth 1 -o "$folder/tree.tex"
cgdsl value '{3||1|-2}' --thermograph "$folder/thermograph.tex" >/dev/null
cgdsl value 'over - over' --graph "$folder/sides.tex" >/dev/null
cgdsl value --born 2 --hasse "$folder/hasse.tex" >/dev/null
cgdsl eval n-player/nim 'Nim3[1, 2]' --lattice "$folder/lattice.tex" >/dev/null
for file in snort hackenbush textbook n-player/nim; do
  name=answers-$(basename "$file")
  cgdsl eval "$file" --format latex >"$folder/$name-body.tex"
  printf '\\documentclass{article}\n\\usepackage{booktabs, tikz}\n\\begin{document}\n\\input{%s-body}\n\\end{document}\n' "$name" >"$folder/$name.tex"
done
cgdsl why domineering '...|...' --format latex >"$folder/why-body.tex"
printf '\\documentclass{article}\n\\usepackage{booktabs, tikz}\n\\begin{document}\n\\input{why-body}\n\\end{document}\n' >"$folder/why.tex"
cd "$folder" || exit 2
if command -v pdflatex >/dev/null 2>&1; then compile() { pdflatex -interaction=nonstopmode -halt-on-error "$1"; }
elif command -v tectonic >/dev/null 2>&1; then compile() { tectonic "$1"; }
else echo "no pdflatex and no tectonic: nothing is compiled; the files are in $folder"; exit 0; fi
failed=0
for file in *.tex; do
  case $file in *-body.tex) continue ;; esac
  if compile "$file" >"${file%.tex}.out" 2>&1; then echo "fine    $file"
  else echo "FAILED  $file"; grep -A2 '^!' "${file%.tex}.out" | head -6; failed=1; fi
done
exit $failed
