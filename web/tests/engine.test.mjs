// The engine under Node, against the native program: the same bytes of JSON for shipped files.
import test from "node:test";
import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { start } from "../src/engine.js";
import { native, root, web } from "./common.mjs";

const module = new WebAssembly.Module(fs.readFileSync(path.join(web, "dist/engine.wasm")));

/** Files of all families that a build without optimisation answers in seconds. */
const FILES = [
  "heaps/nim", "heaps/kayles", "heaps/grundy", "heaps/octal", "heaps/partizan-kayles", "scalars/wythoff", "scalars/euclid", "grids/domineering", "grids/clobber", "grids/dawsons-chess",
  "grids/konane", "strips/toads-and-frogs", "strips/toppling-dominoes", "graphs/hackenbush", "graphs/col", "graphs/snort", "posets/chomp", "n-player/nim", "n-player/domineering", "values/textbook",
];

for (const name of FILES) {
  const file = `rulesets/${name}.rules`;
  test(`${file} says the same bytes`, async () => {
    const engine = await start(module);
    const text = fs.readFileSync(path.join(root, file), "utf8");
    assert.equal(engine.ask({ do: "evaluate", name: file, text, ascii: true }), await native(file));
  });
}

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

test("memory ends an evaluation as unknown", async () => {
  const engine = await start(module);
  const answer = JSON.parse(engine.ask({ do: "evaluate", name: "a.rules", text: 'use "domineering"\neval value(Domineering[grid(7, 7)])\n', memory: 64 << 20 }));
  assert.equal(answer.items[0].status, "unknown");
  assert.ok(engine.bytes() < 400 << 20, `${engine.bytes()} bytes`);
});

test("a request that cannot be read is answered", async () => {
  const engine = await start(module);
  assert.ok(JSON.parse(engine.ask({ do: "nothing" })).error);
});
