// All that the page says, in one place.
const count = (n) => n.toLocaleString("en");
const bytes = (n) => (n >= 2 ** 30 ? `${(n / 2 ** 30).toFixed(1)} GB` : `${Math.round(n / 2 ** 20)} MB`);

export const words = {
  bytes,
  seconds: (n) => `${n} s`,
  running: "evaluating …",
  progress: (done, all) => `${done} of ${all}`,
  positions: (n, b) => `${count(n)} positions, ${bytes(b)}`,
  summary: (s, time) => {
    const parts = [[s.held, "fine"], [s.failed, "false"], [s.unknown, "unknown"], [s.broken, "broken"], [s.skipped, "left out (slow)"]];
    const said = parts.filter(([n]) => n > 0).map(([n, what]) => `${n} ${what}`);
    return `${said.join(", ") || "ready"} in ${time} s`;
  },
  nothing: "Nothing is asked. Add a line such as: eval Nim[3, 5]",
  cancelled: "stopped",
  stopped: "The engine stopped; the next edit starts a new one.",
  slow: "this takes too long for the page",
  time: "The time is over. The limits above can be raised.",
  noEngine: "The engine cannot be loaded.",
  line: (n) => `line ${n}`,
  elsewhere: "in a file that is used",
  fix: (what) => `Fix: ${what}`,
  copied: "Link copied. It holds the whole text.",
  long: (n) => `Link copied, but it has ${count(n)} characters: some programs cut links after 2,000.`,
  address: "The link stands in the address bar.",
  badLink: (why) => `This link cannot be opened: ${why}.`,
  noMatch: "No ruleset has all these words.",
  theme: { auto: "Colours of the system", light: "Light", dark: "Dark" },
  status: { held: "holds", failed: "false", unknown: "unknown", broken: "broken", skipped: "left out: slow" },
  was: (old) => `was ${old}`,
  thermograph: "Thermograph",
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
