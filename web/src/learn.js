// A dialog for the levels of the course. The engine judges each answer; progress is stored in the browser, in the format that
// `cgdsl learn --progress` reads.
import { clearPictures, el, picture } from "./answers.js";
import { words } from "./words.js";

const PLACE = "progress";
const $ = (id) => document.getElementById(id);
const said = words.learn;

/** `ask` answers a request of the engine, parsed; `open` puts a text into the editor; `toast` says something in passing. */
export function createCourse({ ask, open, toast }) {
  const dialog = $("course");
  /** Answers and hints of levels that are not solved, by level: gone with the page. */
  const tries = new Map();
  let course, at, turn = 0;
  let progress = "";
  try {
    progress = localStorage.getItem(PLACE) ?? "";
  } catch {
    // Without storage, progress lasts until the page is closed.
  }

  const of = (id) => course.record.solved.find((s) => s.level === id);
  const all = () => course.lessons.flatMap((l) => l.levels);
  const next = (after) => {
    const list = all();
    const from = list.findIndex((l) => l.level === after) + 1;
    return [...list.slice(from), ...list.slice(0, from)].find((l) => !of(l.level));
  };

  function keep(text) {
    progress = text;
    try {
      localStorage.setItem(PLACE, text);
    } catch {
      toast(said.unkept);
    }
  }

  /** Reads the course with a progress; false if that is none. */
  async function read(text) {
    const found = await ask({ do: "learn", text });
    if (found.error) {
      toast(said.unread(found.error));
      return false;
    }
    course = found;
    return true;
  }

  async function show(id) {
    if (!dialog.open) dialog.showModal();
    if (!course && !(await read(progress)) && !(await read(""))) return;
    const lesson = course.lessons.find((l) => String(l.number) === id);
    const wanted = lesson?.levels[0].level ?? id;
    await level(all().some((l) => l.level === wanted) ? wanted : (at ?? next()?.level ?? all()[0].level));
  }

  function list() {
    $("course-count").textContent = said.count(course.record.solved.length, course.of);
    const lessons = course.lessons.map((l) => {
      const done = l.levels.filter((x) => of(x.level)).length;
      const levels = l.levels.map((x) =>
        el(
          "button",
          { type: "button", class: `level${of(x.level) ? " solved" : ""}`, "data-level": x.level, onclick: () => level(x.level), ...(x.level === at ? { "aria-current": "true" } : {}) },
          el("span", { class: "mark", "aria-hidden": "true" }, of(x.level) ? "✓" : "·"),
          el("span", {}, `${x.level} ${x.title}`),
          el("small", {}, of(x.level) ? said.solved : said.kinds[x.kind]),
        ),
      );
      const node = el("details", { class: "lesson" }, el("summary", {}, `${l.number} ${l.title}`, el("small", {}, said.part(done, l.levels.length))), ...levels);
      node.open = l.levels.some((x) => x.level === at);
      return node;
    });
    $("course-list").replaceChildren(...lessons);
    $("course-list").querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }

  async function level(id) {
    const mine = ++turn;
    at = id;
    list();
    const found = await ask({ do: "learn", want: "level", name: id });
    if (mine !== turn) return;
    const node = found.error ? el("p", { class: "item broken" }, found.error) : card(found);
    put(node);
    node.querySelector("input")?.focus();
  }

  function put(...nodes) {
    clearPictures($("course-level"));
    $("course-level").replaceChildren(...nodes);
    $("course-level").scrollTop = 0;
  }

  function card(shown) {
    const id = shown.level;
    if (!tries.has(id)) tries.set(id, { attempts: 0, hints: 0, log: [], typed: "" });
    const state = tries.get(id);
    const answer = el("input", { type: "text", "aria-label": said.answer(shown.wanted), placeholder: shown.wanted, autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
    const log = el("ol", { class: "log", role: "log", "aria-label": said.log });
    const button = (text, onclick, more = {}) => el("button", { type: "button", onclick, ...more }, text);
    const hint = button(said.hint, () => {
      if (state.hints < shown.hints.length) say("hint", said.aHint(shown.hints[state.hints++]));
      if (state.hints >= shown.hints.length) hint.disabled = true;
    });
    hint.disabled = state.hints >= shown.hints.length;
    const check = el("button", {}, said.check);
    const onward = button(said.next, () => {
      const to = next(id);
      if (to) level(to.level);
      else map();
    }, { class: "onward" });
    const form = el("form", { class: "controls", onsubmit: (e) => (e.preventDefault(), judge()) }, answer, check, hint);
    const items = shown.items.length ? [el("pre", { class: "items", tabindex: "0", "aria-label": said.items[shown.kind] ?? said.items.build }, shown.items.join("\n"))] : [];
    const solved = of(id);
    answer.value = solved?.answer ?? state.typed;

    function say(kind, text) {
      state.log.push([kind, text]);
      draw();
    }
    function draw() {
      log.replaceChildren(...state.log.map(([kind, text]) => el("li", { class: kind }, text)));
      log.hidden = !state.log.length;
    }

    async function judge() {
      const typed = answer.value.trim();
      if (!typed || check.disabled) return;
      state.typed = typed;
      check.disabled = true;
      const found = await ask({ do: "learn", want: "judge", name: id, expression: typed });
      check.disabled = false;
      if (found.error) return say("unknown", found.error);
      if (found.is === "right" || found.is === "wrong" || found.is === "unknown") state.attempts++;
      say(found.is, said.verdict[found.is](typed, found.why));
      if (found.is !== "right") return answer.select();
      if (!of(id)) {
        course.record.solved.push({ level: id, answer: typed, attempts: state.attempts, hints: state.hints });
        keep(JSON.stringify(course.record));
        list();
      }
      form.after(onward);
      onward.focus();
    }

    draw();
    return el(
      "article",
      { class: "item playing" },
      el("h3", {}, `${id} ${shown.title}`),
      el("p", { class: "kind" }, said.tasks[shown.kind]),
      el("p", { class: "asked" }, shown.question),
      ...(shown.picture ? [el("div", { class: "pictures" }, picture(shown.picture))] : []),
      ...items,
      form,
      ...(solved ? [onward] : []),
      log,
      el("details", {}, el("summary", {}, said.rules), el("pre", { class: "items", tabindex: "0" }, shown.rules)),
      button(said.edit, () => {
        dialog.close();
        open({ name: `level-${id}.rules`, text: shown.file });
      }),
    );
  }

  async function map() {
    const mine = ++turn;
    at = undefined;
    if (!(await read(JSON.stringify(course.record))) || mine !== turn) return;
    list();
    put(el("div", { class: "map" }, picture(course.picture)));
  }

  /** A text as a file of the reader's. */
  function save(name, text) {
    const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    el("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  }

  $("course-map").onclick = map;
  $("course-close").onclick = () => dialog.close();
  $("course-save").onclick = () => {
    const person = el("input", { type: "text", "aria-label": said.name, placeholder: said.name, maxlength: "200", required: "" });
    const form = el("form", { class: "controls" }, person, el("button", {}, said.certificate));
    form.onsubmit = async (e) => {
      e.preventDefault();
      const found = await ask({ do: "learn", want: "certificate", text: JSON.stringify(course.record), expression: person.value });
      if (found.error) return toast(found.error);
      save("certificate.json", found.text);
      toast(said.saved);
    };
    turn++;
    put(
      el("article", { class: "item" }, el("h3", {}, said.certificate), el("p", {}, said.how), form),
      el("article", { class: "item" }, el("h3", {}, said.progress), el("p", {}, said.moving),
        el("div", { class: "controls" }, el("button", { type: "button", onclick: () => save("learn.json", JSON.stringify(course.record)) }, said.keep), loader())),
    );
    person.focus();
  };

  /** A file of progress or a certificate, from elsewhere: what it has solved comes to what is solved here. */
  function loader() {
    const file = el("input", { type: "file", accept: ".json,application/json", "aria-label": said.load });
    file.onchange = async () => {
      const [chosen] = file.files;
      if (!chosen || chosen.size > 4 << 20) return;
      const here = course;
      if (!(await read(await chosen.text()))) return;
      const added = course.record.solved.filter((s) => !here.record.solved.some((h) => h.level === s.level));
      course.record.solved = [...here.record.solved, ...added];
      keep(JSON.stringify(course.record));
      list();
      toast(said.loaded(added.length));
    };
    return el("label", {}, said.load, " ", file);
  }

  return { show };
}
