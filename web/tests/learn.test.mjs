// The course in Chromium: levels of each kind are played with the keyboard, kept, and handed in; the native program judges the
// certificate again.
import test, { after, before } from "node:test";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { createRequire } from "node:module";
import { start } from "../src/engine.js";
import { open, program, root, serve, settled, web } from "./common.mjs";

/** What solves each level, and what does not. */
const SOLUTIONS = fs
  .readFileSync(path.join(root, "docs/course/solutions/levels.txt"), "utf8")
  .split("\n")
  .filter((l) => l && !l.startsWith("#"))
  .map((l) => {
    const [, id, answers] = l.match(/^(\S+) (.*)$/);
    return [id, ...answers.split(" ~ ")];
  });

let server, browser, context, page;
const faults = [];

before(async () => {
  server = await serve();
  browser = await open();
  context = await browser.newContext({ viewport: { width: 1280, height: 800 }, acceptDownloads: true });
  page = await context.newPage();
  page.on("pageerror", (e) => faults.push(String(e)));
  page.on("dialog", (d) => (faults.push(`dialog: ${d.message()}`), d.dismiss()));
  page.on("console", (m) => m.type() === "error" && faults.push(m.text()));
  await page.goto(server.url);
  await settled(page);
});

after(async () => {
  await browser?.close();
  await server?.close();
});

/** Opens a level by its place in the list. */
async function level(id) {
  const button = page.locator(`[data-level="${id}"]`);
  await button.evaluate((b) => (b.closest("details").open = true));
  await button.click();
  await page.locator(".playing h3", { hasText: new RegExp(`^${id.replace(".", "\\.")} `) }).waitFor();
}

/** Types an answer; the last thing that is said. */
async function answer(text) {
  const said = page.locator(".playing .log li");
  const before = await said.count();
  await page.locator(".playing form input").fill(text);
  await page.keyboard.press("Enter");
  await said.nth(before).waitFor({ timeout: 30_000 });
  return [await said.nth(before).getAttribute("class"), await said.nth(before).textContent()];
}

test("each level is solved by its solution, and each other answer is told why", async () => {
  const module = new WebAssembly.Module(fs.readFileSync(path.join(web, "dist/engine.wasm")));
  const engine = await start(module);
  const ask = (request) => JSON.parse(engine.ask({ do: "learn", ...request }));
  const { lessons } = ask({});
  assert.deepEqual(lessons.flatMap((l) => l.levels.map((x) => x.level)), SOLUTIONS.map((s) => s[0]));
  assert.ok(SOLUTIONS.length >= 150);
  for (const [id, right, ...wrong] of SOLUTIONS) {
    const shown = ask({ want: "level", name: id });
    assert.ok(shown.question || shown.items.length, id);
    assert.equal(ask({ want: "judge", name: id, expression: right }).is, "right", id);
    for (const one of wrong) {
      const found = ask({ want: "judge", name: id, expression: one });
      assert.notEqual(found.is, "right", `${id}: ${one}`);
      assert.ok(found.why.length > 12, `${id}: ${one}: ${found.why}`);
    }
  }
});

test("wrong requests of the course are answered", async () => {
  const engine = await start(new WebAssembly.Module(fs.readFileSync(path.join(web, "dist/engine.wasm"))));
  const ask = (request) => JSON.parse(engine.ask({ do: "learn", ...request }));
  for (const request of [{ want: "level", name: "99.1" }, { want: "level", name: "1" }, { want: "judge", name: "" }, { want: "all" }, { text: "{" }, { text: '{"format":"x","solved":[]}' }, { want: "certificate", expression: "A" }])
    assert.equal(typeof ask(request).error, "string", JSON.stringify(request));
  assert.equal(ask({ want: "judge", name: "1.1", expression: "x".repeat(5000) }).is, "unread");
});

test("a level is played: a wrong answer is told why, a hint is given, the right one is kept", async () => {
  await page.locator("#course-open").click();
  await page.locator(".playing").waitFor();
  await level("3.1");
  // 5 is 101 and 3 is 011: without carrying 110, which is 6 (Bouton 1902).
  const [is, why] = await answer("8");
  assert.equal(is, "wrong");
  assert.ok(why.length > "8: no. ".length, why);
  await page.locator(".playing button", { hasText: "Hint" }).click();
  assert.match(await page.locator(".log .hint").textContent(), /carried/);
  assert.equal((await answer("6"))[0], "right");
  assert.match(await page.locator("#course-count").textContent(), /^1 of \d+ levels$/);
  assert.deepEqual(await page.evaluate(() => JSON.parse(localStorage.getItem("progress"))), {
    format: "cgdsl/progress/1",
    solved: [{ level: "3.1", answer: "6", attempts: 2, hints: 1 }],
  });
  await page.keyboard.press("Enter");
  await page.locator(".playing h3", { hasText: /^3\.2 / }).waitFor();
});

test("levels of every kind, by the keyboard", async () => {
  for (const [id, kind] of [["3.2", "predict"], ["3.3", "move"], ["3.6", "refute"], ["3.7", "build"], ["3.8", "change"]]) {
    await level(id);
    const [, right, wrong] = SOLUTIONS.find((s) => s[0] === id);
    assert.notEqual((await answer(wrong))[0], "right", `${kind} ${wrong}`);
    assert.equal((await answer(right))[0], "right", `${kind} ${right}`);
  }
  assert.match(await page.locator("#course-count").textContent(), /^6 of /);
});

test("a hostile answer stays a text", async () => {
  await level("1.2");
  for (const text of ["<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>", "((((((".repeat(400), "10^10^10^10", "\u202e"])
    assert.notEqual((await answer(text))[0], "right");
  assert.equal(await page.locator("#course img[onerror], #course script").count(), 0);
});

test("what is solved is there after the page was closed, and the map shows it", async () => {
  await page.reload();
  await settled(page);
  await page.locator("#course-open").click();
  await page.locator(".playing").waitFor();
  assert.match(await page.locator("#course-count").textContent(), /^6 of /);
  await page.locator("#course-map").click();
  assert.match(await page.locator(".map img").getAttribute("alt"), /20 lessons.*; 6 of \d+ levels are solved/);
});

test("the certificate is judged by the native program", async () => {
  await page.locator("#course-save").click();
  await page.locator("#course-level form input").fill('Ada "<b>" Lovelace');
  const coming = page.waitForEvent("download");
  await page.keyboard.press("Enter");
  const file = path.join(web, "engine/target", "certificate.json");
  await (await coming).saveAs(file);
  const run = (...args) => JSON.parse(execFileSync(program, ["learn", ...args, "--json"], { encoding: "utf8" }));
  const [judged] = run("--verify", file).certificates;
  assert.deepEqual([judged.name, judged.solved, judged.levels.length], ['Ada "<b>" Lovelace', 6, 6]);
  // The same file is progress for the terminal, and one that says too much is found out.
  assert.equal(run("--progress", file).solved, 6);
  fs.writeFileSync(file, fs.readFileSync(file, "utf8").replace('"answer": "6"', '"answer": "7"'));
  assert.throws(() => run("--verify", file));
});

test("a certificate of elsewhere is added, and what is none is refused", async () => {
  const file = (solved) => ({ name: "x.json", mimeType: "application/json", buffer: Buffer.from(typeof solved === "string" ? solved : JSON.stringify({ format: "cgdsl/certificate/1", name: "B", solved })) });
  const input = page.locator('#course-level input[type="file"]');
  await input.setInputFiles(file("<script>"));
  await page.locator("#toast", { hasText: "has no progress" }).waitFor();
  await input.setInputFiles(file([{ level: "1.3", answer: "2", attempts: 1, hints: 0 }, { level: "77.7", answer: "x", attempts: 1, hints: 0 }]));
  await page.locator("#course-count", { hasText: /^7 of / }).waitFor();
});

test("a link opens a lesson", async () => {
  const other = await context.newPage();
  await other.goto(`${server.url}?learn=15`);
  await other.locator(".playing h3", { hasText: /^15\.1 / }).waitFor();
  await other.close();
});

test("axe finds nothing serious in the course", async () => {
  const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  await level("3.8");
  await page.evaluate(axe + ";0");
  for (const theme of ["light", "dark"]) {
    await page.evaluate((t) => (document.documentElement.dataset.theme = t), theme);
    const { violations } = await page.evaluate(() => globalThis.axe.run());
    const grave = violations.filter((v) => ["serious", "critical"].includes(v.impact));
    assert.deepEqual(grave.map((v) => `${theme} ${v.id}: ${v.nodes.map((n) => n.html).slice(0, 3).join(" ")}`), []);
  }
});

test("screenshots", { skip: !process.env.SHOTS }, async () => {
  fs.mkdirSync(path.join(web, "shots"), { recursive: true });
  for (const [width, height] of [[1440, 900], [900, 700], [390, 844]])
    for (const theme of ["light", "dark"]) {
      await page.setViewportSize({ width, height });
      await page.evaluate((t) => (document.documentElement.dataset.theme = t), theme);
      await level("3.3");
      await answer("Nim[2, 4, 5]");
      await page.screenshot({ path: path.join(web, `shots/course-${width}-${theme}.png`) });
    }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.locator("#course-map").click();
  await page.locator(".map img").waitFor();
  await page.screenshot({ path: path.join(web, "shots/course-map.png") });
});

test("nothing failed on the way", () => assert.deepEqual(faults, []));
