// cgdsl: items, the clauses of rulesets, tokens and brackets. Where items and clauses begin and end is told by the scanner (`src/scanner.c`).

const KEYWORDS = [
  "all", "and", "ask", "assert", "board", "by", "choose", "claim", "div", "each", "else", "eval", "expect", "for", "if", "in", "keep", "language", "let", "mod", "move", "no", "not", "or",
  "owns", "pieces", "play", "players", "position", "refute", "remove", "ruleset", "seal", "search", "slow", "some", "state", "table", "then", "use", "where",
];
const word = ($, text) => alias(text, $.keyword);
const within = ($, close) => [repeat($._piece), choice(close, $.unclosed)];

module.exports = grammar({
  name: "cgdsl",
  // All without width: an item begins here; it ends here; a clause begins here; a bracket that is not closed ends with its item.
  externals: ($) => [$._item_start, $._item_end, $._clause_start, $.unclosed],
  extras: ($) => [/[ \t\r\n\u00a0\ufeff]+/, $.documentation, $.comment],
  word: ($) => $.name,
  rules: {
    source_file: ($) => repeat(choice($._item, $._piece)),
    _item: ($) => choice($.ruleset, $.definition, $.use, $.query),
    ruleset: ($) => seq($._item_start, word($, "ruleset"), repeat($._piece), repeat($.clause), $._item_end),
    definition: ($) => seq($._item_start, choice(word($, "let"), word($, "position")), repeat($._piece), $._item_end),
    use: ($) => seq($._item_start, choice(word($, "use"), word($, "language")), repeat($._piece), $._item_end),
    query: ($) => seq(
      $._item_start,
      choice(...["eval", "assert", "claim", "refute", "table", "search", "slow", "ask", "expect", "seal"].map((w) => word($, w))),
      repeat($._piece),
      $._item_end,
    ),
    clause: ($) => seq($._clause_start, choice($.keyword, alias($.name, $.keyword)), repeat($._piece)),
    _piece: ($) => choice($.art, $.string, $.outcome, $.keyword, $.integer, $.call, $.name, $.sign, $.round, $.square, $.curly),
    documentation: ($) => token(/\/\/\/([^\/\n][^\n]*)?/),
    comment: ($) => token(choice(/\/\/([^\/\n][^\n]*)?/, /\/\/\/\/[^\n]*/)),
    art: ($) => token(prec(3, /"""([^"]|"[^"]|""[^"])*"""/)),
    string: ($) => token(prec(2, /"([^"\\\n]|\\[^\n])*"/)),
    outcome: ($) => token(prec(2, /(LD|DR|DL|RD|[LRNPD])-position/)),
    keyword: ($) => choice(...KEYWORDS),
    integer: ($) => token(/[0-9]+/),
    name: ($) => token(/[\p{XID_Start}_][\p{XID_Continue}'₀₁₂₃₄₅₆₇₈₉·]*/u),
    call: ($) => prec(1, seq($.name, choice(seq(alias(token.immediate("("), "("), ...within($, ")")), seq(alias(token.immediate("["), "["), ...within($, "]"))))),
    sign: ($) => token(choice(":=", "+=", "-=", "->", "--", "==", "!=", "<=", ">=", "..", "+-", /[|‖]+/, /[,;:=<>+*\/^&!\-]/, /[→⟶—…≠≤⩽≥⩾≺≻±−∗×·⋅★☆⋆↑⇑⤊↓⇓⤋⁰¹²³⁴⁵⁶⁷⁸⁹⧾⧿∈∉∧∨¬∀∃∄∞]/u)),
    round: ($) => seq("(", ...within($, ")")),
    square: ($) => seq("[", ...within($, "]")),
    curly: ($) => seq("{", ...within($, "}")),
  },
});
