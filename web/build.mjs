// Sources come in; `dist/` comes out: static files that any server can hand out. With `--wasm FILE` the engine is taken
// from there; else it is compiled, and made smaller by wasm-opt.
import { build } from "esbuild";
import { notice } from "./notice.mjs";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";

const here = import.meta.dirname;
const out = path.join(here, "dist");
fs.rmSync(out, { recursive: true, force: true });
fs.mkdirSync(out);

const run = (command, args, env = process.env) => execFileSync(command, args, { cwd: here, stdio: "inherit", env });

const at = process.argv.indexOf("--wasm");
const engine = path.join(out, "engine.wasm");
if (at > 0) fs.copyFileSync(process.argv[at + 1], engine);
else {
  const target = "wasm32-unknown-unknown";
  // No path of this machine goes into the engine.
  const cargo = process.env.CARGO_HOME ?? path.join(os.homedir(), ".cargo");
  // All browsers of the last years have the instructions on vectors (Safari since 16.4); without them the loops over heaps are six times as long.
  // What users download counts: functions marked for inlining get a lower bound than the usual 325. The engine is 10 kB smaller, and takes 2 to 3 % longer.
  const flags = [process.env.RUSTFLAGS, "-Ctarget-feature=+simd128", "-Cllvm-args=-inlinehint-threshold=290", `--remap-path-prefix=${path.dirname(here)}=/cgdsl`, `--remap-path-prefix=${cargo}=/cargo`];
  const env = { ...process.env, RUSTFLAGS: flags.filter(Boolean).join(" ") };
  run("cargo", ["build", "--locked", "--release", "--target", target, "--manifest-path", "engine/Cargo.toml", "--target-dir", "engine/target"], env);
  const raw = path.join(here, `engine/target/${target}/release/cgdsl_page_engine.wasm`);
  const features = ["--enable-simd", "--enable-bulk-memory", "--enable-sign-ext", "--enable-mutable-globals", "--enable-nontrapping-float-to-int", "--enable-reference-types", "--enable-multivalue", "--enable-bulk-memory-opt", "--enable-call-indirect-overlong"];
  const options = ["-O1", ...features];
  // What was made smaller before is kept.
  const kept = path.join(here, `engine/target/${createHash("sha256").update(fs.readFileSync(raw)).update(options.join()).digest("hex").slice(0, 16)}.wasm`);
  if (!fs.existsSync(kept)) {
    run(process.execPath, ["node_modules/binaryen/bin/wasm-opt", ...options, raw, "-o", `${kept}.part`]);
    fs.renameSync(`${kept}.part`, kept);
  }
  fs.copyFileSync(kept, engine);
}

const commit = (() => {
  try {
    return execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: here, encoding: "utf8" }).trim();
  } catch {
    return "";
  }
})();

const version = fs.readFileSync(path.join(here, "../Cargo.toml"), "utf8").match(/^version = "(.*)"/m)[1];

const { metafile } = await build({
  metafile: true,
  absWorkingDir: here,
  // The book (`docs/run.js`) takes `share.js` from beside the page.
  entryPoints: { page: "src/page.js", worker: "src/worker.js", share: "src/share.js" },
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  outdir: out,
  define: { COMMIT: JSON.stringify(commit), VERSION: JSON.stringify(version) },
  legalComments: "none",
});
for (const file of ["index.html", "style.css", "icon.svg", "manifest.webmanifest"]) fs.copyFileSync(path.join(here, "src", file), path.join(out, file));

fs.writeFileSync(path.join(out, "NOTICE.txt"), notice(here, metafile));

// The service worker keeps exactly these files; its name of the cache changes with any of them.
const files = fs.readdirSync(out).sort();
const sum = createHash("sha256");
for (const f of files) sum.update(f).update(fs.readFileSync(path.join(out, f)));
const text = fs.readFileSync(path.join(here, "src/offline.js"), "utf8");
fs.writeFileSync(
  path.join(out, "offline.js"),
  text.replace("/* FILES */", JSON.stringify(["./", ...files])).replace("/* NAME */", JSON.stringify(`cgdsl-${sum.digest("hex").slice(0, 16)}`)),
);
for (const f of fs.readdirSync(out)) console.log(String(fs.statSync(path.join(out, f)).size).padStart(9), f);
