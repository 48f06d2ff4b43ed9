// A server for `dist/` and a browser; the native program, to compare with.
import { chromium } from "playwright-core";
import { execFile } from "node:child_process";
import { createServer } from "node:http";
import * as fs from "node:fs";
import * as path from "node:path";

export const web = path.dirname(import.meta.dirname);
export const root = path.dirname(web);
const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".svg": "image/svg+xml", ".webmanifest": "application/manifest+json", ".woff2": "font/woff2", ".png": "image/png" };

/** Hands out a folder, or those of its files that `has` lets pass. */
export async function serve(folder = path.join(web, "dist"), has = () => true) {
  const asked = [];
  const server = createServer((request, response) => {
    const name = new URL(request.url, "http://x").pathname.slice(1).replace(/(^|\/)$/, "$1index.html");
    asked.push(name);
    const file = path.join(folder, name);
    if (!has(name) || !fs.existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": TYPES[path.extname(file)] ?? "application/octet-stream" }).end(fs.readFileSync(file));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { url: `http://127.0.0.1:${server.address().port}/`, asked, close: () => (server.closeAllConnections(), new Promise((done) => server.close(done))) };
}

export async function open() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
}

/** A page with the text in it, evaluated to the end. */
export async function settled(page) {
  await page.waitForFunction(() => !document.querySelector("#answers").hasAttribute("aria-busy") && / in [\d.]+ s$/.test(document.querySelector("#status").textContent), null, { timeout: 120_000 });
}

export async function write(page, text) {
  await page.evaluate(async (text) => {
    document.querySelector("#status").textContent = "";
    cgdsl.set("");
    cgdsl.set(text);
  }, text);
  await settled(page);
}

/** The native program; CGDSL names another. */
export const program = process.env.CGDSL ?? path.join(process.env.CARGO_TARGET_DIR ?? path.join(root, "target"), "debug/cgdsl");

/** What `cgdsl eval FILE --json` prints. */
export function native(file) {
  return new Promise((done, fail) => {
    execFile(program, ["eval", file, "--json"], { cwd: root, maxBuffer: 1 << 28 }, (error, out, err) => (out ? done(out) : fail(error ?? new Error(err))));
  });
}
