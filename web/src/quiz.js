// Cards for the questions of a file, with hints and the score. The engine compares answers by value, and answers to sealed
// questions by their hashes.
import { el, picture } from "./answers.js";
import { words } from "./words.js";

/** What is known of each question, by its text, so that an edit elsewhere loses nothing. */
const states = new Map();

/** `ask` answers a request of the engine, parsed. */
export async function quiz(ask) {
  const found = await ask({ do: "quiz" });
  const all = found.questions ?? [];
  if (!all.length) return [];
  const score = el("p", { class: "score", role: "status" });
  const state = (q) => {
    const key = `${q.sealed} ${q.question}`;
    if (!states.has(key)) states.set(key, { attempts: 0, hints: [], done: "" });
    return states.get(key);
  };
  const count = () => {
    const own = all.filter((q) => !q.error).map(state);
    const right = own.filter((s) => s.done === "right");
    score.textContent = words.quiz.score(right.length, own.length, right.filter((s) => s.attempts === 1 && !s.hints.length).length);
  };
  const cards = all.map((q, at) => (q.error ? el("article", { class: "item broken" }, q.error) : card(q, at, state(q), ask, count)));
  count();
  return [el("section", { class: "quiz", "aria-label": words.quiz.label }, el("h2", {}, words.quiz.label), ...cards, score)];
}

function card(q, at, state, ask, count) {
  const answer = el("input", { type: "text", "aria-label": words.quiz.answer(q.question), placeholder: q.kind, autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
  const said = el("p", { class: "said", role: "status" });
  const hints = el("ol", { class: "hints" });
  const button = (text, onclick) => el("button", { type: "button", onclick }, text);
  const hint = button(words.quiz.hint, nextHint);
  const show = button(words.quiz.show, giveUp);
  const form = el("form", { class: "controls", onsubmit: (e) => (e.preventDefault(), mark()) }, answer, el("button", {}, words.quiz.check), hint, ...(q.sealed ? [] : [show]));
  const node = el("article", { class: "item question" }, el("h3", {}, q.question), ...(q.picture ? [el("div", { class: "pictures" }, picture(q.picture))] : []), form, said, hints);
  draw();

  function draw() {
    node.classList.toggle("held", state.done === "right");
    hints.replaceChildren(...state.hints.map((h) => el("li", {}, h)));
    hints.hidden = !state.hints.length;
    answer.value = state.typed ?? "";
    if (state.said) said.textContent = state.said;
    for (const b of form.querySelectorAll("button")) b.disabled = !!state.done;
    answer.readOnly = !!state.done;
    count();
  }

  async function mark() {
    const typed = answer.value.trim();
    if (!typed || state.done) return;
    state.typed = typed;
    said.textContent = words.working;
    const found = await ask({ do: "quiz", want: "mark", at, expression: typed });
    if (found.error) state.said = found.error;
    else if (found.is === "none") state.said = found.why;
    else {
      state.attempts++;
      if (found.is === "right") state.done = "right";
      state.said = found.is === "right" ? words.quiz.right(found.source) : words.quiz.wrong;
    }
    draw();
  }

  async function nextHint() {
    hint.disabled = true;
    state.known ??= (await ask({ do: "quiz", want: "hint", at })).hints ?? [];
    const next = state.known[state.hints.length];
    if (next) state.hints.push(next);
    else state.said = words.quiz.noHint;
    state.typed = answer.value;
    draw();
  }

  async function giveUp() {
    const found = await ask({ do: "quiz", want: "show", at });
    state.done = "shown";
    state.said = found.error ?? words.quiz.shown(found.right);
    draw();
  }
  return node;
}
