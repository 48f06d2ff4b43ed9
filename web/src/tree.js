// The game tree of a position, or the canonical form of a value, as a graph that unfolds on clicks. Dominated and reversible
// options are folded; the thermograph of the chosen node is shown beside it.
import { clearPictures, el, picture } from "./answers.js";
import { words } from "./words.js";

/** `ask` answers a request of the engine, parsed; `use(text)` takes a position to the sum. */
export function createTree(place, { ask, add }) {
  let start = "";
  let form = false;
  let chosen;
  let turn = 0;
  const graph = el("div", { class: "graph", role: "region", "aria-label": words.tree.label, tabindex: "0" });
  const lines = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  lines.setAttribute("class", "lines");
  lines.setAttribute("aria-hidden", "true");
  const inner = el("div", { class: "inner" });
  graph.append(inner);
  const side = el("aside", { class: "beside", "aria-label": words.thermograph });
  const which = el("div", { class: "controls", role: "radiogroup", "aria-label": words.tree.label });
  place.append(which, el("div", { class: "explorer" }, graph, side));

  function drawWhich() {
    const one = (value, text) => el("label", {}, el("input", { type: "radio", name: "tree", ...(form === value ? { checked: "" } : {}), onchange: () => ((form = value), restart()) }), ` ${text}`);
    which.replaceChildren(one(false, words.tree.game), one(true, words.tree.form));
  }

  /** A node with its children, which come when it is unfolded. */
  function node(told, player, players) {
    const kids = el("div", { class: "kids", hidden: "" });
    const face = told.picture && !form ? [picture(told.picture)] : told.drawing && !form ? [el("pre", {}, told.drawing.join("\n"))] : [];
    const whose = player === undefined ? "" : words.tree.of(players[player]);
    const note = told.status && told.by ? words.tree[told.status](told.by) : "";
    const button = el(
      "button",
      { type: "button", class: `face ${told.status ?? ""}`, "aria-expanded": "false", "aria-label": [whose, told.text, told.value && told.value !== told.text ? `= ${told.value}` : "", note].filter(Boolean).join(" "), title: told.text },
      ...face,
      el("span", {}, told.value ?? told.text),
      ...(note ? [el("small", {}, note)] : []),
    );
    const item = el("div", { class: "node", "data-player": String(player ?? "") }, button, kids);
    button.draggable = true;
    button.ondragstart = (e) => {
      e.dataTransfer.setData("text/plain", told.text);
      e.dataTransfer.effectAllowed = "copy";
    };
    button.onclick = async () => {
      select(button, told);
      if (kids.childElementCount) {
        kids.hidden = !kids.hidden;
        button.setAttribute("aria-expanded", String(!kids.hidden));
        return wires();
      }
      if (button.dataset.end) return;
      const mine = turn;
      button.disabled = true;
      const found = await ask({ do: "tree", expression: told.text, want: form ? "form" : "" });
      button.disabled = false;
      if (mine !== turn) return;
      button.focus();
      if (found.error) return side.replaceChildren(el("p", {}, found.error));
      unfold(item, button, kids, found);
    };
    return item;
  }

  function unfold(item, button, kids, found) {
    const parts = [];
    found.players.forEach((name, p) => {
      const own = found.options.filter((o) => o.player === p);
      const kept = own.filter((o) => o.status === "canonical" || o.status === "plain");
      // One option represents all options of equal value.
      const values = new Set();
      const first = (o) => o.value == null || (!values.has(o.value) && values.add(o.value));
      const shown = kept.length ? kept.filter(first) : own;
      const folded = own.filter((o) => !shown.includes(o));
      parts.push(...shown.map((o) => node(o, p, found.players)));
      if (folded.length) {
        const rest = el("div", { class: "node folded", "data-player": String(p) });
        const open = el("button", { type: "button", class: "face fold", "aria-expanded": "false" }, words.tree.folded(folded.length));
        open.onclick = () => {
          const all = folded.map((o) => node(o, p, found.players));
          rest.replaceWith(...all);
          all[0]?.querySelector("button")?.focus();
          wires();
        };
        rest.append(open);
        parts.push(rest);
      }
    });
    if (found.hidden) parts.push(el("small", {}, words.more(found.hidden)));
    kids.replaceChildren(...parts);
    if (!parts.length) {
      button.dataset.end = "yes";
      button.append(el("small", {}, words.tree.end));
    }
    kids.hidden = !parts.length;
    button.setAttribute("aria-expanded", String(!!parts.length));
    wires();
  }

  /** Lines from each node to its children: Left's to the left in blue, Right's in red. */
  function wires() {
    const box = inner.getBoundingClientRect();
    if (!box.width) return;
    lines.setAttribute("viewBox", `0 0 ${box.width} ${box.height}`);
    lines.setAttribute("width", box.width);
    lines.setAttribute("height", box.height);
    const all = [];
    for (const item of inner.querySelectorAll(".node")) {
      const parent = item.parentElement.closest(".node");
      if (!parent || !item.offsetParent) continue;
      const a = parent.querySelector(":scope > button").getBoundingClientRect();
      const b = item.querySelector(":scope > button").getBoundingClientRect();
      const line = document.createElementNS("http://www.w3.org/2000/svg", "line");
      line.setAttribute("x1", a.left + a.width / 2 - box.left);
      line.setAttribute("y1", a.bottom - box.top);
      line.setAttribute("x2", b.left + b.width / 2 - box.left);
      line.setAttribute("y2", b.top - box.top);
      line.setAttribute("class", `p${Math.min(2, Number(item.dataset.player))}`);
      all.push(line);
    }
    lines.replaceChildren(...all);
  }

  let asked = 0;
  async function select(button, told) {
    inner.querySelector(".chosen")?.classList.remove("chosen");
    button.classList.add("chosen");
    chosen = told.text;
    const mine = ++asked;
    const plus = el("button", { type: "button", onclick: () => add(told.text) }, words.sum.add);
    const found = await ask({ do: "thermograph", expression: told.text });
    if (mine !== asked) return;
    clearPictures(side);
    const facts = Object.entries(words.facts).filter(([k]) => found[k] !== undefined);
    side.replaceChildren(
      el("code", {}, told.text),
      ...(found.error ? [el("p", {}, found.error)] : [picture(found.picture), el("dl", {}, ...facts.flatMap(([k, name]) => [el("dt", {}, name), el("dd", {}, found[k])]))]),
      plus,
    );
  }

  async function restart() {
    const mine = ++turn;
    drawWhich();
    const found = await ask({ do: "tree", expression: start, want: form ? "form" : "" });
    if (mine !== turn) return;
    clearPictures(inner);
    if (found.error) return inner.replaceChildren(el("p", {}, found.error));
    const root = node({ ...found, text: found.text ?? start }, undefined, found.players);
    inner.replaceChildren(lines, root);
    const button = root.querySelector("button");
    unfold(root, button, root.querySelector(".kids"), found);
    graph.scrollLeft = (graph.scrollWidth - graph.clientWidth) / 2;
    select(button, { text: found.text ?? start });
  }

  addEventListener("resize", () => wires());
  inner.addEventListener("load", wires, true);
  return {
    show(expression) {
      if (expression === start && inner.childElementCount) return wires();
      start = expression;
      restart();
    },
    chosen: () => chosen,
  };
}
