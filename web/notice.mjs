// The packages in the page come in: those of npm that esbuild bundled, and the crates that the engine is linked from. Their
// names, licences and licence texts come out, each text once.
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";

const texts = (folder) =>
  fs
    .readdirSync(folder)
    .filter((f) => /^(licen[cs]e|copying|notice|unlicense)/i.test(f) && fs.statSync(path.join(folder, f)).isFile())
    .map((f) => fs.readFileSync(path.join(folder, f), "utf8").trim());

/** Packages of npm among the inputs of a bundle. */
function bundled(here, metafile) {
  const names = new Set(Object.keys(metafile.inputs).flatMap((f) => f.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1] ?? []));
  return [...names].map((name) => {
    const folder = path.join(here, "node_modules", name);
    const { version, license } = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
    return { name, version, license, texts: texts(folder) };
  });
}

/** Crates that are linked into the engine: neither build scripts nor procedural macros are. */
function linked(here) {
  const metadata = JSON.parse(execFileSync("cargo", ["metadata", "--format-version", "1", "--locked", "--filter-platform", "wasm32-unknown-unknown", "--manifest-path", "engine/Cargo.toml"], { cwd: here, encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] }));
  const packages = new Map(metadata.packages.map((p) => [p.id, p]));
  const nodes = new Map(metadata.resolve.nodes.map((n) => [n.id, n]));
  const seen = new Set();
  const todo = [metadata.resolve.root];
  while (todo.length) {
    const id = todo.pop();
    if (seen.has(id) || packages.get(id).targets.some((t) => t.kind.includes("proc-macro"))) continue;
    seen.add(id);
    for (const d of nodes.get(id).deps) if (d.dep_kinds.some((k) => k.kind === null)) todo.push(d.pkg);
  }
  return [...seen].map((id) => packages.get(id)).map((p) => ({ name: p.name, version: p.version, license: p.license ?? "", texts: p.source ? texts(path.dirname(p.manifest_path)) : [] }));
}

export function notice(here, metafile) {
  const all = [...bundled(here, metafile), ...linked(here)].sort((a, b) => (a.name < b.name ? -1 : 1));
  const missing = all.filter((p) => !p.license);
  if (missing.length) throw new Error(`no licence: ${missing.map((p) => p.name).join(", ")}`);
  const by = new Map();
  for (const p of all) for (const text of p.texts) by.set(text, [...(by.get(text) ?? []), p.name]);
  const list = all.map((p) => `${p.name} ${p.version}: ${p.license}`);
  const full = [...by].map(([text, names]) => `${"=".repeat(100)}\n${names.join(", ")}\n\n${text}`);
  return ["cgdsl is free software under the MIT licence or the Apache License 2.0, at your choice. Its page holds these packages,", "and parts of the standard library of Rust (MIT or Apache-2.0):", "", ...list, "", ...full, ""].join("\n");
}
