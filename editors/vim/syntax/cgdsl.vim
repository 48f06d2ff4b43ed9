" Syntax of cgdsl, the language of rulesets of combinatorial games.
if exists('b:current_syntax')
  finish
endif
syntax iskeyword @,48-57,_,',192-255
syntax case match
syntax keyword cgdslKeyword all and ask assert board by choose claim div each else eval expect for if in keep language let
syntax keyword cgdslKeyword mod move no not or owns pieces play players position refute remove ruleset seal
syntax keyword cgdslKeyword search slow some state table then use where
syntax keyword cgdslConstant Left Right anyone compass diagonal east empty false hexagonal knight north northeast northwest off
syntax keyword cgdslConstant orthogonal queer loony on over under upon dud tis tisn pass south southeast southwest true wall west
syntax keyword cgdslSort acyclic bool cell digits digraph direction edge element game graph int list nat piece player
syntax keyword cgdslSort poset rooted set site string vertex
syntax keyword cgdslFunction Miny Pow PowTo Tiny abs antichain arcs at atomic_weight best birthday bit born canonical
syntax keyword cgdslFunction cells chain chill chomp coalitions companion complete component group confused confusion_interval
syntax keyword cgdslFunction conway_product cool cycle digit divisors down edges ends followers forest freeze gcd graphs
syntax keyword cgdslFunction grid gset head heaps heat identical impartial in_star incentives into is_all_small
syntax keyword cgdslFunction is_even_tempered is_infinitesimal is_integer is_nimber is_number is_numberish
syntax keyword cgdslFunction is_odd_tempered is_uptimal onside offside sides degree is_stopper isqrt left_incentives left_options left_stop lists max mean mex
syntax keyword cgdslFunction min misere misere_outcome genus is_tame misere_nimber misere_form misere_quotient phi indistinguishable misere_le reversed dicotic remoteness suspense conjunctive continued selective shortened sequential moves nbrs row rows column columns nim_power nim_product nim_quotient nim_sum nimber norton
syntax keyword cgdslFunction opponent options ordinal_sum out out_star outcome overheat path points posets positions pow
syntax keyword cgdslFunction pow_to ray reach reduced remote_star right_incentives right_options right_stop sample size
syntax keyword cgdslFunction slide stalk star stop_count strip subsets sum tail temperature thermograph
syntax keyword cgdslFunction transitive_tournament tree trees up uptimal value vertices winner wins xor
" Words of clauses, which are names elsewhere; the last match that fits is taken.
syntax match cgdslFunction /\<score\>/
syntax match cgdslConstant /\<draw\>/
syntax match cgdslClause /^\s\+\zs\(win\|lose\|score\|fixed\)\ze\s\+\(\(and\|or\|not\|in\|no\|all\|some\|owns\|mod\|div\)\>\)\@!\k/
syntax match cgdslClause /^\s\+\zs\%(draw\)\ze\s\+when\>/
syntax match cgdslClause /^\s\+\zs\%(endless\)\s\+\(draw\|win\)\>/
syntax match cgdslClause /^\s\+\zs\%(without\)\ze\s\+\(board\|players\|pieces\|state\|let\|play\|move\)\>/
syntax match cgdslClause /^\s\+\zs\%(without\)\s\+\(win\|lose\|draw\|endless\|score\|fixed\)\>/
syntax match cgdslClause /^\s\+\zs\%(next\)\ze\s\+\k\+\s*=/
syntax match cgdslClause /\s\zs\%(repeat\)\ze\(\s\+\(choose\|where\|then\)\>\|\s*$\)/
syntax match cgdslClause /\s\zs\%(when\)\ze\s\+\(\(and\|or\|in\|owns\|mod\|div\)\>\)\@![[:keyword:](\[{¬∀∃∄]/
syntax match cgdslClause /\s\zs\%(again\)\ze\(\s*\($\|\/\/\)\|\s\+when\>\)/
syntax match cgdslClause /\s\zs\%(entail\)\ze\s*\($\|\/\/\)/
syntax match cgdslClause /\s\zs\%(add\)\ze\s\+\k[^,]*\(--\|->\)/
syntax match cgdslClause /\s\zs\%(merge\)\ze\s\+\k[^,]*,/
syntax match cgdslClause /"\s\+\zs\%(as\)\ze\s\+\k\+\s*\($\|\/\/\)/
syntax match cgdslClause /\s\zs\%(with\)\(\s\+claims\)\?\ze\s*\($\|\/\/\)/
syntax match cgdslConstant /\<\(LD\|DR\|DL\|RD\|[LRNPD]\)-position/
syntax match cgdslNumber /\<[0-9]\+/
syntax match cgdslName /\(\<\(ruleset\|let\|position\)\s\+\)\@<=\k\+/
syntax match cgdslString /"\([^"\\]\|\\.\)*"/
syntax region cgdslString start=/"""/ end=/"""/
syntax match cgdslComment /\/\/.*/ contains=@Spell
syntax match cgdslDocumentation /\/\/\/\/\@!.*/ contains=@Spell
highlight default link cgdslKeyword Keyword
highlight default link cgdslClause Keyword
highlight default link cgdslConstant Constant
highlight default link cgdslSort Type
highlight default link cgdslFunction Function
highlight default link cgdslNumber Number
highlight default link cgdslName Identifier
highlight default link cgdslString String
highlight default link cgdslComment Comment
highlight default link cgdslDocumentation SpecialComment
let b:current_syntax = 'cgdsl'
