//! The language from text to answer, through the library: syntax, the slow evaluator beside the fast machines, independent
//! programs, pictures and generated pages.

#[path = "../common/evaluated.rs"]
mod evaluated;
#[path = "../common/load.rs"]
mod load;
#[path = "../common/machine_support.rs"]
mod machine_support;
#[path = "../common/moves_left.rs"]
mod moves_left;
#[path = "../properties/random.rs"]
mod mutations;
#[path = "../common/random.rs"]
mod random;
#[path = "../common/random_rules/mod.rs"]
mod random_rules;
#[path = "../common/replay.rs"]
mod replay;
#[path = "../common/value_support.rs"]
mod value_support;

mod conditions;
mod corpus;
mod decided;
mod draw;
mod edit;
mod fuzz_corpus;
mod heap_rules;
mod index;
mod integers;
mod layers;
mod machine_random;
mod machine_rulesets;
mod machine_speed;
mod meaning_properties;
mod naive_limits;
mod naive_moves;
mod naive_random;
mod numbers;
mod options;
mod oracles;
mod orders;
mod papers;
mod players;
mod scores;
mod semantics;
mod sets;
mod syntax_properties;
mod typed_tree;
mod used;
mod value_language;
mod why;
