// Holds the TextMate grammar, and the tokens of the tree-sitter grammar, against the lexer: for each shipped file, and for a text with all
// sorts of tokens, `cgdsl lsp` says where the tokens are and of what kind.
import * as fs from "node:fs";
import * as path from "node:path";
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, "../..");
const require = createRequire(path.join(root, "editors/vscode/package.json"));
const oniguruma = require("vscode-oniguruma");
const textmate = require("vscode-textmate");

/** A client of the server: `ask` answers a request. */
function server(program) {
  const child = spawn(program, ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
  const waiting = new Map();
  let held = Buffer.alloc(0);
  let number = 0;
  child.stdout.on("data", (more) => {
    held = Buffer.concat([held, more]);
    for (;;) {
      const head = held.indexOf("\r\n\r\n");
      if (head < 0) return;
      const length = Number(/Content-Length: (\d+)/.exec(held.subarray(0, head).toString())[1]);
      if (held.length < head + 4 + length) return;
      const said = JSON.parse(held.subarray(head + 4, head + 4 + length).toString());
      held = held.subarray(head + 4 + length);
      waiting.get(said.id)?.(said);
    }
  });
  const send = (said) => {
    const text = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...said }));
    child.stdin.write(`Content-Length: ${text.length}\r\n\r\n`);
    child.stdin.write(text);
  };
  const tell = (method, params) => send({ method, params });
  const ask = (method, params) => new Promise((done, fail) => {
    const id = ++number;
    waiting.set(id, (said) => (said.error ? fail(new Error(said.error.message)) : done(said.result)));
    send({ id, method, params });
  });
  return { tell, ask };
}

function files(folder) {
  const all = fs.readdirSync(folder, { withFileTypes: true });
  return all.flatMap((f) => (f.isDirectory() ? files(path.join(folder, f.name)) : f.name.endsWith(".rules") ? [path.join(folder, f.name)] : []));
}

/** What the scopes of a kind of token begin with. */
const SCOPES = {
  comment: ["comment."], string: ["string."], number: ["constant.numeric."], keyword: ["keyword.control.", "keyword.other."], operator: ["keyword.operator."],
};

/** The tokens of a file by the grammar: for each line its stretches with their innermost scopes. */
function byTextmate(grammar, text) {
  let stack = textmate.INITIAL;
  return text.split(/\r\n|\n/).map((line) => {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, stack);
    stack = ruleStack;
    return tokens.map((t) => ({ from: t.startIndex, to: t.endIndex, scopes: t.scopes.filter((s) => s !== "source.cgdsl") }));
  });
}

/** The tokens of the tree-sitter grammar, cut as its generated lexer does: the longest match, then the higher precedence. */
async function byTreeSitter(text) {
  const rules = {};
  const one = (kind) => (...all) => ({ kind, all });
  const dsl = {
    seq: one("seq"), choice: one("choice"), repeat: one("repeat"), alias: (rule) => rule, grammar: (g) => g,
    prec: (n, rule) => ({ kind: "prec", n, all: [rule] }), token: Object.assign(one("token"), { immediate: one("immediate") }),
  };
  const source = fs.readFileSync(path.join(root, "editors/tree-sitter/grammar.js"), "utf8");
  const module = { exports: {} };
  new Function("module", ...Object.keys(dsl), source)(module, ...Object.values(dsl));
  const names = new Proxy({}, { get: (_, name) => ({ kind: "symbol", name }) });
  for (const [name, rule] of Object.entries(module.exports.rules)) rules[name] = rule(names);
  const outside = new Set(module.exports.externals(names).map((symbol) => symbol.name));
  const known = (rule) => {
    if (rule?.kind === "symbol" && !(rule.name in rules) && !outside.has(rule.name)) throw new Error(`tree-sitter: no rule ${rule.name}`);
    rule?.all?.forEach(known);
  };
  Object.values(rules).forEach(known);
  const escaped = (s) => s.replace(/[.*+?^${}()|[\]\\\/]/g, "\\$&");
  const pattern = (rule) => (typeof rule === "string" ? escaped(rule) : rule instanceof RegExp ? rule.source : rule.all.map(pattern).join("|"));
  const precedence = (rule) => (rule?.kind === "prec" ? rule.n : 0);
  const tokens = ["documentation", "comment", "art", "string", "outcome", "integer", "name", "sign"].map((name) => {
    const inner = rules[name].all[0];
    // The longest of several alternatives.
    const all = inner?.kind === "choice" ? inner.all : [inner];
    return { name, level: precedence(inner), all: all.map((r) => new RegExp(pattern(r), "uy")) };
  });
  const keywords = new Set(rules.keyword.all);
  const out = [];
  for (let at = 0; at < text.length;) {
    const blank = /[ \t\r\n\u00a0]+|[()\[\]{}]/uy;
    blank.lastIndex = at;
    const skipped = blank.exec(text);
    if (skipped) {
      at += skipped[0].length;
      continue;
    }
    let best = null;
    for (const t of tokens) {
      for (const r of t.all) {
        r.lastIndex = at;
        const length = r.exec(text)?.[0].length ?? 0;
        // A precedence decides first; that is how lexical precedence works.
        if (length > 0 && (!best || t.level > best.level || (t.level === best.level && length > best.length))) best = { name: t.name, level: t.level, length };
      }
    }
    if (!best) throw new Error(`tree-sitter: no token at ${JSON.stringify(text.slice(at, at + 20))}`);
    const name = best.name === "name" && keywords.has(text.slice(at, at + best.length)) ? "keyword" : best.name;
    out.push({ from: at, to: at + best.length, name });
    at += best.length;
  }
  return out;
}

const KINDS = { documentation: "comment", comment: "comment", art: "string", string: "string", integer: "number", keyword: "keyword", sign: "operator" };

const wasm = fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm"));
const onigLib = oniguruma.loadWASM(wasm).then(() => ({ createOnigScanner: (p) => new oniguruma.OnigScanner(p), createOnigString: (s) => new oniguruma.OnigString(s) }));
const file = path.join(here, "cgdsl.tmLanguage.json");
const registry = new textmate.Registry({ onigLib, loadGrammar: async () => textmate.parseRawGrammar(fs.readFileSync(file, "utf8"), file) });
const grammar = await registry.loadGrammar("source.cgdsl");
const { ask, tell } = server(process.env.CGDSL ?? "cgdsl");
const { capabilities } = await ask("initialize", { capabilities: {} });
const { tokenTypes } = capabilities.semanticTokensProvider.legend;
tell("initialized", {});

const ODD = 'let 𝒮₂\' = {1..3} // é😀 "no"\n//// no documentation\n/// doc\nposition P = Nim["a\\"b", 2mod 3]\nassert outcome(P)=N-position,x_let+-1 → 2 ≠ ↑\neval """\n x"o ""\n"""\n';
// Words of clauses, and the same words as names.
const CLAUSES = `language 2
ruleset Clauses(when: nat)
  board  grid
  pieces win = Left, again = Right
  state  next, score(player): nat
  win p when row(p) and when > 1
  lose 1 when no a in cells: at(a) = win
  draw when again = 2 // draw
  endless win Right
  move by p:
    choose a in cells where p owns at(a), when = 3
    repeat choose d in {east, west}, b = a + d
    then   at(b) := p when at(b) = empty, remove a, again when draw(a) > 0
    next   a = b, next = score(p)
ruleset Points
  board  heaps
  move by p: choose n then n -> [n - 1], again
  move by p: choose n then n -> [n - 2], entail
  score  taken(Left) - taken(Right)
ruleset Mine = Points with claims
  without score
  endless draw
let without(repeat, with, claims) = {repeat, with, claims}
eval score(Points[3], first: Left), winner(Points[3]) = draw, value(over + on) == over
`;
const CLAUSE_WORDS = new Set(["win", "lose", "draw", "endless", "score", "when", "again", "entail", "repeat", "next", "with", "without", "claims", "fixed", "as", "add", "merge"]);
const texts = [...files(path.join(root, "rulesets")).map((f) => [path.relative(root, f), fs.readFileSync(f, "utf8")]), ["odd", ODD], ["clauses", CLAUSES]];
let wrong = 0;
let count = 0;
const say = (text) => {
  if (++wrong <= 20) console.error(text);
};
for (const [name, text] of texts) {
  const uri = `file:///editors/${encodeURI(name)}`;
  tell("textDocument/didOpen", { textDocument: { uri, languageId: "cgdsl", version: 1, text } });
  const { data } = await ask("textDocument/semanticTokens/full", { textDocument: { uri } });
  const lines = byTextmate(grammar, text);
  const plain = text.split("\n");
  const starts = [];
  plain.reduce((at, line) => (starts.push(at), at + line.length + 1), 0);
  const tree = await byTreeSitter(text);
  let [line, column] = [0, 0];
  const keywordsAt = new Set();
  for (let i = 0; i < data.length; i += 5) {
    column = data[i] ? data[i + 1] : column + data[i + 1];
    line += data[i];
    const [length, type, bits] = [data[i + 2], tokenTypes[data[i + 3]], data[i + 4]];
    // Words that are keywords in one place only are names to the lexer.
    const kind = type === "keyword" && bits & 4 ? "name" : type;
    const slice = plain[line].substr(column, length);
    if (kind === "string" && !/^["]|"$/.test(slice) && !tree.some((t) => t.name === "art" && t.from <= starts[line] + column)) continue;
    count += 1;
    const scopes = lines[line].filter((t) => t.from < column + length && t.to > column).map((t) => t.scopes);
    const expected = type === "keyword" && bits & 4 && CLAUSE_WORDS.has(slice) ? SCOPES.keyword : SCOPES[kind];
    const fits = (all) => (expected ? all.some((s) => expected.some((e) => s.startsWith(e))) : !all.some((s) => Object.values(SCOPES).flat().some((e) => s.startsWith(e))));
    if (!scopes.length || !scopes.every(fits)) say(`textmate: ${name}:${line + 1}:${column + 1} \`${slice}\` is a ${kind}, and has ${JSON.stringify(scopes)}`);
    const at = starts[line] + column;
    const found = tree.find((t) => t.from <= at && at < t.to);
    const same = found && (found.name === "art" || (found.from === at && found.to === at + length));
    const treeKind = found && (KINDS[found.name] ?? "name");
    if (!same || treeKind !== (SCOPES[kind] ? kind : "name")) say(`tree-sitter: ${name}:${line + 1}:${column + 1} \`${slice}\` is a ${kind}, and is ${JSON.stringify(found)}`);
    if (kind === "keyword") keywordsAt.add(at);
  }
  // And back: what a grammar calls a keyword is one.
  for (const t of tree) if (t.name === "keyword" && !keywordsAt.has(t.from)) say(`tree-sitter: ${name}: \`${text.slice(t.from, t.to)}\` at ${t.from} is not a keyword`);
  tell("textDocument/didClose", { textDocument: { uri } });
}
await ask("shutdown", null);
tell("exit", null);
if (wrong || count < 10000) {
  console.error(`${wrong} of ${count} tokens differ`);
  process.exit(1);
}
console.log(`${count} tokens of ${texts.length} texts: the grammars and the lexer agree`);
