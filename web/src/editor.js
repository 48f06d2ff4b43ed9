// CodeMirror, connected to the engine: tokens of the language's own lexer, messages with fixes, completions, explanations of
// names, and verdicts beside their lines.
import { basicSetup } from "codemirror";
import { EditorState, StateEffect, StateField, RangeSet } from "@codemirror/state";
import { Decoration, EditorView, GutterMarker, gutter, hoverTooltip, keymap } from "@codemirror/view";
import { setDiagnostics } from "@codemirror/lint";
import { autocompletion } from "@codemirror/autocomplete";
import { indentWithTab } from "@codemirror/commands";
import { el } from "./answers.js";

const SIGNS = { held: "✓", failed: "✗", unknown: "?", broken: "!", skipped: "·" };

const setTokens = StateEffect.define();
const setVerdicts = StateEffect.define();

const marks = Object.fromEntries(["comment", "doc", "text", "wrong", "integer", "name", "keyword", "bracket", "sign"].map((c) => [c, Decoration.mark({ class: `t-${c}` })]));

const tokens = StateField.define({
  create: () => Decoration.none,
  update(old, tr) {
    for (const e of tr.effects) if (e.is(setTokens)) return e.value;
    return old.map(tr.changes);
  },
  provide: (f) => EditorView.decorations.from(f),
});

class Verdict extends GutterMarker {
  constructor(status, title) {
    super();
    this.status = status;
    this.title = title;
  }
  eq(other) {
    return other.status === this.status && other.title === this.title;
  }
  toDOM() {
    return el("span", { class: `v-${this.status}`, title: this.title }, SIGNS[this.status]);
  }
}

const verdicts = StateField.define({
  create: () => RangeSet.empty,
  update(old, tr) {
    for (const e of tr.effects) if (e.is(setVerdicts)) return e.value;
    return old.map(tr.changes);
  },
});

const setTracked = StateEffect.define();

/** The range that the board follows, moved along with the text. */
const tracked = StateField.define({
  create: () => null,
  update(old, tr) {
    for (const e of tr.effects) if (e.is(setTracked)) return e.value;
    if (!old || !tr.docChanged) return old;
    const range = { from: tr.changes.mapPos(old.from, 1), to: tr.changes.mapPos(old.to, -1) };
    return range.from < range.to ? range : null;
  },
});

export function createEditor(parent, { changed, lex, complete, hover, run }) {
  let silent = false;

  async function color(text) {
    try {
      const found = await lex(text);
      if (view.state.doc.toString() !== text) return;
      const ranges = found.tokens.filter(([c]) => marks[c]).map(([c, from, to]) => marks[c].range(from, to));
      view.dispatch({ effects: setTokens.of(Decoration.set(ranges)) });
    } catch {
      // No colours until the next edit.
    }
  }

  async function completions(context) {
    const word = context.matchBefore(/[\p{L}_][\p{L}\p{N}_']*/u);
    if (!word && !context.explicit) return null;
    try {
      const { options } = await complete(context.state.doc.toString(), context.pos);
      return {
        from: word?.from ?? context.pos,
        options: options.map((o) => ({ label: o.label, detail: o.detail.length < 60 ? o.detail : "", info: o.info || undefined, boost: o.own ? 10 : 0 })),
        validFor: /^[\p{L}_][\p{L}\p{N}_']*$/u,
      };
    } catch {
      return null;
    }
  }

  const note = hoverTooltip(async (view, at) => {
    let found;
    try {
      found = await hover(view.state.doc.toString(), at);
    } catch {
      return null;
    }
    if (!found || !(found.doc || found.signature)) return null;
    return {
      pos: found.from,
      end: found.to,
      above: true,
      create: () => ({ dom: el("div", { class: "note" }, el("code", {}, found.signature || `${found.what} ${found.name}`), el("p", {}, found.doc)) }),
    };
  });

  const view = new EditorView({
    parent,
    state: EditorState.create({
      extensions: [
        keymap.of([{ key: "Mod-Enter", run: () => (run(), true) }]),
        gutter({ class: "verdicts", markers: (v) => v.state.field(verdicts) }),
        basicSetup,
        keymap.of([indentWithTab]),
        tokens,
        verdicts,
        tracked,
        autocompletion({ override: [completions] }),
        note,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": "Rules", spellcheck: "false", autocapitalize: "off" }),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged) return;
          const text = update.state.doc.toString();
          color(text);
          if (!silent) changed(text);
        }),
      ],
    }),
  });
  const clamp = (at) => Math.max(0, Math.min(at, view.state.doc.length));
  return {
    text: () => view.state.doc.toString(),
    set(text) {
      if (text === view.state.doc.toString()) return;
      silent = true;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
      silent = false;
      changed(text);
    },
    focus: () => view.focus(),
    apply(edits) {
      const changes = edits.map((e) => ({ from: clamp(e.from), to: clamp(e.to), insert: e.text }));
      view.dispatch({ changes });
      view.focus();
    },
    select(from, to) {
      view.dispatch({ selection: { anchor: clamp(from), head: clamp(to) }, scrollIntoView: true });
      view.focus();
    },
    goto(line) {
      const { from } = view.state.doc.line(Math.max(1, Math.min(line, view.state.doc.lines)));
      view.dispatch({ selection: { anchor: from }, scrollIntoView: true });
      view.focus();
    },
    /** Follows a range from now on; `null` ends that. */
    track: (range) => view.dispatch({ effects: setTracked.of(range) }),
    tracked() {
      const range = view.state.field(tracked);
      return range && view.state.sliceDoc(range.from, range.to);
    },
    /** Writes into the range that is followed; whether there is one. */
    replaceTracked(text) {
      const range = view.state.field(tracked);
      if (!range) return false;
      view.dispatch({ changes: { ...range, insert: text }, effects: setTracked.of({ from: range.from, to: range.from + text.length }) });
      return true;
    },
    /** Adds lines at the end. */
    append(text) {
      const { length } = view.state.doc;
      const gap = length && view.state.sliceDoc(length - 1) !== "\n" ? "\n" : "";
      view.dispatch({ changes: { from: length, insert: gap + text } });
    },
    /** Where an expression stands that begins on or after a line; `null` where it is not written so. */
    find(line, expression) {
      const from = view.state.doc.line(Math.max(1, Math.min(line, view.state.doc.lines))).from;
      const at = view.state.doc.toString().indexOf(expression, from);
      return at < 0 ? null : { from: at, to: at + expression.length };
    },
    lineAt: (at) => view.state.doc.lineAt(clamp(at)).number,
    diagnose(all) {
      const shown = all
        .filter((d) => !d.elsewhere)
        .map((d) => ({
          from: clamp(d.from),
          to: clamp(d.to),
          severity: d.severity === "note" ? "info" : d.severity,
          message: [d.message, ...d.help].join("\n"),
          // The places are still valid: CodeMirror drops the messages when the text changes.
          actions: d.fixes.map((f) => ({ name: f.message, apply: () => this.apply(f.edits) })),
        }));
      view.dispatch(setDiagnostics(view.state, shown));
    },
    verdicts(all) {
      const ranges = new Map();
      for (const v of all) {
        if (v.line > view.state.doc.lines) continue;
        const { from } = view.state.doc.line(v.line);
        // The first item that does not hold determines the mark of the line.
        if (!ranges.has(from) || ranges.get(from).status === "held") ranges.set(from, v);
      }
      const set = RangeSet.of([...ranges].map(([from, v]) => new Verdict(v.status, v.title).range(from)), true);
      view.dispatch({ effects: setVerdicts.of(set) });
    },
  };
}
