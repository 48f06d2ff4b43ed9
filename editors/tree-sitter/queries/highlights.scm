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
