;;; cgdsl-mode.el --- Rulesets of combinatorial games -*- lexical-binding: t -*-

;; Package-Requires: ((emacs "26.1"))

;;; Commentary:
;; Colours for files of rules, and the server `cgdsl lsp' for eglot.

;;; Code:

(defconst cgdsl-keywords
  '(
    "all" "and" "ask" "assert" "board" "by" "choose" "claim" "div" "each" "else" "eval" "expect" "for" "if" "in"
    "keep" "language" "let" "mod" "move" "no" "not" "or" "owns" "pieces" "play" "players"
    "position" "refute" "remove" "ruleset" "seal" "search" "slow" "some" "state" "table" "then"
    "use" "where"))
(defconst cgdsl-constants
  '(
    "Left" "Right" "anyone" "compass" "diagonal" "east" "empty" "false" "hexagonal" "knight" "north" "northeast"
    "northwest" "off" "orthogonal" "queer" "draw" "loony" "on" "over" "under" "upon" "dud" "tis" "tisn" "pass" "south" "southeast" "southwest" "true" "wall" "west"))
(defconst cgdsl-sorts
  '(
    "acyclic" "bool" "cell" "digits" "digraph" "direction" "edge" "element" "game" "graph" "int"
    "list" "nat" "piece" "player" "poset" "rooted" "set" "site" "string" "vertex"))
(defconst cgdsl-functions
  '(
    "Miny" "Pow" "PowTo" "Tiny" "abs" "antichain" "arcs" "at" "atomic_weight" "best" "birthday"
    "bit" "born" "canonical" "cells" "chain" "chill" "chomp" "coalitions" "companion" "complete"
    "component" "group" "confused" "confusion_interval" "conway_product" "cool" "cycle" "digit" "divisors"
    "down" "edges" "ends" "followers" "forest" "freeze" "gcd" "graphs" "grid" "gset" "head" "heaps"
    "heat" "identical" "impartial" "in_star" "incentives" "into" "is_all_small" "is_even_tempered"
    "is_infinitesimal" "is_integer" "is_nimber" "is_number" "is_numberish" "is_odd_tempered"
    "is_uptimal" "onside" "offside" "sides" "degree" "is_stopper" "isqrt" "left_incentives" "left_options" "left_stop" "lists" "max" "mean" "mex"
    "min" "misere" "reversed" "dicotic" "misere_outcome" "genus" "is_tame" "misere_nimber" "misere_form" "misere_quotient" "phi" "indistinguishable" "misere_le"
    "remoteness" "score" "suspense" "conjunctive" "continued" "selective" "shortened" "sequential"
    "moves" "nbrs" "row" "rows" "column" "columns" "nim_power" "nim_product" "nim_quotient" "nim_sum"
    "nimber" "norton" "opponent" "options" "ordinal_sum" "out" "out_star" "outcome" "overheat"
    "path" "points" "posets" "positions" "pow" "pow_to" "ray" "reach" "reduced" "remote_star"
    "right_incentives" "right_options" "right_stop" "sample" "size" "slide" "stalk" "star"
    "stop_count" "strip" "subsets" "sum" "tail" "temperature" "thermograph" "transitive_tournament"
    "tree" "trees" "up" "uptimal" "value" "vertices" "winner" "wins" "xor"))

(defvar cgdsl-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 12" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?\" "\"" table)
    (modify-syntax-entry ?' "w" table)
    (modify-syntax-entry ?_ "w" table)
    table))

(defvar cgdsl-font-lock
  `(("\\_<\\(?:ruleset\\|let\\|position\\)\\s-+\\(\\w+\\)" 1 font-lock-function-name-face)
    ;; Words of clauses, which are names elsewhere.
    ("^[ \t]+\\(win\\|lose\\|score\\|fixed\\)[ \t]+\\([[:alpha:]_]\\w*\\|[0-9]+\\)"
     (1 (unless (member (match-string 2) '("and" "or" "not" "in" "no" "all" "some" "owns" "mod" "div")) font-lock-keyword-face)))
    ("^[ \t]+\\(draw\\)[ \t]+when\\_>" 1 font-lock-keyword-face)
    ("^[ \t]+\\(endless[ \t]+\\(?:draw\\|win\\)\\)\\_>" 1 font-lock-keyword-face)
    ("^[ \t]+\\(without\\)[ \t]+\\(?:board\\|players\\|pieces\\|state\\|let\\|play\\|move\\)\\_>" 1 font-lock-keyword-face)
    ("^[ \t]+\\(without[ \t]+\\(?:win\\|lose\\|draw\\|endless\\|score\\|fixed\\)\\)\\_>" 1 font-lock-keyword-face)
    ("^[ \t]+\\(next\\)[ \t]+\\w+[ \t]*=" 1 font-lock-keyword-face)
    ("[ \t]\\(repeat\\)\\(?:[ \t]+\\(?:choose\\|where\\|then\\)\\_>\\|[ \t]*$\\)" 1 font-lock-keyword-face)
    ("[ \t]\\(when\\)[ \t]+[[:alnum:]_([{¬∀∃∄]" 1 font-lock-keyword-face)
    ("[ \t]\\(again\\)\\(?:[ \t]*\\(?:$\\|//\\)\\|[ \t]+when\\_>\\)" 1 font-lock-keyword-face)
    ("[ \t]\\(entail\\)[ \t]*\\(?:$\\|//\\)" 1 font-lock-keyword-face)
    ("[ \t]\\(add\\)[ \t]+\\w[^,\n]*-[->]" 1 font-lock-keyword-face)
    ("[ \t]\\(merge\\)[ \t]+\\w[^,\n]*," 1 font-lock-keyword-face)
    ("\"[ \t]+\\(as\\)[ \t]+\\w+[ \t]*\\(?:$\\|//\\)" 1 font-lock-keyword-face)
    ("[ \t]\\(with\\(?:[ \t]+claims\\)?\\)[ \t]*\\(?:$\\|//\\)" 1 font-lock-keyword-face)
    ("\\b\\(?:LD\\|DR\\|DL\\|RD\\|[LRNPD]\\)-position" . font-lock-constant-face)
    (,(regexp-opt cgdsl-keywords 'words) . font-lock-keyword-face)
    (,(regexp-opt cgdsl-constants 'words) . font-lock-constant-face)
    (,(regexp-opt cgdsl-sorts 'words) . font-lock-type-face)
    (,(regexp-opt cgdsl-functions 'words) . font-lock-builtin-face)))

;;;###autoload
(define-derived-mode cgdsl-mode prog-mode "cgdsl"
  "Rulesets of combinatorial games."
  (setq-local comment-start "// ")
  (setq-local indent-tabs-mode nil)
  (setq-local font-lock-defaults '(cgdsl-font-lock)))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.rules\\'" . cgdsl-mode))

(defvar eglot-server-programs)
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '(cgdsl-mode . ("cgdsl" "lsp"))))

(provide 'cgdsl-mode)
;;; cgdsl-mode.el ends here
