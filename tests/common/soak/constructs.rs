//! Detects the constructs of the grammar that a ruleset uses, by its text.

/// The names of constructs, with texts any of which shows the construct.
const SHOWN: [(&str, &[&str]); 73] = [
    ("keep", &["keep "]),
    ("remove", &["remove "]),
    ("each", &["each "]),
    ("if", &["(if(", "(if "]),
    ("row or column", &["row(", "column("]),
    ("as drawn", &["rows", "columns", "size(board)"]),
    (
        "effect when",
        &[
            " 1 when ",
            "empty when ",
            "remove a when ",
            ") when ",
            "] when ",
        ],
    ),
    ("heap rewritten", &[" -> ["]),
    ("a piece placed", &[") := "]),
    ("counter -=", &[") -= "]),
    ("counter +=", &[") += "]),
    ("scalar", &["state h", "state m", "state l", "limit"]),
    ("token", &["state token", "state  token"]),
    ("state of pieces", &["(piece, "]),
    ("state of sites", &["(cell)", "(vertex)", "(element)"]),
    ("state piece", &[": piece\n"]),
    ("quantifier all", &["all "]),
    ("quantifier some", &["some "]),
    ("quantifier no", &["no "]),
    ("or", &[" or "]),
    ("not", &["not ("]),
    ("not in", &[" not in "]),
    ("nbrs", &["nbrs("]),
    ("ray", &["ray("]),
    ("slide", &["slide("]),
    ("reach", &["reach("]),
    ("reach within", &["within: "]),
    ("group", &["group("]),
    ("repeat", &["repeat choose"]),
    ("next", &[" next "]),
    ("again", &[", again"]),
    ("again when", &[", again when"]),
    ("win when", &["  win "]),
    ("lose when", &["  lose "]),
    ("draw when", &["  draw when"]),
    ("mover", &["mover = p"]),
    ("score", &["\n  score "]),
    ("hexagonal", &["hexagonal"]),
    ("misere", &["play misere"]),
    ("stuck-draws", &["play stuck-draws"]),
    ("endless", &["  endless "]),
    ("component", &["component("]),
    ("up", &["up("]),
    ("down", &["down("]),
    ("out", &["out("]),
    ("into", &["into("]),
    ("ends", &["ends("]),
    ("set of a condition", &[": at(", ": c("]),
    ("size", &["size("]),
    ("sum", &["sum("]),
    ("min or max", &["min(", "max("]),
    ("xor or mex", &["xor(", "mex("]),
    ("mod", &[" mod "]),
    ("div", &[" div "]),
    ("heaps", &["in heaps", "(heaps)"]),
    ("edge binder", &["edge e"]),
    ("piece binder", &["piece z", "piece c"]),
    ("direction", &["ahead(p)", "along(p)"]),
    ("owns", &[" owns "]),
    ("set parameter", &["S: set"]),
    ("digits parameter", &["D: digits"]),
    ("list parameter", &["T: list"]),
    ("nat parameter", &["K: nat"]),
    ("impartial(S)", &["impartial(R)"]),
    ("by anyone", &["by anyone"]),
    ("by one player", &["by Left", "by Right", "by A", "by B"]),
    ("by each player", &["by p"]),
    ("last-wins", &["last-wins"]),
    ("elimination", &["elimination"]),
    ("off or wall", &["= off", "= wall"]),
    ("pieces on edges", &["on edges"]),
    ("add", &["add "]),
    ("merge", &["merge "]),
];

/// The kinds of boards, by their clause.
const BOARDS: [(&str, &str); 9] = [
    ("board heaps", "heaps\n"),
    ("board heaps of pairs", "heaps (m, n)"),
    ("board strip", "strip\n"),
    ("board grid", "grid\n"),
    ("board graph", "graph\n"),
    ("board rooted graph", "graph rooted"),
    ("board digraph", "digraph\n"),
    ("board digraph acyclic", "digraph acyclic"),
    ("board poset", "poset\n"),
];

/// Marks set by a generator, for constructs that are not evident from the text.
pub const MARKED: [&str; 5] = [
    "joined in moves",
    "loopy by design",
    "a site that is gone",
    "over the whole board",
    "several writes to a counter",
];

/// All names.
pub fn names() -> Vec<&'static str> {
    let mut all: Vec<&str> = SHOWN.iter().map(|(name, _)| *name).collect();
    all.extend(BOARDS.iter().map(|(name, _)| *name));
    all.extend(MARKED);
    all.extend([
        "no board",
        "two stages",
        "three stages",
        "two heaps",
        "a wall",
        "a ring",
    ]);
    all
}

/// The constructs in a text with one position.
pub fn constructs(rules: &str, position: &str, marks: &[&'static str]) -> Vec<&'static str> {
    let mut all: Vec<&'static str> = SHOWN
        .iter()
        .filter(|(_, shown)| shown.iter().any(|s| rules.contains(s)))
        .map(|(name, _)| *name)
        .collect();
    let board = rules.lines().find(|l| l.trim_start().starts_with("board"));
    match board {
        None => all.push("no board"),
        Some(line) => {
            let line = format!(
                "{}\n",
                line.split_whitespace().collect::<Vec<_>>().join(" ")
            );
            let kind = line.trim_start_matches("board ");
            let fits = |shown: &str| match shown.ends_with('\n') {
                true => kind == shown,
                false => kind.starts_with(shown),
            };
            all.extend(
                BOARDS
                    .iter()
                    .filter(|(_, s)| fits(s))
                    .map(|(name, _)| *name),
            );
        }
    }
    all.extend(marks);
    for body in rules.split("\n  move ").skip(1) {
        let stages = stages(body);
        if stages >= 2 {
            all.push("two stages");
        }
        if stages >= 3 {
            all.push("three stages");
        }
        let first = body.split(" where ").next().unwrap_or("");
        let first = first.split(" then ").next().unwrap_or("");
        if rules.contains("board heaps\n")
            && first.matches([' ', ',']).count() > 0
            && body.matches(" -> [").count() >= 2
        {
            all.push("two heaps");
        }
    }
    if position.contains("wrap: ") {
        all.push("a ring");
    }
    if position.contains('#') {
        all.push("a wall");
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// The number of stages of a move: each begins with `choose` or `where` after a `then`.
fn stages(body: &str) -> usize {
    let mut count = 1;
    let (mut wrote, mut in_each) = (false, false);
    for word in body.split_whitespace() {
        match word {
            "then" => wrote = true,
            "each" => in_each = true,
            _ if in_each => in_each = !word.ends_with(':'),
            "choose" | "where" if wrote => {
                count += 1;
                wrote = false;
            }
            _ => {}
        }
    }
    count
}
