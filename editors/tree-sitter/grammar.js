// Tokens of cgdsl and the brackets between them: what colours, folds and motions need. Items end where the next word in column 1
// stands, which only a scanner of its own could tell; this grammar has none.

const KEYWORDS = [
  "all", "and", "ask", "assert", "board", "by", "choose", "claim", "div", "each", "else", "eval", "expect", "for", "if", "in", "keep", "language", "let", "mod", "move", "no", "not", "or",
  "owns", "pieces", "play", "players", "position", "refute", "remove", "ruleset", "seal", "search", "slow", "some", "state", "table", "then", "use", "where",
];

module.exports = grammar({
  name: "cgdsl",
  extras: ($) => [/[ \t\r\n\u00a0]+/],
  word: ($) => $.name,
  rules: {
    source_file: ($) => repeat($._piece),
    _piece: ($) => choice($.documentation, $.comment, $.art, $.string, $.outcome, $.keyword, $.integer, $.call, $.name, $.sign, $.round, $.square, $.curly),
    documentation: ($) => token(/\/\/\/([^\/\n][^\n]*)?/),
    comment: ($) => token(choice(/\/\/([^\/\n][^\n]*)?/, /\/\/\/\/[^\n]*/)),
    art: ($) => token(prec(3, /"""([^"]|"[^"]|""[^"])*"""/)),
    string: ($) => token(prec(2, /"([^"\\\n]|\\[^\n])*"/)),
    outcome: ($) => token(prec(2, /(LD|DR|DL|RD|[LRNPD])-position/)),
    keyword: ($) => choice(...KEYWORDS),
    integer: ($) => token(/[0-9]+/),
    name: ($) => token(/[\p{XID_Start}_][\p{XID_Continue}'₀₁₂₃₄₅₆₇₈₉·]*/u),
    call: ($) => prec(1, seq($.name, choice(alias(token.immediate("("), "("), alias(token.immediate("["), "[")), repeat($._piece), choice(")", "]"))),
    sign: ($) => token(choice(":=", "+=", "-=", "->", "--", "==", "!=", "<=", ">=", "..", "+-", /[|‖]+/, /[,;:=<>+*\/^\-]/, /[→⟶—…≠≤⩽≥⩾≺≻±−∗×·⋅★☆⋆↑⇑⤊↓⇓⤋⁰¹²³⁴⁵⁶⁷⁸⁹⧾⧿∈∉∧∨¬∀∃∄]/u)),
    round: ($) => seq("(", repeat($._piece), ")"),
    square: ($) => seq("[", repeat($._piece), "]"),
    curly: ($) => seq("{", repeat($._piece), "}"),
  },
});
