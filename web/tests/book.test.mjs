// The book, made by mdBook, with the files of the page beside it: its listings run in their place.
import test, { after, before } from "node:test";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { pathToFileURL } from "node:url";
import { open, root, serve, web } from "./common.mjs";

const skip = !process.env.MDBOOK && "there is no mdBook (MDBOOK)";
let server, browser, context, page, folder;
const faults = [];
const foreign = [];

before(async () => {
  if (skip) return;
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "cgdsl-book-"));
  execFileSync(process.env.MDBOOK, ["build", path.join(root, "docs"), "--dest-dir", folder], { stdio: ["ignore", "ignore", "inherit"] });
  fs.cpSync(path.join(web, "dist"), path.join(folder, "page"), { recursive: true });
  server = await serve(folder);
  browser = await open();
  context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  page = await context.newPage();
  context.on("weberror", (e) => faults.push(String(e.error())));
  page.on("console", (m) => m.type() === "error" && faults.push(m.text()));
  context.on("request", (r) => !r.url().startsWith(server.url) && !/^(blob|data):/.test(r.url()) && foreign.push(r.url()));
});

after(async () => {
  await browser?.close();
  await server?.close();
  if (folder) fs.rmSync(folder, { recursive: true });
});

/** The frame that comes in the place of a listing, once it has answered. */
async function run(name) {
  const place = page.locator("iframe.rules-frame").filter({ visible: true });
  const already = await place.count();
  await page.locator(".rules-run button", { hasText: "Edit and run" }).and(page.getByLabel(`Edit and run ${name}`, { exact: true })).first().click();
  await page.waitForFunction((n) => document.querySelectorAll("iframe.rules-frame").length > n, already);
  const frame = await (await page.locator(`iframe[title^="${name}"]`).elementHandle()).contentFrame();
  await settled(frame);
  return frame;
}
const settled = (frame) => frame.waitForFunction(() => globalThis.cgdsl && / in [\d.]+ s$/.test(document.querySelector("#status").textContent), null, { timeout: 120_000 });
const value = (frame, expression) => frame.locator(".item", { has: frame.locator("h3 code", { hasText: expression }) }).locator("h3 .value").textContent();

test("nothing of the page is loaded before a listing is run", { skip }, async () => {
  await page.goto(`${server.url}course/03-nim.html`);
  await page.locator(".rules-run").first().waitFor();
  assert.equal(await page.locator(".rules-run").count(), await page.locator("code.language-rules").count());
  assert.deepEqual(server.asked.filter((n) => n.startsWith("page/")), []);
});

test("a listing runs with what the commands of the page ask, is edited, and comes back", { skip }, async () => {
  const frame = await run("nim.rules");
  // The page asks these of the file further down; 3 xor 4 xor 5 = 2 (Bouton).
  assert.equal(await value(frame, "outcome(Nim[3, 4, 5])"), "N-position");
  assert.equal(await value(frame, "xor([3, 4, 5])"), "2");
  await frame.evaluate(() => (document.querySelector("#status").textContent = ""));
  await frame.locator(".cm-line", { hasText: "xor([3, 4, 5])" }).click();
  await page.keyboard.press("End");
  await page.keyboard.type("\neval xor([1, 2, 4])");
  await settled(frame);
  assert.equal(await value(frame, "xor([1, 2, 4])"), "7");
  // The arrow keys stay in the text: mdBook turns pages by them.
  await page.keyboard.press("ArrowRight");
  assert.match(page.url(), /03-nim\.html/);
  assert.ok(await page.locator("pre", { has: page.locator("code.language-rules") }).first().isHidden());
  // The frame is as high as what it shows.
  const { inner, outer } = await page.evaluate(() => {
    const f = document.querySelector(".rules-frame");
    return { inner: f.contentDocument.documentElement.scrollHeight, outer: f.clientHeight };
  });
  assert.ok(Math.abs(inner - outer) < 4, `${inner} in ${outer}`);
  await page.locator(".rules-run button", { hasText: "Back to the listing" }).click();
  assert.ok(await page.locator("pre", { has: page.locator("code.language-rules") }).first().isVisible());
  assert.equal(await page.locator(".rules-frame").count(), 0);
});

test("a listing uses those above it, as they were edited", { skip }, async () => {
  await page.goto(`${server.url}course/03-nim.html`);
  const using = await page.evaluate(() => [...document.querySelectorAll("code.language-rules")].map((c) => [c.textContent.split("\n")[0].slice(3), /^use "([\w-]+\.rules)"/m.exec(c.textContent)?.[1]]));
  const [name, used] = using.find(([, used]) => used && using.some(([n]) => n === used)) ?? [];
  if (!name) return;
  const frame = await run(name);
  assert.equal(await frame.locator("#problems .problem.error").count(), 0, `${name} uses ${used}`);
});

test("colours follow the book", { skip }, async () => {
  await page.goto(`${server.url}course/01-games.html`);
  const frame = await run("take.rules");
  assert.equal(await frame.evaluate(() => document.documentElement.dataset.theme), "light");
  await page.evaluate(() => document.documentElement.classList.replace("light", "navy"));
  await frame.waitForFunction(() => document.documentElement.dataset.theme === "dark");
  if (process.env.SHOTS) {
    fs.mkdirSync(path.join(web, "shots"), { recursive: true });
    await frame.locator(".item").first().scrollIntoViewIfNeeded();
    await page.screenshot({ path: path.join(web, "shots/book-dark.png") });
    await page.evaluate(() => document.documentElement.classList.replace("navy", "light"));
    await page.setViewportSize({ width: 390, height: 844 });
    await page.locator(".rules-frame").scrollIntoViewIfNeeded();
    await page.screenshot({ path: path.join(web, "shots/book-phone.png") });
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.screenshot({ path: path.join(web, "shots/book.png") });
  }
});

test("every listing of the book is read, or is shown with the message that it is about", { skip }, async () => {
  const pages = fs.readdirSync(folder, { recursive: true }).filter((f) => f.endsWith(".html") && !f.startsWith("page") && !/^(print|toc|404)/.test(f));
  let all = 0;
  const refused = [];
  await page.goto(`${server.url}page/index.html?embed`);
  await settled(page.mainFrame());
  for (const file of pages) {
    const found = await page.evaluate(async (url) => {
      const book = new DOMParser().parseFromString(await (await fetch(url)).text(), "text/html");
      const files = {};
      const listings = [];
      for (const code of book.querySelectorAll("pre > code.language-rules")) {
        const text = code.textContent;
        const name = /^\/\/ ([^\s/\\]+\.rules)$/.exec(text.split("\n", 1)[0])?.[1];
        listings.push({ name: name ?? "listing.rules", text, files: { ...files } });
        if (name) files[name] = text;
      }
      const worker = new Worker("worker.js", { type: "module" });
      worker.postMessage(await WebAssembly.compileStreaming(fetch("engine.wasm")));
      const said = [];
      for (const [number, request] of listings.entries()) {
        worker.postMessage({ number, request: { do: "check", ...request } });
        const answer = await new Promise((done) => (worker.onmessage = ({ data }) => done(JSON.parse(data.answer))));
        said.push({ name: request.name, errors: answer.diagnostics.filter((d) => d.severity === "error").map((d) => d.message) });
      }
      worker.terminate();
      return said;
    }, server.url + file);
    all += found.length;
    refused.push(...found.filter((f) => f.errors.length).map((f) => `${file} ${f.name}: ${f.errors[0]}`));
  }
  console.log(`# ${all} listings, ${refused.length} of them with errors${process.env.REFUSED ? `:\n# ${refused.join("\n# ")}` : ""}`);
  assert.ok(all > 250, `${all} listings`);
  assert.ok(refused.length <= MISTAKEN, refused.join("\n"));
});
/** Listings that show mistakes, and parts of rulesets in the grammar. */
const MISTAKEN = 9;

test("without the files of the page, the book says so in words", { skip }, async () => {
  const bare = await serve(folder, (name) => !name.startsWith("page/"));
  const other = await context.newPage();
  await other.goto(`${bare.url}course/03-nim.html`);
  await other.locator(".rules-run button").first().click();
  await other.locator(".rules-run span", { hasText: "cgdsl page --out docs/book/page" }).waitFor();
  assert.match(await other.locator(".rules-run span").first().textContent(), /cgdsl eval nim\.rules/);
  assert.ok(await other.locator("code.language-rules").first().isVisible());
  await other.goto(pathToFileURL(path.join(folder, "course/03-nim.html")).href);
  await other.locator(".rules-run button").first().click();
  await other.locator(".rules-run span", { hasText: "server of files" }).waitFor();
  await other.close();
  await bare.close();
});

test("a book asks nobody but its own server, and nothing failed on the way", { skip }, async () => {
  // What the policy of the pages refuses, whoever asks.
  await page.goto(`${server.url}course/03-nim.html`);
  faults.push(...(await page.evaluate(async () => {
    try {
      await fetch("http://127.0.0.2:9/");
      return ["a request left"];
    } catch {
      return [];
    }
  })));
  const refusal = faults.findIndex((f) => /127\.0\.0\.2/.test(f) && /Content Security Policy/.test(f));
  assert.ok(refusal >= 0, faults.join("\n"));
  assert.deepEqual(faults.filter((f) => !/127\.0\.0\.2/.test(f)), []);
  assert.deepEqual(foreign.filter((f) => !f.startsWith("file:") && !/127\.0\.0\.2/.test(f) && !/^http:\/\/127\.0\.0\.1:/.test(f)), []);
});
