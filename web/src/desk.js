// The desk: a position on its board as an input, a game against the engine, its tree, and a sum under construction. Input: a
// position; output: texts for the editor.
import { el } from "./answers.js";
import { createBoard } from "./board.js";
import { createPlay } from "./play.js";
import { createSum } from "./sum.js";
import { createTree } from "./tree.js";
import { words } from "./words.js";

const TABS = ["board", "play", "tree", "sum"];

/**
 * `ask` answers a request of the engine, parsed; `write(text)` puts the text of the position into the file, false where it does not
 * stand there; `append` adds lines.
 */
export function createDesk(place, { ask, write, append }) {
  let expression = "";
  let tab = "board";
  let before = [];
  let after = [];
  let turn = 0;

  const say = (text) => (status.textContent = text);
  const status = el("p", { class: "desk-status", role: "status" });
  const text = el("input", { type: "text", class: "position", "aria-label": words.desk.position, spellcheck: "false", autocapitalize: "off" });
  const tabs = el("div", { class: "tabs", role: "tablist", "aria-label": words.desk.label });
  const back = el("button", { type: "button", "aria-label": words.desk.undo, title: words.desk.undo, onclick: () => travel(before, after) }, "↶");
  const forth = el("button", { type: "button", "aria-label": words.desk.redo, title: words.desk.redo, onclick: () => travel(after, before) }, "↷");
  const panels = Object.fromEntries(TABS.map((name) => [name, el("div", { class: `panel-${name}`, role: "tabpanel", id: `desk-${name}`, "aria-labelledby": `tab-${name}`, hidden: "" })]));
  const close = el("button", { type: "button", "aria-label": words.desk.close, onclick: hide }, "✕");
  tabs.append(
    ...TABS.map((name) =>
      el(
        "button",
        {
          type: "button",
          role: "tab",
          id: `tab-${name}`,
          "aria-controls": `desk-${name}`,
          onclick: () => show(name),
          onkeydown: (e) => {
            const step = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
            if (!step) return;
            e.preventDefault();
            show(TABS[(TABS.indexOf(name) + step + TABS.length) % TABS.length]);
            tabs.querySelector('[aria-selected="true"]').focus();
          },
        },
        words.desk[name],
      ),
    ),
  );
  place.append(el("div", { class: "desk-head" }, tabs, close), el("div", { class: "desk-text" }, back, forth, text), status, ...Object.values(panels));

  const board = createBoard(panels.board, { change, say });
  const play = createPlay(panels.play, { ask, say });
  const sum = createSum(panels.sum, { ask, write: (text) => append(`eval ${text}\n`), show: (text) => open(text, "board") });
  const tree = createTree(panels.tree, { ask, add: (text) => (sum.add(text), say(words.sum.added)) });

  async function change(term, edit) {
    await load({ do: "board", expression, term, edit }, true);
  }

  /** Asks for a board and shows it; a change is written into the file. */
  async function load(request, changed) {
    const mine = ++turn;
    let found;
    try {
      found = await ask(request);
    } catch (e) {
      found = { error: e.message };
    }
    if (mine !== turn) return false;
    if (found.error) {
      say(found.error);
      return false;
    }
    if (changed && found.text !== expression) {
      before.push(expression);
      after = [];
      expression = found.text;
      write(expression);
    }
    accept(found);
    say(changed ? found.text : "");
    return true;
  }

  function accept(found) {
    if (document.activeElement !== text) text.value = expression;
    back.disabled = !before.length;
    forth.disabled = !after.length;
    board.show(found);
  }

  async function travel(from, to) {
    const there = from.pop();
    if (there === undefined) return;
    to.push(expression);
    expression = there;
    write(expression);
    await load({ do: "board", expression }, false);
    say(expression);
  }

  function show(name) {
    tab = name;
    for (const b of tabs.children) {
      const on = b.id === `tab-${name}`;
      b.setAttribute("aria-selected", String(on));
      b.tabIndex = on ? 0 : -1;
    }
    for (const n of TABS) panels[n].hidden = n !== name;
    if (name === "play") play.show(expression);
    if (name === "tree") tree.show(expression);
  }

  function hide() {
    place.hidden = true;
    turn++;
  }

  text.onchange = async () => {
    const wanted = text.value.trim();
    if (!wanted || wanted === expression) return;
    const old = expression;
    expression = wanted;
    if (await load({ do: "board", expression }, false)) {
      before.push(old);
      after = [];
      back.disabled = false;
      write(expression);
      show(tab);
    } else expression = old;
  };

  async function open(wanted, name) {
    place.hidden = false;
    before = [];
    after = [];
    expression = wanted;
    text.value = wanted;
    show(name);
    await load({ do: "board", expression }, false);
    place.scrollIntoView({ block: "nearest" });
  }

  return {
    open,
    isOpen: () => !place.hidden,
    /** The text in the file has changed: the board follows. */
    async follow(wanted) {
      if (place.hidden || wanted === expression) return;
      const old = expression;
      expression = wanted;
      if (await load({ do: "board", expression }, false)) {
        before.push(old);
        after = [];
        back.disabled = false;
        text.value = wanted;
        show(tab);
      } else expression = old;
    },
    add: (text) => {
      place.hidden = false;
      if (!expression) expression = text;
      show("sum");
      sum.add(text);
    },
    reveal(name) {
      place.hidden = false;
      show(name);
    },
    focus: () => tabs.querySelector('[aria-selected="true"]')?.focus(),
  };
}
