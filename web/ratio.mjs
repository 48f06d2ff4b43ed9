// How much longer the engine of the page takes than the native program: node ratio.mjs PROGRAM. The rows are positions of the table of ratios in
// `docs/performance.md`. Times are processor seconds, the least of several runs. The program is started anew each time. The engine answers each question twelve
// times, so that V8 has compiled what it runs; `first` is the time of its first answer, which includes this compilation.
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { start } from "./src/engine.js";

const rows = [
  ["domineering", "value(Domineering[grid(5, 6)])"],
  ["clobber", 'value(Clobber["xoxoxo|oxoxox|xoxoxo"])'],
  ["cram", "nimber(Cram[grid(5, 7)])"],
  ["snort", "value(Snort[grid(4, 5)])"],
  ["toads-and-frogs", 'value(ToadsAndFrogs["ttttt.....fffff"])'],
  ["fission", 'value(Fission[".......|.......|...x...|.......|......."])'],
];

const program = process.argv[2];
if (!program) throw new Error("usage: node ratio.mjs PROGRAM");
const wasm = new WebAssembly.Module(fs.readFileSync(path.join(import.meta.dirname, "dist/engine.wasm")));
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "ratio-"));
const file = path.join(folder, "row.rules");

/** Processor seconds of a run of the program, by the shell's clock. */
function native() {
  const run = spawnSync("bash", ["-c", 'TIMEFORMAT="%U %S"; time "$0" eval "$1" --threads 1 >/dev/null', program, file], { encoding: "utf8" });
  if (run.status !== 0) throw new Error(run.stderr);
  const [user, system] = run.stderr.trim().split("\n").at(-1).split(" ").map(Number);
  return user + system;
}

let product = 1;
for (const [ruleset, query] of rows) {
  const text = `use "${ruleset}"\neval ${query}\n`;
  fs.writeFileSync(file, text);
  const engine = await start(wasm);
  const page = [];
  const own = [];
  for (let i = 0; i < 12; i++) {
    const before = process.cpuUsage();
    const answer = JSON.parse(engine.ask({ do: "evaluate", name: "row.rules", text, ascii: true }));
    const { user, system } = process.cpuUsage(before);
    if (answer.summary.held !== 1) throw new Error(JSON.stringify(answer));
    page.push((user + system) / 1e6);
    if (i % 3 === 0) own.push(native());
  }
  const [there, here] = [Math.min(...page), Math.min(...own)];
  product *= there / here;
  const cells = [ruleset.padEnd(16), `native ${here.toFixed(3)}`, `page ${there.toFixed(3)}`, `first ${page[0].toFixed(3)}`, `ratio ${(there / here).toFixed(2)}`];
  console.log(cells.join("  "));
}
console.log(`geometric mean ${(product ** (1 / rows.length)).toFixed(2)}`);
fs.rmSync(folder, { recursive: true });
