// A game against the engine, starting at a position: a board to click on, moves, hints, and where the game was decided.
import { el } from "./answers.js";
import { overlay, spoken } from "./board.js";
import { words } from "./words.js";

const key = ([term, kind, number]) => `${term} ${kind} ${number}`;

/** `ask` answers a request of the engine, parsed; `say` tells the reader. */
export function createPlay(place, { ask, say }) {
  let start = "";
  let made = [];
  /** Who made each of them. */
  const movers = [];
  let told;
  let hints = 0;
  let chosen = [];
  let turn = 0;
  const options = { first: 0, people: "0", misere: false };

  const controls = el("div", { class: "controls" });
  const status = el("p", { class: "standing", role: "status" });
  const view = el("div", { class: "view" });
  const hint = el("p", { class: "hint", role: "status" });
  const moves = el("div", { class: "choices", role: "group", "aria-label": words.play.moves });
  const log = el("ol", { class: "log", "aria-label": words.play.made });
  place.append(controls, status, view, hint, moves, log);

  const request = (want, more = {}) => ({ do: "play", expression: start, first: options.first, misere: options.misere, made, want, ...more });
  const human = () => options.people === "all" || Number(options.people) === told.mover;

  async function step() {
    const mine = ++turn;
    hints = 0;
    chosen = [];
    const found = await ask(request(""));
    if (mine !== turn) return;
    if (found.error) {
      say(found.error);
      return false;
    }
    told = found;
    draw();
    if (told.winner !== null) return decided(mine);
    if (over()) return true;
    if (!human()) {
      status.textContent = words.play.thinks(told.players[told.mover]);
      const advice = await ask(request("advice"));
      if (mine !== turn) return;
      if (advice?.error || typeof advice?.number !== "number") return say(advice?.error ?? words.play.noMove);
      movers[made.length] = told.mover;
      made = [...made, advice.number];
      return step();
    }
    return true;
  }

  async function decided(mine) {
    const found = await ask(request("mistake"));
    if (mine !== turn || !told || told.winner === null) return;
    hint.textContent = found?.made ? words.play.mistake(found.made, found.better) : found?.error ?? words.play.never(told.players[told.winner]);
  }

  function move(number) {
    movers[made.length] = told.mover;
    made = [...made, number];
    step();
  }

  const over = () => told.mover === null;

  /** The moves that change all places chosen so far. */
  const fitting = () => told.moves.map((m, number) => ({ ...m, number })).filter((m) => chosen.every((c) => m.touched.some((t) => key(t) === c)));

  function choose(t) {
    if (!human()) return;
    const own = key([t.term, t.kind, t.number]);
    chosen = chosen.includes(own) ? chosen.filter((c) => c !== own) : [...chosen, own];
    let left = fitting();
    if (!left.length) {
      chosen = [own];
      left = fitting();
    }
    if (!left.length) {
      chosen = [];
      say(words.play.nothingThere(t.name));
    } else if (left.length === 1) return move(left[0].number);
    draw();
  }

  function draw() {
    const names = told.players;
    const select = (label, value, all, set) => el("label", {}, `${label} `, el("select", { onchange: (e) => (set(e.target.value), restart()) }, ...all.map(([v, text]) => el("option", v === value ? { value: v, selected: "" } : { value: v }, text))));
    const numbered = names.map((n, i) => [String(i), n]);
    const inside = controls.contains(document.activeElement);
    if (!inside)
      controls.replaceChildren(
        select(words.play.begins, String(options.first), numbered, (v) => (options.first = Number(v))),
        select(words.play.you, options.people, [...numbered, ["all", words.play.everyone], ["none", words.play.nobody]], (v) => (options.people = v)),
        ...(names.length === 2 ? [el("label", {}, el("input", { type: "checkbox", ...(options.misere ? { checked: "" } : {}), onchange: (e) => ((options.misere = e.target.checked), restart()) }), ` ${words.play.misere}`)] : []),
        el("button", { type: "button", onclick: restart }, words.play.again),
        el("button", { type: "button", onclick: undo }, words.play.undo),
        el("button", { type: "button", class: "hint-button", onclick: help }, words.play.hint),
      );
    if (!over()) status.textContent = words.play.toMove(names[told.mover]);
    else if (told.winner !== null) status.textContent = words.play.won(names[told.winner]);
    else status.textContent = told.loser !== null ? words.play.lost(names[told.loser]) : words.play.drawn;
    hint.textContent = !over() && told.before ? words.play.before : "";
    if (told.board) {
      const terms = told.board.targets.some((t) => t.kind === "heap") ? [{ kind: "heaps" }] : [{ kind: told.board.targets.some((t) => t.name.startsWith("(")) ? "grid" : "graph" }];
      overlay(view, told.board, {
        label: (t) => spoken(terms, { ...t, term: 0 }),
        click: choose,
        marked: (t) => chosen.includes(key([t.term, t.kind, t.number])),
      });
    } else view.replaceChildren(el("pre", {}, told.position));
    const shown = human() || over() ? fitting() : [];
    const focused = moves.contains(document.activeElement);
    moves.replaceChildren(...shown.slice(0, 60).map((m) => el("button", { type: "button", onclick: () => move(m.number) }, m.text || words.play.pass)), ...(shown.length > 60 ? [el("span", { class: "more" }, words.more(shown.length - 60))] : []));
    if (focused) (moves.querySelector("button") ?? controls.querySelector("button"))?.focus();
    log.replaceChildren(...told.made.map((m) => el("li", {}, m)));
    log.hidden = !told.made.length;
  }

  async function help() {
    if (!told || over()) return;
    const mine = turn;
    hint.textContent = words.working;
    const advice = await ask(request("advice"));
    if (mine !== turn) return;
    if (!advice || advice.error) return (hint.textContent = advice?.error ?? "");
    hints = Math.min(hints + 1, 4);
    hint.textContent = words.play.hints(hints, advice);
  }

  /** Back to where a person last moved. */
  function undo() {
    const mine = (player) => options.people === "all" || Number(options.people) === player;
    while (made.length) {
      made = made.slice(0, -1);
      if (mine(movers.splice(made.length)[0])) break;
    }
    step();
  }

  function restart() {
    made = [];
    step();
  }

  return {
    /** A game from this position; one that is under way there goes on. */
    show(expression) {
      if (expression === start && told) return;
      start = expression;
      restart();
    },
  };
}
