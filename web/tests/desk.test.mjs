// The desk in Chromium: the board as an input, games against the engine, trees, sums, copies, frames and questions.
import test, { after, before } from "node:test";
import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { createRequire } from "node:module";
import { open, serve, settled, web, write } from "./common.mjs";

let server, browser, context, page;
const faults = [];

before(async () => {
  server = await serve();
  browser = await open();
  context = await browser.newContext({ viewport: { width: 1280, height: 900 }, permissions: ["clipboard-read", "clipboard-write"] });
  page = await context.newPage();
  page.on("pageerror", (e) => faults.push(String(e)));
  page.on("console", (m) => m.type() === "error" && faults.push(m.text()));
  await page.goto(server.url);
  await settled(page);
});

after(async () => {
  await browser?.close();
  await server?.close();
});

const spot = (name) => page.locator(`#desk [role="tabpanel"]:not([hidden]) .spot[aria-label^="${name}:"]`);
const tool = (name) => page.locator("#desk .tools button", { hasText: name }).first();
const has = (text) => page.waitForFunction((t) => cgdsl.text().includes(t), text, { timeout: 20_000 });
const copied = () => page.evaluate(() => navigator.clipboard.readText());
async function desk(tab, item = 0) {
  await page.locator(".item.card").nth(item).locator(tab === "sum" ? ".grip" : `.to-${tab}`).click();
  await page.locator(`#desk-${tab}`).waitFor();
}
/** The value in the first card. */
const value = () => page.locator(".item.card h3 .value").first().textContent();

test("pieces are put on cells by clicks, and the text and the value follow", async () => {
  await write(page, 'use "clobber"\neval Clobber["x.."]\n');
  await desk("board");
  await tool("o").click();
  await spot("row 1, column 2").click();
  await has('eval Clobber["xo."]');
  // Each can clobber the other once: * (Albert, Grossman, Nowakowski, Wolfe 2005).
  await page.waitForFunction(() => document.querySelector(".item.card h3 .value")?.textContent === "∗" || document.querySelector(".item.card h3 .value")?.textContent === "*");
  await page.locator('#desk button[aria-label="Undo the last change of the board"]').click();
  await has('eval Clobber["x.."]');
});

test("the board follows the text", async () => {
  await write(page, 'use "clobber"\neval Clobber["x.."]\n');
  await desk("board");
  await page.evaluate(() => {
    const at = cgdsl.text().indexOf("x..") + 1;
    cgdsl.edit(at, at + 1, "x");
  });
  await spot("row 1, column 2").and(page.locator('[aria-label*="x (Left)"]')).waitFor();
});

test("cells are removed and put back by the keyboard alone", async () => {
  await write(page, 'use "domineering"\neval Domineering[grid(2, 2)]\n');
  await page.locator(".item.card .to-board").focus();
  await page.keyboard.press("Enter");
  await page.locator("#desk .spot").first().waitFor();
  await page.locator('#desk .spot[tabindex="0"]').focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  assert.match(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), /row 2, column 2: empty/);
  await page.keyboard.press("Delete");
  await has('eval Domineering["..|.#"]');
  await page.waitForFunction(() => /row 2, column 2: wall/.test(document.activeElement.getAttribute("aria-label") ?? ""));
  await page.keyboard.press("Delete");
  await has("eval Domineering[grid(2, 2)]");
});

test("edges are drawn, vertices added and removed", async () => {
  await write(page, 'use "snort"\neval Snort[a:x -- b, c]\n');
  await desk("board");
  await tool("Remove").waitFor();
  await page.locator('#desk .tools [data-tool="join"]').click();
  await spot("vertex b").click();
  await spot("vertex c").click();
  await has("Snort[a:x -- b -- c]");
  await page.locator("#desk .sizes button", { hasText: "Add a vertex" }).click();
  await has("Snort[a:x -- b -- c, d]");
  await page.locator('#desk .tools [data-tool="remove"]').click();
  await spot("vertex b").click();
  await has("Snort[a:x, c, d]");
});

test("heaps change by clicks and by numbers", async () => {
  await write(page, 'use "nim"\neval Nim[3, 5]\n');
  await desk("board");
  await tool("+1").click();
  await spot("heap 1").click();
  await has("Nim[4, 5]");
  await page.locator("#desk .sizes input").nth(1).fill("4");
  await page.locator("#desk .sizes input").nth(1).press("Enter");
  await has("Nim[4, 4]");
  await page.waitForFunction(() => document.querySelector(".item.card h3 .value")?.textContent === "0");
});

test("what cannot be is said", async () => {
  await write(page, 'use "hackenbush"\neval Hackenbush[ground -b- u]\n');
  await desk("board");
  await page.locator('#desk .tools [data-tool="remove"]').click();
  await spot("vertex ground").click();
  await page.waitForFunction(() => /ground stays/.test(document.querySelector(".desk-status").textContent));
  assert.match(await page.evaluate(() => cgdsl.text()), /ground -b- u/);
});

test("a game against the engine is played to its end, with hints", async () => {
  await write(page, 'use "nim"\neval Nim[1, 2]\n');
  await desk("play");
  await page.locator("#desk .hint-button").click();
  await page.waitForFunction(() => /You can win/.test(document.querySelector(".hint").textContent));
  for (let i = 0; i < 2; i++) {
    await page.locator("#desk .hint-button").click();
    await page.waitForTimeout(200);
  }
  await page.waitForFunction(() => /^Play /.test(document.querySelector(".hint").textContent));
  await page.locator("#desk .hint-button").click();
  // From heaps of 1 and 2, to take one of the 2 leaves 1 xor 1 = 0 (Bouton 1902).
  await page.waitForFunction(() => /1 xor 1 = 0|other's negatives/.test(document.querySelector(".hint").textContent));
  await spot("heap 2").click();
  await page.locator("#desk .choices button", { hasText: "m = 1" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".log li").length === 2, null, { timeout: 20_000 });
  await page.locator("#desk .choices button").first().click();
  await page.waitForFunction(() => /Left has won/.test(document.querySelector(".standing").textContent));
  await page.locator("#desk .controls button", { hasText: "Take back" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".log li").length === 2);
});

test("the engine wins where it can, and says what gave the game away", async () => {
  await write(page, 'use "nim"\neval Nim[1, 2]\n');
  await desk("play");
  await page.locator("#desk .choices button").first().waitFor();
  await page.locator("#desk .controls button", { hasText: "New game" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".log li").length === 0);
  // Another than the winning move: the whole heap of 2 leaves a heap of 1 to the engine.
  await page.locator("#desk .choices button", { hasText: "n = 2, m = 0" }).first().click();
  await page.waitForFunction(() => /Right has won/.test(document.querySelector(".standing").textContent), null, { timeout: 20_000 });
  await page.waitForFunction(() => /gave the game away/.test(document.querySelector(".hint").textContent));
});

test("a tree unfolds, dominated options are folded, the thermograph goes along", async () => {
  await write(page, 'use "domineering"\neval Domineering[grid(2, 3)]\n');
  await desk("tree");
  await page.locator(".node .kids .node").first().waitFor();
  // {2|-1/2} (Winning Ways, chapter 5): one canonical option of each side, the others folded.
  assert.equal(await page.locator(".inner > .node > .kids > .node:not(.folded)").count(), 2);
  assert.ok((await page.locator(".fold").count()) >= 1);
  await page.locator(".beside img").waitFor();
  await page.locator(".fold").first().click();
  await page.locator(".face.dominated").first().waitFor();
  await page.locator(".inner > .node > .kids > .node > .face").first().click();
  await page.locator(".beside dd").first().waitFor();
  await page.locator("#desk input[type=radio]").nth(1).check();
  await page.waitForFunction(() => [...document.querySelectorAll(".inner > .node > .kids > .node > .face span")].map((s) => s.textContent).join() === "2,-1/2" || [...document.querySelectorAll(".inner > .node > .kids > .node > .face span")].map((s) => s.textContent).join() === "2,−1/2");
});

test("a sum is put together by dragging and by keys", async () => {
  await write(page, 'use "nim"\neval Nim[3]\neval Nim[5]\n');
  await page.locator(".item.card .grip").first().click();
  await page.locator("#desk-sum .terms li").first().waitFor();
  const from = page.locator(".item.card .grip").nth(1);
  await from.dragTo(page.locator("#desk-sum"));
  await page.waitForFunction(() => document.querySelectorAll("#desk-sum .terms li").length === 2);
  // 3 xor 5 = 6.
  await page.waitForFunction(() => /= [*∗]6/.test(document.querySelector("#desk-sum .total")?.textContent ?? ""));
  await page.locator("#desk-sum .terms li button").first().click();
  await page.waitForFunction(() => /^-/.test(document.querySelector("#desk-sum .total code")?.textContent ?? ""));
  await page.locator("#desk-sum button", { hasText: "Write into the file" }).click();
  await has("eval -Nim[3] + Nim[5]");
});

test("a position is copied in each format", async () => {
  await write(page, 'use "domineering"\neval Domineering["..|.#"]\n');
  const starts = { "LaTeX (TikZ)": /\\begin\{tikzpicture\}/, Typst: /#box\(/, SVG: /^<svg /, Markdown: /```text/, Rules: /^Domineering\["\.\.\|\.#"\]$/ };
  for (const [name, begins] of Object.entries(starts)) {
    await page.locator(".item.card .menu summary").click();
    await page.locator(".item.card .menu button", { hasText: new RegExp(`^${name.replace(/[()]/g, "\\$&")}$`) }).click();
    await page.waitForFunction((n) => document.querySelector("#toast").textContent === `${n}: copied.`, name);
    assert.match(await copied(), begins, name);
  }
  await page.locator("#copy-all summary").click();
  await page.locator("#copy-all button", { hasText: "All answers as Markdown" }).click();
  await page.waitForFunction(() => /Markdown: copied/.test(document.querySelector("#toast").textContent));
  assert.match(await copied(), /Domineering/);
});

test("a frame holds the text and opens the whole page", async () => {
  const text = 'use "nim"\neval nimber(Nim[5])\n';
  await write(page, text);
  await page.locator("#copy-all summary").click();
  await page.locator("#copy-all button", { hasText: "iframe" }).click();
  await page.waitForFunction(() => /iframe\): copied/.test(document.querySelector("#toast").textContent));
  const frame = await copied();
  const src = frame.match(/src="([^"]+)"/)[1].replaceAll("&amp;", "&");
  const host = await context.newPage();
  await host.setContent(`<p>A course.</p>${frame.replace(/ loading="lazy"/, "")}`);
  const inner = host.frames()[1] ?? (await host.waitForEvent("frameattached"));
  await inner.waitForLoadState();
  await inner.waitForFunction(() => document.querySelector(".item .value")?.textContent === "5", null, { timeout: 30_000 });
  assert.ok(await inner.locator("header").isHidden());
  assert.ok(src.includes("?embed#1."));
  await inner.locator("#whole").focus();
  await inner.waitForFunction(() => document.querySelector("#whole").getAttribute("href").includes("#1."));
  await host.close();
});

test("questions are answered, with hints and a score, sealed or not", async () => {
  await write(page, 'use "nim"\nask "What is the nimber of a heap of 3 beside one of 5?"\n  expect nimber(Nim[3, 5])\n  hint   "Write both in binary."\n  from   "Bouton 1901"\n\nask "And of 1 beside 2?"\n  expect nimber(Nim[1, 2])\n');
  const one = page.locator(".question").first();
  await one.locator("input").fill("8");
  await one.locator("button", { hasText: "Check" }).click();
  await page.waitForFunction(() => document.querySelector(".question .said").textContent === "No.");
  await one.locator("button", { hasText: "Hint" }).click();
  await one.locator(".hints li", { hasText: "Write both in binary." }).waitFor();
  await one.locator("input").fill("*6");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => /^Right\./.test(document.querySelector(".question .said").textContent));
  const two = page.locator(".question").nth(1);
  await two.locator("input").fill("3");
  await two.locator("button", { hasText: "Check" }).click();
  await page.waitForFunction(() => document.querySelector(".score").textContent.startsWith("2 of 2 right, 1 at the first"));
});

test("a sealed answer does not stand in the page", async () => {
  const sealed = fs.readFileSync(path.join(web, "tests/sealed.rules"), "utf8");
  await write(page, sealed);
  await page.locator(".question").first().waitFor();
  assert.equal(await page.locator(".question button", { hasText: "Give up" }).count(), 0);
  await page.locator(".question input").fill("5");
  await page.locator(".question button", { hasText: "Check" }).click();
  await page.waitForFunction(() => document.querySelector(".question .said").textContent === "No.", null, { timeout: 20_000 });
  await page.locator(".question input").fill("6");
  await page.locator(".question button", { hasText: "Check" }).click();
  await page.waitForFunction(() => /^Right\./.test(document.querySelector(".question .said").textContent), null, { timeout: 20_000 });
});

test("labels of a hostile position stay texts", async () => {
  await write(page, 'ruleset R\n  board graph\n  pieces x = Left, o = Right\n  move by p: choose v where at(v) = p then remove v\n\neval R[graph6 "DQc"]\n');
  await desk("board");
  await page.locator("#desk .position").fill('R["<img src=x onerror=alert(1)>"]');
  await page.locator("#desk .position").press("Enter");
  await page.waitForFunction(() => document.querySelector(".desk-status").textContent.length > 0);
  assert.equal(await page.locator("#desk [onerror]").count(), 0);
});

test("axe finds nothing serious at the desk", async () => {
  const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  await write(page, 'use "domineering"\nask "What is 1 + 1?"\n  expect 1 + 1\neval Domineering[grid(3, 3)]\n');
  for (const theme of ["light", "dark"])
    for (const tab of ["board", "play", "tree", "sum"]) {
      await page.evaluate((t) => (document.documentElement.dataset.theme = t), theme);
      await desk(tab);
      await page.waitForTimeout(400);
      await page.evaluate(axe + ";0");
      const { violations } = await page.evaluate(() => globalThis.axe.run());
      const grave = violations.filter((v) => ["serious", "critical"].includes(v.impact));
      assert.deepEqual(grave.map((v) => `${theme} ${tab} ${v.id}: ${v.nodes.map((n) => n.html).slice(0, 3).join(" ")}`), []);
    }
});

test("screenshots of the desk", { skip: !process.env.SHOTS }, async () => {
  fs.mkdirSync(path.join(web, "shots"), { recursive: true });
  await write(page, 'use "domineering"\nuse "hackenbush"\nuse "nim"\neval Domineering[grid(3, 3)]\neval Hackenbush[ground -b- u -r- w, ground -g- x -b- w]\neval Nim[3, 5, 6]\nask "What is the nimber of a heap of 3 beside one of 5?"\n  expect nimber(Nim[3, 5])\n');
  for (const [width, height] of [[1440, 900], [390, 844]])
    for (const theme of ["light", "dark"]) {
      await page.setViewportSize({ width, height });
      await page.evaluate((t) => (document.documentElement.dataset.theme = t), theme);
      for (const [i, tab] of [[0, "board"], [1, "board"], [2, "board"], [0, "play"], [0, "tree"], [1, "tree"]]) {
        await desk(tab, i);
        await page.waitForTimeout(900);
        if (width < 500) await page.locator("#desk").scrollIntoViewIfNeeded();
        await page.screenshot({ path: path.join(web, `shots/desk-${tab}${i}-${width}-${theme}.png`) });
      }
      await page.locator(".item.card .grip").nth(0).click();
      await page.locator(".item.card .grip").nth(1).click();
      await page.waitForTimeout(900);
      await page.screenshot({ path: path.join(web, `shots/desk-sum-${width}-${theme}.png`) });
    }
});

test("nothing failed on the way", () => assert.deepEqual(faults, []));
