// All texts of the page.
const count = (n) => n.toLocaleString("en");
const bytes = (n) => (n >= 2 ** 30 ? `${(n / 2 ** 30).toFixed(1)} GB` : `${Math.round(n / 2 ** 20)} MB`);

export const words = {
  bytes,
  seconds: (n) => `${n} s`,
  running: "evaluating …",
  progress: (done, all) => `${done} of ${all}`,
  positions: (n, b) => `${count(n)} positions, ${bytes(b)}`,
  summary: (s, time) => {
    const parts = Object.entries({ held: "fine", failed: "false", unknown: "unknown", broken: "broken", skipped: "not asked" });
    const said = parts.filter(([kind]) => s[kind] > 0).map(([kind, what]) => [kind, `${s[kind]} ${what}`]);
    return [...(said.length ? said : [["", "ready"]]), ["", `in ${time} s`]];
  },
  nothing: {
    asked: "No line of the text asks a question yet. These lines do:",
    broken: "Nothing can be answered before the errors are mended.",
    example: 'use "nim"\n\neval Nim[3, 5]\nassert nimber(Nim[3, 5]) = 6\n',
    append: "Write these lines",
    gallery: "Open the gallery",
    course: "Begin the course",
  },
  limit: (text) => text.replace(/; --(time|memory) sets it/, "; “Limits” above sets it"),
  cancelled: "stopped",
  stopped: "The engine stopped; the next edit starts a new one.",
  slow: "this takes too long for the page",
  time: "The time is up. You can raise the limits above.",
  noEngine: "The engine cannot be loaded.",
  line: (n) => `line ${n}`,
  elsewhere: "in another file that this one uses",
  fix: (what) => `Fix: ${what}`,
  copied: "Link copied. It contains the whole text.",
  long: (n) => `Link copied, but it has ${count(n)} characters: some programs cut links after 2,000.`,
  address: "The link stands in the address bar.",
  badLink: (why) => `This link cannot be opened: ${why}.`,
  families: (folder) => ({ "": "all", "n-player": "more players", boards: "boards alone" })[folder] ?? folder,
  noMatch: "No ruleset has all these words.",
  theme: { auto: "Colours of the system", light: "Light", dark: "Dark" },
  status: { held: "holds", failed: "false", unknown: "unknown", broken: "broken" },
  // A query that was not asked for any other reason has a message, which says so.
  skipped: (said) => (said ? "not asked" : "not asked: slow"),
  was: (old) => `was ${old}`,
  thermograph: "Thermograph",
  desk: {
    label: "Work with a position",
    board: "Board",
    play: "Play",
    tree: "Tree",
    sum: "Sum",
    position: "The position as text",
    undo: "Undo the last change of the board",
    redo: "Redo",
    close: "Close the board",
    open: "Board",
  },
  spot: (kind, board, name, holds) => {
    const where = kind === "heap" ? `heap ${name}` : kind === "line" ? `line ${name}` : board === "grid" ? name.replace(/^\((\d+), (\d+)\)$/, "row $1, column $2") : board === "strip" ? `cell ${name}` : board === "poset" ? `element ${name}` : `vertex ${name}`;
    return `${where}: ${holds || "empty"}`;
  },
  from: (name) => `From ${name}: choose the other end.`,
  heap: (ruleset, n) => `${ruleset}Heap ${n}`,
  tools: {
    label: "What a click does",
    piece: (name, owners) => (owners && owners !== name && owners !== "anyone" ? `${name} (${owners})` : name),
    empty: "Clear",
    wall: "Remove cell",
    remove: "Remove",
    join: { graph: "Edge", digraph: "Arc", poset: "Below – above" },
    more: "+1",
    less: "−1",
    add: { heaps: "Add a heap", graph: "Add a vertex", digraph: "Add a vertex", poset: "Add an element" },
    rows: "Rows",
    columns: "Columns",
    key: (k) => `Key: ${k}`,
  },
  play: {
    begins: "Begins",
    you: "You are",
    everyone: "all players",
    nobody: "nobody: watch",
    misere: "misère",
    again: "New game",
    undo: "Take back",
    hint: "Hint",
    moves: "Moves",
    made: "Moves made",
    pass: "this move",
    toMove: (who) => `${who} moves. Click what the move changes, or choose it below.`,
    thinks: (who) => `${who} moves …`,
    won: (who) => `${who} has won.`,
    lost: (who) => `${who} has lost, and the others have won.`,
    drawn: "It is a draw.",
    before: "This position came before, with the same player to move.",
    noMove: "The engine finds no move within the limits.",
    nothingThere: (where) => `No move changes ${where}.`,
    mistake: (made, better) => `${made} gave the game away. ${better} was winning there.`,
    never: (who) => `No move of the others gave the game away: ${who} was never losing.`,
    hints: (step, a) => {
      if (step === 1)
        return { wins: "You can win: find the move.", loses: `${a.prospect.to} wins with perfect play; every move here loses.`, drawn: "Nobody can force a win: hold the draw.", queer: "Nobody can force a win alone.", unknown: "Who wins is not known: a limit was met." }[a.prospect.is];
      if (step === 2) return a.part ? `Of ${a.parts} independent parts, look at ${a.part}` : a.parts > 1 ? `There are ${a.parts} independent parts; the move touches more than one.` : "The position has one part: look at the whole.";
      if (step === 3) return `Play ${a.move}`;
      const r = a.reason;
      switch (r.is) {
        case "nimsum":
          return `It makes the nim-sum 0: ${r.numbers.join(" xor ")} = 0.`;
        case "mirror":
          return `It leaves ${r.one} and ${r.other}, which are each other's negatives: answer every move in one by the same move in the other.`;
        case "number":
          return `It leaves ${r.value}, a number: moving in a number is never an advantage, and ${r.value} is enough for you.`;
        case "reversal":
          return `It reverses the last move: it leaves ${r.value}, at least as good for you as ${r.before}, which was there before.`;
        case "value":
          return `It leaves ${r.value}: whoever moves there cannot win.`;
        case "wins":
          return r.moves === 1 ? "It wins at once." : r.moves ? `After it you can force a win within ${r.moves} moves.` : "After it you can force a win.";
        case "loses":
          return `Nothing wins; after this move the other needs ${r.moves} moves to win.`;
        case "draws":
          return "Nothing wins, and after this move the other cannot force a win.";
        case "hardest":
          return r.replies === 1 ? "Nothing wins; after this move only one reply does." : r.replies > 1 ? `Nothing wins; after this move the other has to find one of ${r.replies} winning replies.` : "Nothing is sure to win.";
        default:
          return `That is not known: ${r.why}.`;
      }
    },
  },
  tree: {
    label: "Tree",
    game: "Game tree",
    form: "Canonical form",
    of: (player) => `${player}'s option`,
    dominated: (by) => `dominated by ${by}`,
    reversible: (by) => `reversible through ${by}`,
    folded: (n) => `${n} more: dominated, reversible or of equal value`,
    end: "no options",
  },
  sum: {
    label: "Sum",
    terms: "Terms of the sum",
    entry: "A position or a value",
    plus: "Add",
    add: "Add to the sum",
    added: "Added to the sum.",
    help: "Drag positions here, from answers and from the tree, or write one.",
    sign: (t) => `Negative of ${t}`,
    count: (t) => `Copies of ${t}`,
    remove: (t) => `Remove ${t}`,
    write: "Write into the file",
    show: "Show the board",
    clear: "Clear",
  },
  quiz: {
    label: "Questions",
    answer: (q) => `Answer to: ${q}`,
    check: "Check",
    hint: "Hint",
    show: "Give up",
    right: (source) => (source ? `Right. [${source}]` : "Right."),
    wrong: "No.",
    noHint: "There are no more hints.",
    shown: (right) => (right ? `It is ${right}.` : "The answer is sealed."),
    score: (right, all, alone) => `${right} of ${all} right${alone ? `, ${alone} at the first attempt and without a hint` : ""}.`,
  },
  learn: {
    count: (done, all) => `${done} of ${all} levels`,
    part: (done, all) => ` ${done}/${all}`,
    kinds: { predict: "predict", move: "find the move", change: "change a word", build: "build", refute: "refute" },
    tasks: {
      predict: "Say what it is, before it is computed.",
      move: "Find a move that wins.",
      change: "Change one word of the rules so that the claims hold.",
      build: "Build something for which the claims hold.",
      refute: "The statement is false: find an instance that shows it.",
    },
    items: { change: "The rules and the claims", build: "The claims", refute: "The statement" },
    solved: "solved",
    answer: (wanted) => `Your answer: ${wanted}`,
    log: "Remarks on your answers",
    check: "Check",
    hint: "Hint",
    aHint: (text) => `Hint: ${text}`,
    next: "Next level",
    rules: "Rules",
    edit: "Open in the editor",
    verdict: {
      right: (typed, why) => `${typed}: right. ${why}`.trim(),
      wrong: (typed, why) => `${typed}: no. ${why}`.trim(),
      unread: (_, why) => why,
      unknown: (typed, why) => `${typed}: that is not known: ${why}.`,
    },
    name: "Your name",
    certificate: "Certificate",
    how: "A file with your name and your answers. Anybody can check them: cgdsl learn --verify certificate.json",
    progress: "Progress",
    moving: "Your progress is kept in this browser only. Save it as a file to use it in another browser, or in the terminal: cgdsl learn --progress learn.json",
    keep: "Save as a file",
    load: "Add from a file:",
    loaded: (n) => (n === 1 ? "1 level added." : `${count(n)} levels added.`),
    saved: "The certificate is among your downloads.",
    unkept: "The browser stores nothing: your progress is lost when the page is closed.",
    unread: (why) => `This file has no progress: ${why}.`,
  },
  copy: {
    label: "Copy",
    formats: { latex: "LaTeX (TikZ)", typst: "Typst", svg: "SVG", markdown: "Markdown", rules: "Rules" },
    all: { latex: "All answers as LaTeX", typst: "All answers as Typst", markdown: "All answers as Markdown" },
    link: "Link with the whole text",
    file: "The text as .rules",
    embed: "Frame for a web page (iframe)",
    copied: (what) => `${what}: copied.`,
    refused: "The browser does not let this page copy.",
  },
  openWhole: "Open in the whole page",
  moves: "Moves",
  start: "Start",
  afterMove: (n) => `After move ${n}`,
  make: (player) => `${player} moves here`,
  working: "…",
  rows: (n) => `${count(n)} rows`,
  more: (n) => `and ${count(n)} more`,
  instances: (n) => (n === 1 ? "1 instance" : `${count(n)} instances`),
  best: (player) => `Best for ${player}`,
  options: (n, player) => `${player}: ${n === 1 ? "1 option" : `${count(n)} options`}`,
  nobodys: "nobody alone",
  coalition: (first) => `${first} starts`,
  facts: { outcome: "Outcome", mean: "Mean", temperature: "Temperature", left_stop: "Left stop", right_stop: "Right stop" },
  warm: `use "domineering"
eval value(Domineering[grid(4, 5)])
use "clobber"
eval value(Clobber["xoxo|oxox|xoxo"])
use "cram"
eval nimber(Cram[grid(4, 4)])
use "snort"
eval value(Snort[grid(3, 4)])
`,
  welcome: `/// Nim, but a heap loses at most three: change the 3 and see the values change.
ruleset Take
  board heaps
  move by anyone: choose n, k in 1..3 where k <= n then n -> [n - k]

eval Take[5]
eval nimber(Take[7] + Take[2])
assert nimber(Take[4]) = 0
table for n in 0..12: nimber(Take[n])

use "domineering"

eval Domineering[grid(3, 3)]
`,
};
