// `cgdsl page`: who is answered, and with what; and the files that it writes.
import test, { after, before } from "node:test";
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import * as fs from "node:fs";
import * as http from "node:http";
import * as os from "node:os";
import * as path from "node:path";
import { open, program, settled, web } from "./common.mjs";

let child, link;

before(async () => {
  child = spawn(program, ["page"], { stdio: ["ignore", "pipe", "inherit"] });
  link = new URL(await new Promise((done, fail) => {
    let said = "";
    child.stdout.on("data", (d) => ((said += d), said.includes("\n") && done(said.split("\n")[0])));
    child.on("exit", (code) => fail(new Error(`cgdsl page ended: ${code}`)));
  }));
});

after(() => child?.kill());

function get(where, { method = "GET", headers = {} } = {}) {
  return new Promise((done, fail) => {
    const request = http.request({ host: "127.0.0.1", port: link.port, path: where, method, headers }, (answer) => {
      const parts = [];
      answer.on("data", (d) => parts.push(d));
      answer.on("end", () => done({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(parts) }));
    });
    request.on("error", fail);
    request.end();
  });
}

test("the link holds a secret, without which nothing is answered", async () => {
  assert.match(link.pathname, /^\/[0-9a-f]{32}\/$/);
  assert.equal(link.hostname, "127.0.0.1");
  const index = await get(link.pathname);
  assert.equal(index.status, 200);
  assert.deepEqual(index.body, fs.readFileSync(path.join(web, "dist/index.html")));
  for (const where of ["/", "/index.html", "/engine.wasm", `/${"0".repeat(32)}/`, link.pathname.slice(0, -1), `${link.pathname}../Cargo.toml`, `${link.pathname}%2e%2e/x`, `${link.pathname}nothing`]) assert.equal((await get(where)).status, 404, where);
});

test("other hosts, other origins and other methods are refused, and nobody may read across origins", async () => {
  const own = `127.0.0.1:${link.port}`;
  assert.equal((await get(link.pathname, { headers: { host: "evil.example" } })).status, 421);
  assert.equal((await get(link.pathname, { headers: { host: `evil.example:${link.port}` } })).status, 421);
  assert.equal((await get(link.pathname, { headers: { origin: "https://evil.example" } })).status, 403);
  assert.equal((await get(link.pathname, { headers: { origin: "null" } })).status, 403);
  assert.equal((await get(link.pathname, { headers: { origin: `http://${own}` } })).status, 200);
  for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) assert.equal((await get(link.pathname, { method })).status, 405, method);
  const { headers } = await get(`${link.pathname}engine.wasm`);
  assert.equal(headers["content-type"], "application/wasm");
  assert.equal(headers["access-control-allow-origin"], undefined);
  assert.equal(headers["cross-origin-resource-policy"], "same-origin");
  const head = await get(link.pathname, { method: "HEAD" });
  assert.deepEqual([head.status, head.body.length], [200, 0]);
});

test("the page that is handed out runs", async () => {
  const browser = await open();
  const page = await browser.newPage();
  await page.goto(link.href);
  await settled(page);
  assert.match(await page.locator("#status").textContent(), /fine/);
  await browser.close();
});

test("--out writes the files that were built", () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "cgdsl-page-"));
  execFileSync(program, ["page", "--out", path.join(folder, "site")]);
  const names = fs.readdirSync(path.join(web, "dist")).sort();
  assert.deepEqual(fs.readdirSync(path.join(folder, "site")).sort(), names);
  for (const name of names) assert.ok(fs.readFileSync(path.join(folder, "site", name)).equals(fs.readFileSync(path.join(web, "dist", name))), name);
  fs.rmSync(folder, { recursive: true });
});

test("what the page weighs", async () => {
  const { brotliCompressSync, gzipSync, constants } = await import("node:zlib");
  const files = fs.readdirSync(path.join(web, "dist"));
  const rest = files.filter((f) => !f.endsWith(".wasm")).reduce((sum, f) => sum + gzipSync(fs.readFileSync(path.join(web, "dist", f))).length, 0);
  assert.ok(rest < 250_000, `${rest} bytes without the engine`);
  // A static file is compressed once, so at the best level.
  const wasm = brotliCompressSync(fs.readFileSync(path.join(web, "dist/engine.wasm")), { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 } }).length;
  console.log(`# ${rest} bytes by gzip without the engine, the engine ${wasm} by brotli`);
  // The aim is 2.0 MB.
  assert.ok(wasm < 2_000_000, `${wasm} bytes of the engine`);
});
