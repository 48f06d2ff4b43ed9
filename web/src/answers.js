// Turns items of the engine's JSON into DOM nodes. Text is set as text; a picture is an image made from a blob, in which no
// script runs.
import { words } from "./words.js";

export function el(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") node[key] = value;
    else node.setAttribute(key, value);
  }
  node.append(...children);
  return node;
}

/** A text of the engine's, in which code stands between backticks. */
export function prose(text) {
  const parts = text.split("`");
  // A backtick without a partner is literal.
  if (parts.length % 2 === 0) return [text];
  return parts.map((part, i) => (i % 2 ? el("q", {}, part) : part));
}

const urls = new WeakMap();

export function picture(drawn) {
  const url = URL.createObjectURL(new Blob([drawn.svg], { type: "image/svg+xml" }));
  const img = el("img", { alt: drawn.description || drawn.text, src: url });
  urls.set(img, url);
  return img;
}

/** Gives the pictures below a node back. */
export function clearPictures(node) {
  for (const img of node.querySelectorAll("img")) if (urls.has(img)) URL.revokeObjectURL(urls.get(img));
}

const term = (name, value) => [el("dt", {}, name), el("dd", {}, value)];

function instance(i, shown) {
  const said = i.bindings.map((b) => `${b.name} = ${b.value}`).join(", ");
  const found = i.found.map((b) => el("li", {}, el("code", {}, b.name), " = ", b.value));
  return el("div", { class: "instance" }, said, ...(found.length ? [el("ul", {}, ...found)] : []), ...shown);
}

function table(rows, names, expression) {
  const cell = (text) => el("td", {}, text ?? "?");
  const head = el("tr", {}, ...[...names, expression].map((n) => el("th", { scope: "col" }, n)));
  const most = 200;
  const body = rows.slice(0, most).map((r) => el("tr", {}, ...r.keys.map(cell), cell(r.value)));
  const all = el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": expression }, el("table", {}, el("thead", {}, head), el("tbody", {}, ...body)));
  return rows.length > most ? [all, el("p", { class: "more" }, words.more(rows.length - most))] : [all];
}

/** A button that asks once and shows what comes below itself. */
function asking(label, ask) {
  const button = el("button", { type: "button", class: "ask", "aria-expanded": "false" }, label);
  const below = el("div", { class: "below" });
  button.onclick = async () => {
    if (below.childElementCount) {
      below.hidden = !below.hidden;
      button.setAttribute("aria-expanded", String(!below.hidden));
      return;
    }
    button.disabled = true;
    try {
      below.replaceChildren(...(await ask()));
    } catch (e) {
      below.replaceChildren(el("p", { class: "broken" }, e.message));
    }
    button.disabled = false;
    button.setAttribute("aria-expanded", "true");
  };
  return [button, below];
}

/** A menu of formats; a click copies in one. */
export function copying(what, formats, copy) {
  const menu = el("details", { class: "menu" }, el("summary", { class: "ask" }, words.copy.label));
  const all = Object.entries(formats).map(([format, name]) => el("button", { type: "button", onclick: () => ((menu.open = false), copy(what, format, name)) }, name));
  menu.append(el("div", { class: "panel" }, ...all));
  menu.onkeydown = (e) => {
    if (e.key !== "Escape" || !menu.open) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  };
  menu.onfocusout = (e) => menu.contains(e.relatedTarget) || !e.relatedTarget || (menu.open = false);
  return menu;
}

/** The moves from a position; a click makes one, and the way back stands above. `way` holds the positions before. */
async function play(place, position, way, ask) {
  const found = JSON.parse(await ask({ do: "moves", expression: position }));
  const back = way.map((before, i) => el("button", { type: "button", class: "ask", onclick: () => go(before, way.slice(0, i)) }, i ? words.afterMove(i) : words.start));
  const here = way.length ? [el("p", { class: "way" }, ...back, el("code", {}, position))] : [];
  const sides = (found.players ?? []).map((p) => {
    const all = p.moves.map(({ move, picture: drawn }) =>
      el(
        "button",
        { type: "button", class: move.best ? "move best" : "move", title: words.make(p.player), onclick: () => go(move.text, [...way, position]) },
        drawn ? picture(drawn) : el("pre", {}, move.drawing.join("\n")),
        el("span", {}, move.value ?? ""),
      ),
    );
    const more = p.count > p.moves.length ? [el("p", { class: "more" }, words.more(p.count - p.moves.length))] : [];
    return el("section", {}, el("h4", {}, words.options(p.count, p.player)), el("div", { class: "moves" }, ...all), ...more);
  });
  clearPictures(place);
  place.replaceChildren(...here, ...(found.error ? [el("p", {}, found.error)] : sides));

  async function go(to, path) {
    const inside = place.contains(document.activeElement);
    try {
      await play(place, to, path, ask);
      if (inside) place.querySelector("button")?.focus();
    } catch (e) {
      place.append(el("p", { class: "broken" }, e.message));
    }
  }
}

function card(item, shown, ask, desk) {
  const facts = Object.entries(words.facts).filter(([k]) => item[k] !== undefined);
  const list = facts.flatMap(([k, name]) => term(name, item[k]));
  for (const c of item.coalitions ?? []) list.push(...term(words.coalition(c.first), c.minimal.length ? c.minimal.map((m) => m.join(" + ")).join(" or ") : words.nobodys));
  const [thermo, under] = asking(words.thermograph, async () => {
    const found = JSON.parse(await ask({ do: "thermograph", expression: item.expression }));
    return [found.picture ? picture(found.picture) : el("p", {}, found.error)];
  });
  const [list_, below] = asking(words.moves, async () => {
    const place = el("div", {});
    await play(place, item.expression, [], ask);
    return [place];
  });
  const buttons = item.value === undefined || item.coalitions?.length ? [list_] : [list_, thermo];
  const grip = el("button", { type: "button", class: "ask grip", draggable: "true", title: words.sum.help, onclick: () => desk.add(item) }, words.sum.add);
  grip.ondragstart = (e) => {
    e.dataTransfer.setData("text/plain", item.expression);
    e.dataTransfer.effectAllowed = "copy";
    desk.dragging();
  };
  const doors = ["board", "play", "tree"].map((tab) => el("button", { type: "button", class: `ask to-${tab}`, onclick: () => desk.open(item, tab) }, words.desk[tab]));
  buttons.unshift(...doors);
  if (!item.coalitions?.length) buttons.push(grip);
  buttons.push(copying(item.expression, words.copy.formats, desk.copy));
  return [
    el("div", { class: "board" }, el("div", { class: "pictures" }, ...(shown.length ? shown : [el("pre", {}, item.drawing.join("\n"))])), el("dl", {}, ...list)),
    el("div", { class: "buttons" }, ...buttons),
    below,
    under,
  ];
}

/** What became of an item, in words. */
export const verdict = ({ item, messages }) => (item.status === "skipped" ? words.skipped(messages.length > 0) : words.status[item.status]);

/** The node of an item, and what it says in short, to be compared with the next time. */
export function render(told, { old, line, ask, fix, desk }) {
  const { item } = told;
  const shown = told.pictures.map(picture);
  let title = item.expression ?? item.text ?? "";
  let value = "";
  let body = [];
  switch (item.kind) {
    case "card":
      value = item.value ?? item.outcome ?? "";
      body = card(item, shown, ask, desk);
      break;
    case "value":
      value = item.value;
      body = shown.length ? [el("div", { class: "pictures" }, ...shown)] : [];
      break;
    case "verdict": {
      title = item.name ? `${item.name}: ${item.text}` : item.text;
      value = verdict(told);
      const range = [item.range, item.range || item.instances > 1 ? words.instances(item.instances) : "", words.limit(item.limit ?? "")].filter(Boolean);
      if (range.length) body.push(el("p", { class: "range" }, range.join(" · ")));
      if (item.counterexample) body.push(instance(item.counterexample, shown));
      if (item.source) body.push(el("p", { class: "source" }, item.source.text));
      break;
    }
    case "table":
      title = item.name ? `${item.name}: ${item.expression}` : item.expression;
      body = shown.length ? [el("div", { class: "pictures" }, ...shown), el("details", {}, el("summary", {}, words.rows(item.rows.length)), ...table(item.rows, item.names, item.expression))] : table(item.rows, item.names, item.expression);
      value = "";
      if (item.source) body.push(el("p", { class: "source" }, item.source.text));
      break;
    case "search":
      value = words.instances(item.instances);
      body = [...item.found.slice(0, 50).map((i) => instance(i, [])), el("div", { class: "pictures" }, ...shown)];
      if (item.found.length > 50) body.push(el("p", { class: "more" }, words.more(item.found.length - 50)));
      break;
    default:
      value = verdict(told);
  }
  const compared = item.kind === "table" ? JSON.stringify(item.rows) : value;
  const changed = old !== undefined && old !== compared;
  const was = changed && item.kind !== "table" ? [el("del", {}, words.was(old))] : [];
  const said = told.messages.map((m) =>
    el(
      "div",
      { class: `problem ${m.severity}` },
      ...prose(words.limit(m.message)),
      ...m.notes.map((n) => el("pre", {}, words.limit(n))),
      ...m.help.map((h) => el("p", {}, ...prose(words.limit(h)))),
      ...(told.here ? m.fixes.map((f) => el("button", { type: "button", class: "fix", onclick: () => fix(f.edits) }, ...prose(words.fix(f.message)))) : []),
    ),
  );
  const multi = value.includes("\n");
  const node = el(
    "article",
    { class: `item ${item.kind} ${item.status}${changed ? " changed" : ""}` },
    el(
      "h3",
      {},
      el("button", { type: "button", class: "place", onclick: () => told.here && line(item.line), "aria-label": words.line(item.line) }, String(item.line)),
      el("code", {}, title),
      multi ? "" : el("span", { class: "value" }, value),
      ...was,
    ),
    ...(multi ? [el("pre", { class: "value" }, value)] : []),
    ...body,
    ...(item.limit && item.kind === "card" ? [el("p", { class: "range" }, words.limit(item.limit))] : []),
    ...said,
  );
  return { node, value: compared };
}
