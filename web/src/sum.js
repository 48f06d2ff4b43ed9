// A sum of positions that are dragged or sent here, each with a sign and a multiplicity; its value and its thermograph are
// shown.
import { clearPictures, el, picture } from "./answers.js";
import { words } from "./words.js";

const MOST = 99;

export function createSum(place, { ask, write, show }) {
  /** @type {{text: string, sign: number, count: number}[]} */
  let terms = [];
  let asked = 0;
  const list = el("ul", { class: "terms", "aria-label": words.sum.terms });
  const total = el("div", { class: "total", role: "status" });
  const entry = el("input", { type: "text", "aria-label": words.sum.entry, placeholder: words.sum.entry });
  const form = el("form", { class: "controls", onsubmit: (e) => (e.preventDefault(), entry.value.trim() && add(entry.value.trim()), (entry.value = "")) }, entry, el("button", {}, words.sum.plus));
  place.append(el("p", { class: "more" }, words.sum.help), list, form, total);

  place.ondragover = (e) => {
    e.preventDefault();
    place.classList.add("over");
  };
  place.ondragleave = () => place.classList.remove("over");
  place.ondrop = (e) => {
    e.preventDefault();
    place.classList.remove("over");
    const text = e.dataTransfer.getData("text/plain").trim();
    if (text && text.length < 10_000) add(text);
  };

  function add(text) {
    const known = terms.find((t) => t.text === text && t.sign > 0);
    if (known && known.count < MOST) known.count++;
    else terms.push({ text, sign: 1, count: 1 });
    draw();
  }

  const expression = () =>
    terms
      .map(({ text, sign, count }, i) => {
        const one = `${count > 1 ? `${count} * ` : ""}${/^[\p{L}\p{N}_]+(\([^()]*\))?\[[^\]]*\]$/u.test(text) ? text : `(${text})`}`;
        return i ? `${sign < 0 ? " - " : " + "}${one}` : sign < 0 ? `-${one}` : one;
      })
      .join("");

  async function draw() {
    list.replaceChildren(
      ...terms.map((t, i) =>
        el(
          "li",
          {},
          el("button", { type: "button", "aria-label": words.sum.sign(t.text), "aria-pressed": String(t.sign < 0), onclick: () => ((t.sign = -t.sign), draw()) }, t.sign < 0 ? "−" : "+"),
          el("input", { type: "number", min: "1", max: String(MOST), value: String(t.count), "aria-label": words.sum.count(t.text), onchange: (e) => ((t.count = Math.max(1, Math.min(MOST, Math.round(Number(e.target.value) || 1)))), draw()) }),
          el("code", {}, t.text),
          el("button", { type: "button", "aria-label": words.sum.remove(t.text), onclick: () => (terms.splice(i, 1), draw()) }, "✕"),
        ),
      ),
    );
    const mine = ++asked;
    if (!terms.length) return clear();
    const text = expression();
    const found = await ask({ do: "thermograph", expression: text });
    if (mine !== asked) return;
    clearPictures(total);
    const facts = Object.entries(words.facts).filter(([k]) => found[k] !== undefined);
    total.replaceChildren(
      el("p", {}, el("code", {}, text), found.error ? `: ${found.error}` : [" = ", found.value].join("")),
      ...(found.error ? [] : [el("div", { class: "board" }, picture(found.picture), el("dl", {}, ...facts.flatMap(([k, name]) => [el("dt", {}, name), el("dd", {}, found[k])])))]),
      el("div", { class: "buttons" }, el("button", { type: "button", onclick: () => write(text) }, words.sum.write), el("button", { type: "button", onclick: () => show(text) }, words.sum.show), el("button", { type: "button", onclick: () => ((terms = []), draw()) }, words.sum.clear)),
    );
  }

  function clear() {
    clearPictures(total);
    total.replaceChildren();
  }
  return { add };
}
