// The picture of a position, with buttons over the elements that can be pointed at, and tools for changing a board by hand.
// Input: the engine's description of a board; output: changes for the engine.
import { clearPictures, el, picture } from "./answers.js";
import { words } from "./words.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const key = (t) => `${t.term} ${t.kind} ${t.name}`;

/**
 * Pictures with buttons over them: `click(target)` for the pointer, Enter and blanks; `press(target, key)` for other keys, true if
 * it means something. One button is in the order of tabs, arrows go to the others.
 */
export function overlay(place, { picture: drawn, size, targets }, { label, click, press = () => false, marked = () => false }) {
  const kept = place.contains(document.activeElement) ? place.querySelector(":focus")?.dataset.key : undefined;
  const before = place.querySelector('[tabindex="0"]')?.dataset.key;
  clearPictures(place);
  const percent = (n, of) => `${(100 * n) / of}%`;
  const buttons = targets.map((t) =>
    el("button", {
      type: "button",
      class: marked(t) ? `spot ${t.kind} on` : `spot ${t.kind}`,
      "data-key": key(t),
      "aria-label": label(t),
      tabindex: "-1",
      style: `left:${percent(t.at[0] - t.size[0] / 2, size[0])};top:${percent(t.at[1] - t.size[1] / 2, size[1])};width:${percent(t.size[0], size[0])};height:${percent(t.size[1], size[1])}`,
      onclick: () => click(t),
      onkeydown: (e) => {
        if (e.ctrlKey || e.metaKey || e.altKey) return;
        if (ARROWS[e.key]) go(t, ARROWS[e.key]);
        else if (!press(t, e.key)) return;
        e.preventDefault();
      },
    }),
  );
  const board = el("div", { class: "spots", role: "group", "aria-label": drawn.description, style: `aspect-ratio:${size[0]}/${size[1]};width:${Math.round(size[0] * 1.15)}px` }, picture(drawn), ...buttons);
  board.querySelector("img").setAttribute("alt", "");
  place.replaceChildren(board);
  const first = Math.max(0, buttons.findIndex((b) => b.dataset.key === (kept ?? before)));
  if (buttons[first]) {
    buttons[first].tabIndex = 0;
    if (kept !== undefined) buttons[first].focus();
  }

  /** The nearest in a direction: what lies aside counts twice. */
  function go(from, [x, y]) {
    let best;
    targets.forEach((to, i) => {
      const [dx, dy] = [to.at[0] - from.at[0], to.at[1] - from.at[1]];
      const along = dx * x + dy * y;
      const aside = Math.abs(dx * y) + Math.abs(dy * x);
      if (to === from || along <= 1 || aside > 2 * along) return;
      const far = along + 2 * aside;
      if (!best || far < best.far) best = { far, i };
    });
    if (!best) return;
    for (const b of buttons) b.tabIndex = -1;
    buttons[best.i].tabIndex = 0;
    buttons[best.i].focus();
  }
}

/** What a place is called aloud. */
export function spoken(terms, t) {
  const { kind } = terms[t.term] ?? {};
  return words.spot(t.kind, kind, t.name, t.holds);
}

/** The tools for the boards of a sum. */
function toolsFor(terms) {
  const tools = new Map();
  const add = (tool) => tools.has(tool.id) || tools.set(tool.id, tool);
  for (const { kind, pieces } of terms) {
    const cells = kind === "grid" || kind === "strip";
    const graph = ["graph", "digraph", "poset"].includes(kind);
    if (cells || graph)
      for (const p of pieces) add({ id: `piece ${p.name}`, piece: p.name, lines: p.lines, text: words.tools.piece(p.name, p.owners), key: p.name });
    if ((cells || graph) && pieces.length) add({ id: "empty", text: words.tools.empty, key: "." });
    if (graph && !pieces.some((p) => p.lines)) add({ id: "join", lines: true, text: words.tools.join[kind], key: "e" });
    if (cells || graph) add({ id: "remove", text: cells ? words.tools.wall : words.tools.remove, key: "#" });
    if (kind === "heaps") {
      add({ id: "more", text: words.tools.more, key: "+" });
      add({ id: "less", text: words.tools.less, key: "-" });
    }
  }
  return [...tools.values()];
}

/** The board as an input. `change(term, edit)` asks for the changed position; it answers with a sentence if that cannot be. */
export function createBoard(place, { change, say }) {
  let told;
  let tool = "";
  let from;
  const bar = el("div", { class: "tools", role: "radiogroup", "aria-label": words.tools.label });
  const view = el("div", { class: "view" });
  const more = el("div", { class: "sizes" });
  place.append(bar, view, more);

  const tools = () => toolsFor(told.terms);
  const current = () => tools().find((t) => t.id === tool);

  function pick(id) {
    tool = id;
    from = undefined;
    for (const b of bar.children) {
      const on = b.dataset.tool === id;
      b.setAttribute("aria-checked", String(on));
      b.tabIndex = on ? 0 : -1;
    }
    draw();
  }

  function drawTools() {
    const all = tools();
    if (!all.some((t) => t.id === tool)) tool = all[0]?.id ?? "";
    bar.replaceChildren(
      ...all.map((t, i) =>
        el(
          "button",
          {
            type: "button",
            role: "radio",
            "data-tool": t.id,
            "aria-checked": String(t.id === tool),
            tabindex: t.id === tool ? "0" : "-1",
            title: words.tools.key(t.key),
            onclick: () => pick(t.id),
            onkeydown: (e) => {
              const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key];
              if (!step) return;
              e.preventDefault();
              const next = all[(i + step + all.length) % all.length];
              pick(next.id);
              bar.querySelector('[aria-checked="true"]')?.focus();
            },
          },
          t.text,
        ),
      ),
    );
    bar.hidden = !all.length;
  }

  function drawSizes() {
    const rows = [];
    told.terms.forEach((term, n) => {
      const name = told.terms.length > 1 ? `${term.ruleset}: ` : "";
      if (term.kind === "heaps") {
        for (const t of told.targets.filter((t) => t.term === n && t.kind === "heap"))
          t.holds.split(", ").forEach((size, component) => {
            const label = words.heap(name, t.name);
            rows.push(el("label", {}, `${label} `, el("input", { type: "number", min: "0", max: "999999", value: size, onchange: (e) => change(n, { edit: "heap", heap: t.number, component, size: Math.max(0, Math.min(999999, Math.round(Number(e.target.value) || 0))) }) })));
          });
      }
      if (["heaps", "graph", "digraph", "poset"].includes(term.kind)) rows.push(el("button", { type: "button", onclick: () => change(n, { edit: "add" }) }, name + words.tools.add[term.kind]));
      if (term.kind === "grid" || term.kind === "strip") {
        const [m, k] = term.sides;
        const side = (label, value, sizes) => el("label", {}, `${name}${label} `, el("input", { type: "number", min: "1", max: "40", value: String(value), onchange: (e) => change(n, { edit: "resize", ...sizes(Math.max(1, Math.min(40, Math.round(Number(e.target.value) || 1)))) }) }));
        if (term.kind === "grid") rows.push(side(words.tools.rows, m, (rows) => ({ rows, columns: k })));
        rows.push(side(words.tools.columns, k, (columns) => ({ rows: m, columns })));
      }
    });
    more.replaceChildren(...rows);
  }

  const spotOf = (t) => ({ [t.kind === "line" ? "line" : "site"]: t.number });

  function use(t, chosen) {
    if (!chosen) return;
    const own = (name) => new RegExp(`(^|, )\\d*${name.replace(/[^\p{L}\p{N}_]/gu, "\\$&")}( \\(|,|$)`, "u").test(t.holds);
    const counted = /^\d/.test(t.holds);
    if (t.kind === "heap") {
      if (chosen.id !== "more" && chosen.id !== "less") return;
      const sizes = t.holds.split(", ").map(Number);
      const component = sizes.length - 1;
      return change(t.term, { edit: "heap", heap: t.number, component, size: Math.max(0, sizes[component] + (chosen.id === "more" ? 1 : -1)) });
    }
    if (chosen.id === "remove") {
      if (t.holds === "wall") return change(t.term, { edit: "put", spot: spotOf(t), piece: "empty" });
      return change(t.term, { edit: "remove", spot: spotOf(t) });
    }
    if (chosen.id === "empty") return change(t.term, { edit: "put", spot: spotOf(t), piece: "empty" });
    if (chosen.lines && t.kind === "site") {
      if (from === undefined || from.term !== t.term) {
        from = t;
        say(words.from(t.name));
        return draw();
      }
      const edit = { edit: "join", from: from.number, to: t.number, piece: chosen.piece ?? null };
      from = undefined;
      return change(t.term, edit);
    }
    if (chosen.id === "join") return;
    const piece = own(chosen.piece) && !counted ? "empty" : chosen.piece;
    return change(t.term, { edit: "put", spot: spotOf(t), piece });
  }

  function draw() {
    overlay(view, told, {
      label: (t) => spoken(told.terms, t),
      click: (t) => use(t, current()),
      press: (t, pressed) => {
        if (pressed === "Escape" && from) {
          from = undefined;
          draw();
          return true;
        }
        const wanted = pressed === "Delete" || pressed === "Backspace" ? "#" : pressed;
        const meant = tools().find((x) => x.key === wanted);
        if (!meant) return false;
        if (meant.id === "join" || (meant.lines && t.kind === "site")) pick(meant.id);
        use(t, meant);
        return true;
      },
      marked: (t) => from && key(from) === key(t),
    });
  }

  return {
    show(answer) {
      told = answer;
      from = undefined;
      drawTools();
      draw();
      drawSizes();
    },
  };
}
