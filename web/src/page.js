// The page sends the text of the editor to two workers. One answers at once with tokens, messages, completions and the
// gallery; the other evaluates, and is terminated when the text changes. All parts of a text are set as text, and pictures as
// images.
import { createEditor } from "./editor.js";
import { copying, el, render, clearPictures, picture, prose, verdict } from "./answers.js";
import { createDesk } from "./desk.js";
import { createCourse } from "./learn.js";
import { quiz } from "./quiz.js";
import { words } from "./words.js";
import { pack, unpack } from "./share.js";

const $ = (id) => document.getElementById(id);
const DEBOUNCE = 150;
/** The usual longest link that programs pass on whole. */
const LINK = 2000;
/** How long the engine may run unseen. */
const WARMING = 1500;
/** How long a message or a completion may take. */
const PATIENCE = 5000;

const module = (async () => {
  const loaded = await fetch("engine.wasm");
  try {
    return await WebAssembly.compileStreaming(loaded.clone());
  } catch {
    // The server does not know the content type of the file.
    return WebAssembly.compile(await loaded.arrayBuffer());
  }
})();

/** A worker with questions under way; `end` throws both away. */
class Engine {
  constructor() {
    this.number = 0;
    this.open = new Map();
  }

  ask(request, { time = 0, tell = () => {}, progress = () => {}, patience = 0 } = {}) {
    if (!this.worker) this.begin();
    const number = ++this.number;
    return new Promise((done, fail) => {
      const timer = patience && setTimeout(() => this.end(words.slow), patience);
      this.open.set(number, { done, fail, tell, progress, timer });
      const worker = this.worker;
      module.then(() => worker.postMessage({ number, request, time }), fail);
    });
  }

  begin() {
    const worker = new Worker("worker.js", { type: "module" });
    this.worker = worker;
    module.then((m) => worker.postMessage(m), () => {});
    worker.onerror = () => this.worker === worker && this.end(words.stopped);
    worker.onmessage = ({ data }) => {
      const open = this.open.get(data.number);
      if (!open || this.worker !== worker) return;
      if (data.item) open.tell(data.item);
      else if (data.positions) open.progress(data);
      else {
        this.open.delete(data.number);
        clearTimeout(open.timer);
        if (data.error !== undefined) {
          open.fail(new Error(data.error));
          // After an exception, the state of the engine is unknown.
          this.end(words.stopped);
        } else open.done(data.answer);
      }
    };
  }

  /** Ends the thread, whatever it does. */
  end(why) {
    this.worker?.terminate();
    this.worker = undefined;
    for (const open of this.open.values()) {
      clearTimeout(open.timer);
      open.fail(new Error(why));
    }
    this.open.clear();
  }
}

const tools = new Engine();
const answers = new Engine();
/** For the desk: a game under way goes on while the text changes. */
const worker = new Engine();
/** In a frame of another page: the text and its answers, nothing else. With `flow`, as high as what it shows. */
const embedded = new URLSearchParams(location.search).get("embed");
const tool = async (request) => JSON.parse(await tools.ask(request, { patience: PATIENCE }));

let name = "page.rules";
/** Other files that the text may use; they come with a link. */
let files = {};
let gallery;
/** What each item said last time, to mark what has changed. */
let before = new Map();
let run = 0;
let last = null;

const editor = createEditor($("editor"), {
  changed: (text) => later(text),
  lex: (text) => tool({ do: "lex", text }),
  complete: (text, at) => tool({ do: "complete", name, text, files, at }),
  hover: (text, at) => tool({ do: "hover", name, text, files, at }),
  run: () => evaluate(),
});

let timer;
function later() {
  stop();
  clearTimeout(timer);
  timer = setTimeout(() => {
    const followed = editor.tracked();
    if (followed !== null && followed !== written) desk.follow(followed);
    written = null;
    evaluate();
  }, DEBOUNCE);
}

// The desk

/** What the desk itself wrote last: nothing new to it. */
let written = null;
const asked = async (request) => {
  const settings = { name, text: editor.text(), files, memory: memory() };
  try {
    return JSON.parse(await worker.ask({ ...settings, ...request }, { time: Number($("time").value) * 1000, patience: Number($("time").value) * 1000 + 2000 }));
  } catch (e) {
    return { error: e.message };
  }
};
const desk = createDesk($("desk"), {
  ask: asked,
  write: (text) => {
    written = text;
    return editor.replaceTracked(text);
  },
  append: (text) => editor.append(text),
});

// The course

/** The time for one answer in the course: that of `cgdsl learn`, and half as much again. */
const ANSWER = 15_000;
const course = createCourse({
  async ask(request) {
    try {
      return JSON.parse(await worker.ask({ memory: memory(), ...request }, { patience: ANSWER }));
    } catch (e) {
      return { error: e.message };
    }
  },
  open: (file) => {
    open(file);
    editor.focus();
  },
  toast,
});

/** What cards hand to the desk. */
const doors = {
  open(item, tab) {
    editor.track(item.file === name || !item.file ? editor.find(item.line, item.expression) : null);
    desk.open(item.expression, tab);
    desk.focus();
  },
  add: (item) => desk.add(item.expression),
  dragging() {
    // Browsers cancel a drag if its source moves at once.
    if ($("desk").hidden) setTimeout(() => desk.reveal("sum"));
  },
  copy: async (expression, format, what) => {
    const found = await asked({ do: "copy", expression, want: format });
    if (found.error) toast(found.error);
    else await clip(found.text, words.copy.copied(what));
  },
};

async function clip(text, said) {
  try {
    await navigator.clipboard.writeText(text);
    toast(said);
    return true;
  } catch {
    toast(words.copy.refused);
    return false;
  }
}

function stop(why) {
  if (answers.open.size) answers.end("");
  run++;
  $("stop").disabled = true;
  $("answers").removeAttribute("aria-busy");
  if (why) status(why);
}

const status = (text) => ($("status").textContent = text);

/** What came of all queries, each count in its colour. */
function summarize(parts) {
  const nodes = parts.flatMap(([kind, text], i) => [i === 0 ? "" : parts[i][0] ? ", " : " ", kind ? el("span", { class: kind }, text) : text]);
  $("status").replaceChildren(...nodes);
}

async function messages(text) {
  const mine = run;
  try {
    const { diagnostics } = await tool({ do: "check", name, text, files });
    if (mine !== run || text !== editor.text()) return;
    editor.diagnose(diagnostics);
    showProblems(diagnostics);
  } catch (e) {
    if (mine === run) showProblems([{ severity: "error", message: e.message, code: "", fixes: [], notes: [], help: [], from: 0, to: 0 }]);
  }
}

function showProblems(all) {
  const list = all.map((d) => {
    const line = editor.lineAt(d.from);
    const place = d.elsewhere ? words.elsewhere : words.line(line);
    const fixes = d.fixes.map((f) => el("button", { type: "button", class: "fix", onclick: () => editor.apply(f.edits) }, ...prose(words.fix(f.message))));
    return el(
      "div",
      { class: `problem ${d.severity}` },
      el("button", { type: "button", class: "place", onclick: () => editor.select(d.from, d.to) }, place),
      el("span", { class: "said" }, ...prose(d.message)),
      d.code ? el("span", { class: "code" }, d.code) : "",
      ...d.notes.map((n) => el("pre", {}, n)),
      ...d.help.map((h) => el("p", {}, ...prose(h))),
      ...fixes,
    );
  });
  $("problems").replaceChildren(...list);
}

async function evaluate() {
  clearTimeout(timer);
  stop();
  const mine = ++run;
  const text = editor.text();
  const time = Number($("time").value) * 1000;
  messages(text);
  const began = performance.now();
  const seconds = () => ((performance.now() - began) / 1000).toFixed(performance.now() - began < 1000 ? 2 : 1);
  $("stop").disabled = false;
  const now = new Map();
  const fresh = document.createElement("div");
  const verdicts = [];
  let shown = false;
  // The old answers remain until the first new one arrives, so that the page does not flicker.
  const show = () => {
    if (shown) return;
    shown = true;
    clearPictures($("answers"));
    $("answers").replaceChildren(fresh);
  };
  $("answers").setAttribute("aria-busy", "true");
  const waiting = setTimeout(() => mine === run && status(words.running), 200);
  // The engine normally ends by itself; if it does not check the clock for long, its thread is terminated.
  const hard = setTimeout(() => mine === run && answers.end(words.time), time + 2000);
  try {
    const settings = { name, text, files, memory: memory(), slow: $("slow").checked };
    const answer = await answers.ask(
      { do: "evaluate", ...settings },
      {
        time,
        tell: (told) => {
          if (mine !== run) return;
          show();
          const key = JSON.stringify([told.item.kind, told.item.expression ?? told.item.name ?? told.item.text, told.item.range]);
          const { node, value } = render(told, {
            old: before.get(key),
            line: (line) => editor.goto(line),
            ask: (request) => answers.ask({ ...settings, ...request }, { time }),
            fix: (edits) => editor.apply(edits),
            desk: doors,
          });
          now.set(key, value);
          fresh.append(node);
          if (told.here) verdicts.push({ line: told.item.line, status: told.item.status, title: verdict(told) });
          status(words.progress(told.number + 1, told.count));
        },
        progress: ({ positions, bytes }) => mine === run && status(words.positions(positions, bytes)),
      },
    );
    if (mine !== run) return;
    show();
    last = answer;
    const { summary } = JSON.parse(answer);
    if (!fresh.childElementCount) fresh.append(nothing(summary.broken > 0));
    if (/^ask\b/m.test(text)) {
      const questions = await quiz((request) => asked({ ...request, text }));
      if (mine !== run) return;
      fresh.querySelector(":scope > .empty")?.remove();
      fresh.prepend(...questions);
    }
    summarize(words.summary(summary, seconds()));
  } catch (e) {
    if (mine !== run) return;
    show();
    fresh.append(el("p", { class: "item broken" }, e.message));
    status(e.message);
  } finally {
    clearTimeout(waiting);
    clearTimeout(hard);
    if (mine === run) {
      // Items that were not reached keep their previous status.
      before = new Map([...before, ...now]);
      editor.verdicts(verdicts);
      $("stop").disabled = true;
      $("answers").removeAttribute("aria-busy");
      globalThis.cgdsl.warmed ??= warm();
    }
  }
}

/**
 * Browsers compile WebAssembly twice: quickly when it is first run, and well what has run often. What searches run is run
 * once unseen while nobody waits, so that edits meet the good code; all workers share it.
 */
async function warm() {
  // A page may contain many frames with an editor, few of which are ever edited.
  if (embedded !== null || navigator.hardwareConcurrency < 2) return;
  const engine = new Engine();
  try {
    await engine.ask({ do: "evaluate", name: "warm.rules", text: words.warm, memory: 2 ** 28 }, { time: WARMING, patience: 2 * WARMING });
  } catch {
    // Then the first answers take longer.
  }
  engine.end("");
}

/** What stands where there are no answers. */
function nothing(broken) {
  if (broken) return el("div", { class: "empty" }, el("p", {}, words.nothing.broken));
  const way = (text, onclick) => el("button", { type: "button", onclick }, text);
  const { asked, example, append, gallery, course: learn } = words.nothing;
  const ways = [way(append, () => editor.append(example)), way(gallery, showGallery), way(learn, () => course.show())];
  return el("div", { class: "empty" }, el("p", {}, asked), el("pre", {}, example.trim()), el("div", { class: "ways" }, ...(embedded === null ? ways : ways.slice(0, 1))));
}

const memory = () => Math.min(2 ** (Number($("memory").value) + 20), 2 ** 31 - 2 ** 27);

function toast(text) {
  $("toast").textContent = text;
  $("toast").classList.add("on");
  clearTimeout(toast.timer);
  toast.timer = setTimeout(() => $("toast").classList.remove("on"), 4000);
}

function open(file) {
  name = file.name || "page.rules";
  files = file.files ?? {};
  before = new Map();
  $("name").textContent = name;
  editor.set(file.text);
  evaluate();
}

// Share

const state = () => ({ text: editor.text(), name, ...(Object.keys(files).length ? { files } : {}) });

async function share() {
  const fragment = await pack(state());
  const link = `${location.href.split("#")[0]}#${fragment}`;
  history.replaceState(null, "", `#${fragment}`);
  try {
    await navigator.clipboard.writeText(link);
    toast(link.length > LINK ? words.long(link.length) : words.copied);
  } catch {
    toast(words.address);
  }
}

// Copies of the whole

const frame = (link) => `<iframe src="${link.replace("#", "?embed#").replaceAll("&", "&amp;").replaceAll('"', "&quot;")}" width="100%" height="560" loading="lazy" title="cgdsl: ${name.replace(/[<>&"]/g, "")}"></iframe>`;
const linkOf = async () => `${location.origin}${location.pathname}#${await pack(state())}`;

async function copyAll(_, what, said) {
  if (what === "file") return clip(editor.text(), words.copy.copied(said));
  if (what === "link") return share();
  if (what === "embed") return clip(frame(await linkOf()), words.copy.copied(said));
  const found = await asked({ do: "copy", want: what, slow: $("slow").checked });
  return found.error ? toast(found.error) : clip(found.text, words.copy.copied(said));
}

function embed() {
  document.documentElement.classList.add("embedded");
  document.documentElement.classList.toggle("flow", embedded === "flow");
  const whole = el("a", { id: "whole", target: "_blank", rel: "noopener", href: "." }, words.openWhole);
  // The link contains the text at that moment.
  whole.onpointerdown = whole.onfocus = async () => whole.setAttribute("href", await linkOf());
  $("bar").append(whole);
}

async function fromLink() {
  const fragment = location.hash.slice(1);
  if (!fragment) return false;
  try {
    open(await unpack(fragment));
    return true;
  } catch (e) {
    toast(words.badLink(e.message));
    return false;
  }
}

// Gallery

async function showGallery() {
  $("gallery").showModal();
  $("search").value = "";
  chooseFamily("");
  $("search").focus();
  gallery ??= await tool({ do: "gallery" });
  if (!$("cards").childElementCount) fillGallery();
}

function fillGallery() {
  const seen = new IntersectionObserver(
    (entries) => {
      for (const entry of entries.filter((e) => e.isIntersecting)) {
        seen.unobserve(entry.target);
        const { path } = entry.target.dataset;
        tool({ do: "picture", name: path }).then(
          (found) => found.picture && entry.target.querySelector(".thumb").replaceChildren(picture(found.picture)),
          () => {},
        );
      }
    },
    { root: $("cards") },
  );
  const cards = gallery.files.map((file) => {
    const card = el(
      "button",
      { type: "button", class: "entry", "data-path": file.path, onclick: () => choose(file) },
      el("span", { class: "thumb" }),
      el("strong", {}, file.name.replaceAll("-", " ")),
      el("small", {}, file.folder || "boards"),
      el("span", { class: "title" }, file.title),
    );
    card.words = `${file.path} ${file.text}`.toLowerCase();
    card.folder = familyOf(file);
    seen.observe(card);
    return card;
  });
  const folders = [...new Set(gallery.files.map(familyOf))].sort((a, b) => (a === "boards") - (b === "boards"));
  const family = (folder) => el("button", { type: "button", "aria-pressed": String(folder === ""), "data-folder": folder, onclick: () => chooseFamily(folder) }, words.families(folder));
  $("families").replaceChildren(...["", ...folders].map(family));
  cards.sort((a, b) => (a.folder === "boards") - (b.folder === "boards"));
  $("cards").replaceChildren(...cards, el("p", { class: "none", hidden: "" }, words.noMatch));
}

const familyOf = (file) => file.folder.split("/")[0] || "boards";

function chooseFamily(folder) {
  for (const b of $("families").children) b.setAttribute("aria-pressed", String(b.dataset.folder === folder));
  $("cards").scrollTop = 0;
  search();
}

function choose(file) {
  $("gallery").close();
  history.replaceState(null, "", location.pathname + location.search);
  open({ name: `rulesets/${file.path}`, text: file.text });
  editor.focus();
}

function search() {
  const wanted = $("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const folder = $("families").querySelector('[aria-pressed="true"]')?.dataset.folder ?? "";
  let count = 0;
  for (const card of $("cards").querySelectorAll(".entry")) {
    card.hidden = (folder && card.folder !== folder) || !wanted.every((w) => card.words.includes(w));
    count += !card.hidden;
  }
  const none = $("cards").querySelector(".none");
  if (none) none.hidden = count > 0;
}

// Controls

function limits() {
  $("time-text").textContent = words.seconds($("time").value);
  $("memory-text").textContent = words.bytes(memory());
}

const THEMES = ["auto", "light", "dark"];
function theme(next) {
  document.documentElement.dataset.theme = next;
  try {
    localStorage.setItem("theme", next);
  } catch {
    // Without storage, it lasts until the page is closed.
  }
}

$("run").onclick = () => evaluate();
$("stop").onclick = () => stop(words.cancelled);
$("share").onclick = share;
$("gallery-open").onclick = showGallery;
$("course-open").onclick = () => course.show();
$("gallery-close").onclick = () => $("gallery").close();
$("search").oninput = search;
$("search").onkeydown = (e) => {
  const first = e.key === "Enter" && $("cards").querySelector(".entry:not([hidden])");
  if (first) first.click();
};
$("theme").onclick = () => {
  const next = THEMES[(THEMES.indexOf(document.documentElement.dataset.theme) + 1) % THEMES.length];
  theme(next);
  toast(words.theme[next]);
};
$("format").onclick = async () => {
  try {
    const laid = await tool({ do: "format", name, text: editor.text() });
    if (laid.text !== undefined) editor.set(laid.text);
    else toast(laid.error);
  } catch (e) {
    toast(e.message);
  }
};
for (const id of ["time", "memory"]) $(id).oninput = limits;
for (const id of ["time", "memory", "slow"]) $(id).onchange = () => evaluate();
addEventListener("hashchange", fromLink);
// The last document, for tests and for inspection.
globalThis.cgdsl = { document: () => last, text: () => editor.text(), set: (text) => editor.set(text), edit: (from, to, text) => editor.apply([{ from, to, text }]), open };

try {
  theme(localStorage.getItem("theme") ?? "auto");
} catch {
  theme("auto");
}
if (embedded !== null) embed();
$("copy-all").replaceChildren(copying("", { link: words.copy.link, file: words.copy.file, ...words.copy.all, embed: words.copy.embed }, copyAll));
limits();
$("version").textContent = `cgdsl ${VERSION}${COMMIT && ` (${COMMIT})`}`;
module.catch(() => status(words.noEngine));
if (!(await fromLink())) open({ name: "page.rules", text: words.welcome });
const level = new URLSearchParams(location.search).get("learn");
if (level !== null) course.show(level);
if ("serviceWorker" in navigator) navigator.serviceWorker.register("offline.js").catch(() => {});
