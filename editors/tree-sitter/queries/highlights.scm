(comment) @comment
(documentation) @comment.block.documentation
(string) @string
(art) @string
(integer) @constant.numeric.integer
(outcome) @constant.builtin
(keyword) @keyword
(sign) @operator
(call (name) @function)
(name) @variable
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
; Words of clauses; where they are names, the server's colours say so.
((name) @keyword (#any-of? @keyword "win" "lose" "endless" "when" "again" "entail" "repeat" "with" "without" "claims" "as" "fixed" "add" "merge"))
