// The engine under Node, against the native program: the same bytes of JSON for shipped files.
import test from "node:test";
import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { start } from "../src/engine.js";
import { native, root, web } from "./common.mjs";

const module = new WebAssembly.Module(fs.readFileSync(path.join(web, "dist/engine.wasm")));

/** All shipped files. */
const FILES = fs
  .readdirSync(path.join(root, "rulesets"), { recursive: true })
  .filter((f) => f.endsWith(".rules"))
  .sort();
/** A file that takes longer is ended, and fails: a few take seconds on an idle machine, and all of them a minute or two. */
const LONGEST = 240_000;

test("all shipped files say the same bytes", async (t) => {
  assert.ok(FILES.length > 90, `${FILES.length} files`);
  for (const name of FILES) {
    const file = `rulesets/${name}`;
    await t.test(file, async () => {
      // Both work at once: the native program is another process.
      const expected = native(file);
      await new Promise(setImmediate);
      const until = performance.now() + LONGEST;
      const engine = await start(module, { tick: () => performance.now() > until });
      const text = fs.readFileSync(path.join(root, file), "utf8");
      assert.equal(engine.ask({ do: "evaluate", name: file, text, ascii: true }), await expected);
    });
  }
});

test("tokens cover all but blanks, in UTF-16", async () => {
  const engine = await start(module);
  const text = 'ruleset 𝒢 // "é" 😀\n  board heaps\neval "open';
  const { tokens } = JSON.parse(engine.ask({ do: "lex", text }));
  let at = 0;
  for (const [, from, to] of tokens) {
    assert.match(text.slice(at, from), /^\s*$/);
    assert.ok(to > from);
    at = to;
  }
  assert.equal(text.slice(at).trim(), "");
  assert.equal(text.slice(tokens[2][1], tokens[2][2]), '// "é" 😀');
});

test("a tick that says so ends an evaluation as unknown", async () => {
  let ticks = 0;
  const engine = await start(module, { tick: () => ++ticks > 3 });
  const answer = JSON.parse(engine.ask({ do: "evaluate", name: "a.rules", text: 'use "domineering"\neval Domineering[grid(8, 8)]\n' }));
  assert.equal(answer.items[0].status, "unknown");
});

// Where positions can repeat, all of them are kept, so memory is full within seconds.
test("memory ends an evaluation as unknown", async () => {
  const engine = await start(module);
  const text = 'use "six-mens-morris"\neval outcome(SixMensMorris[".#.#.|#...#|..#..|#...#|.#.#.", hand: [6, 6]])\n';
  const answer = JSON.parse(engine.ask({ do: "evaluate", name: "a.rules", text, memory: 64 << 20 }));
  assert.equal(answer.items[0].status, "unknown");
  assert.match(answer.items[0].diagnostics[0].message, /limit of memory/);
  assert.ok(engine.bytes() < 400 << 20, `${engine.bytes()} bytes`);
});

// Where play ends, a search whose memory is full forgets positions and goes on for minutes; here it is stopped.
test("a search that forgets keeps within its memory", async () => {
  const until = performance.now() + 5_000;
  const engine = await start(module, { tick: () => performance.now() > until });
  const text = 'use "domineering"\neval value(Domineering[grid(7, 7)])\n';
  const answer = JSON.parse(engine.ask({ do: "evaluate", name: "a.rules", text, memory: 8 << 20 }));
  assert.equal(answer.items[0].status, "unknown");
  assert.ok(engine.bytes() < 200 << 20, `${engine.bytes()} bytes`);
});

test("a request that cannot be read is answered", async () => {
  const engine = await start(module);
  assert.ok(JSON.parse(engine.ask({ do: "nothing" })).error);
});

const ask = async (request) => JSON.parse((await start(module)).ask({ name: "a.rules", ...request }));

test("a board tells where its places lie, what they hold, and its pieces", async () => {
  const { text, terms, targets, size } = await ask({ do: "board", text: 'use "clobber"', expression: 'Clobber["xo|.#"]' });
  assert.equal(text, 'Clobber["xo|.#"]');
  assert.deepEqual(terms[0].pieces.map((p) => [p.name, p.owners]), [["x", "Left"], ["o", "Right"]]);
  assert.deepEqual(targets.map((t) => [t.name, t.holds]), [["(1, 1)", "x (Left)"], ["(1, 2)", "o (Right)"], ["(2, 1)", ""], ["(2, 2)", "wall"]]);
  for (const t of targets) assert.ok(t.at[0] > 0 && t.at[1] > 0 && t.at[0] < size[0] && t.at[1] < size[1]);
});

test("wrong requests of a board, a game, a tree and a question are answered", async () => {
  const nim = { text: 'use "nim"', expression: "Nim[3]" };
  for (const request of [
    { do: "board", text: 'use "nim"', expression: "Nim[" },
    { do: "board", ...nim, edit: { edit: "heap", heap: 9, size: 1 } },
    { do: "board", ...nim, edit: { edit: "put", spot: { site: 4e9 }, piece: "x" } },
    { do: "board", ...nim, term: 7, edit: { edit: "add" } },
    { do: "play", ...nim, made: [99] },
    { do: "play", ...nim, first: 9 },
    { do: "tree", text: "", expression: "Nim[3]" },
    { do: "copy", ...nim, want: "word" },
    { do: "quiz", text: "", at: 3, want: "mark" },
  ])
    assert.equal(typeof (await ask(request)).error, "string", JSON.stringify(request));
});

test("a game of two Nim heaps is won by the one whom Bouton says", async () => {
  // [1, 2] is won by the first player, [2, 2] by the second, whoever plays perfectly against whatever.
  for (const [heaps, first] of [["1, 2", 0], ["2, 2", 1]]) {
    const made = [];
    for (;;) {
      const request = { do: "play", text: 'use "nim"', expression: `Nim[${heaps}]`, made };
      const now = await ask(request);
      if (now.winner !== null) {
        assert.equal(now.winner, first);
        break;
      }
      made.push(now.mover === first ? (await ask({ ...request, want: "advice" })).number : 0);
    }
  }
});
