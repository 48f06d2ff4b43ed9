#!/usr/bin/env python3
"""A client of `cgdsl lsp` that shares no code with the server: it works on several files as a person does, who types, pastes, takes back, applies fixes, renames and lays out.

    editors/session.py PROGRAM [EDITS [SEED]]

Every few hundred edits, what the server says of each text is held against what a new server says that opens the texts as they stand. The server may not end, refuse a
question that is well put, or send an edit that does not fit the text."""

import json, queue, random, re, subprocess, sys, tempfile, threading, time
from pathlib import Path

PROGRAM = sys.argv[1]
EDITS = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 2026
RULESETS = Path(__file__).resolve().parent.parent / "rulesets"


class Server:
    def __init__(self, options):
        self.process = subprocess.Popen([PROGRAM, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.heard, self.number, self.said, self.answers = queue.Queue(), 0, {}, {}
        threading.Thread(target=self.listen, daemon=True).start()
        self.capabilities = self.ask("initialize", {"capabilities": {}, "initializationOptions": options})["capabilities"]
        self.tell("initialized", {})

    def listen(self):
        out = self.process.stdout
        while True:
            length = None
            while line := out.readline().strip():
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            if length is None:
                return self.heard.put(None)
            self.heard.put(json.loads(out.read(length)))

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=bool(self.number % 2)).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def tell(self, method, params):
        self.send({"method": method, "params": params})

    def hear(self, timeout):
        message = self.heard.get(timeout=timeout)
        assert message is not None, f"the server has ended: {self.process.wait()}"
        if message.get("method") == "textDocument/publishDiagnostics":
            p = message["params"]
            self.said[p["uri"]] = (p.get("version"), p["diagnostics"])
        elif "method" in message and "id" in message:
            self.send({"id": message["id"], "result": None})
        elif "id" in message:
            self.answers[message["id"]] = message

    def ask(self, method, params):
        self.number += 1
        number = self.number
        self.send({"id": number, "method": method, "params": params})
        while number not in self.answers:
            self.hear(120)
        answer = self.answers.pop(number)
        assert "error" not in answer, f"{method}: {answer['error']}\n{params}"
        return answer["result"]

    def diagnostics(self, uri, version):
        while self.said.get(uri, (None, None))[0] != version:
            self.hear(120)
        return self.said[uri][1]

    def end(self):
        self.ask("shutdown", None)
        self.tell("exit", None)
        assert self.process.wait(timeout=20) == 0


def units(text):
    return len(text.encode("utf-16-le")) // 2


class File:
    """A text with places as the protocol counts them."""

    def __init__(self, uri, text):
        self.uri, self.text, self.version, self.past = uri, text, 1, []

    def place(self, at):
        lines = re.split("\r\n|\n|\r", self.text[:at])
        return {"line": len(lines) - 1, "character": units(lines[-1])}

    def offset(self, place):
        ends = [0] + [m.end() for m in re.finditer("\r\n|\n|\r", self.text)]
        assert place["line"] < len(ends), f"line {place['line']} of {len(ends)}"
        start = ends[place["line"]]
        line = re.split("[\r\n]", self.text[start:], maxsplit=1)[0]
        at, wide = start, 0
        for c in line:
            if wide >= place["character"]:
                break
            wide, at = wide + units(c), at + 1
        assert wide == place["character"], f"column {place['character']} of {line!r}"
        return at


class Person:
    def __init__(self, folder):
        self.random = random.Random(SEED)
        self.server = Server({"trusted": False})
        paths = sorted(RULESETS.rglob("*.rules"), key=lambda p: p.name)
        chosen = [p for p in self.random.sample(paths, 40) if len(p.read_text()) < 5000][:5]
        self.lines = [line for p in chosen for line in p.read_text().splitlines(keepends=True)]
        self.lines += ["eval Nim[3]\n", "let double(k) = 2*k\n", 'use "nim"\n', "// 😀 é 𝒢\n", "assert *2 == *2\r\n", "  where k <= n,\n"]
        self.files = []
        for n, p in enumerate(chosen):
            (folder / p.name).write_text(p.read_text())
            self.files.append(File((folder / p.name).as_uri(), p.read_text()))
        for f in self.files:
            self.server.tell("textDocument/didOpen", {"textDocument": {"uri": f.uri, "languageId": "cgdsl", "version": 1, "text": f.text}})
        self.done, self.fixed, self.compared = 0, 0, 0

    def change(self, f, edits, remember=True):
        """Edits of (from, to, text), which do not overlap, in one message: from the last to the first."""
        changes = []
        if remember:
            f.past = [*f.past[-30:], f.text]
        for start, end, text in sorted(edits, reverse=True):
            changes.append({"range": {"start": f.place(start), "end": f.place(end)}, "text": text})
            f.text = f.text[:start] + text + f.text[end:]
        f.version += 1
        self.done += 1
        self.server.tell("textDocument/didChange", {"textDocument": {"uri": f.uri, "version": f.version}, "contentChanges": changes})

    def apply(self, f, edits):
        found = [(f.offset(e["range"]["start"]), f.offset(e["range"]["end"]), e["newText"]) for e in edits or []]
        for (_, end, _), (start, _, _) in zip(sorted(found), sorted(found)[1:]):
            assert end <= start, "edits overlap"
        if found:
            self.change(f, found)

    def caret(self, f):
        at = self.random.randint(0, len(f.text))
        # Nobody puts a caret between the two signs of a line's end.
        return at + 1 if f.text[at - 1 : at + 1] == "\r\n" else at

    def at(self, f, where):
        return {"textDocument": {"uri": f.uri}, "position": f.place(where)}

    def types(self, f):
        at = self.caret(f)
        for sign in self.random.choice([" where", "k", "(1, 2)", "\n  ", "\n", "eval ", "Nim[3", "]", " = ", "a -- b", '"', "// x", "{*|", "claim for n in 1..3: n = n\n", "∗2", "𝒢", "ä"]):
            self.change(f, [(at, at, sign)])
            at += 1
            if sign == "\n" and self.server.capabilities.get("documentOnTypeFormattingProvider"):
                self.apply(f, self.server.ask("textDocument/onTypeFormatting", {**self.at(f, at), "ch": "\n", "options": {"tabSize": 2, "insertSpaces": True}}))
                break

    def deletes(self, f):
        words = [m.span() for m in re.finditer(r"\w+|[^\w\s]|[ \t]+", f.text)]
        if words:
            self.change(f, [(*self.random.choice(words), "")])

    def pastes(self, f):
        starts = [0] + [m.end() for m in re.finditer("\r\n|\n|\r", f.text)]
        at = self.random.choice(starts)
        first = self.random.randrange(len(self.lines))
        self.change(f, [(at, at, "".join(self.lines[first : first + self.random.randint(1, 6)]))])

    def swaps(self, f):
        words = [m.span() for m in re.finditer(r"\w+", f.text)]
        if len(words) > 1:
            (a, b), (c, d) = sorted(self.random.sample(words, 2))
            self.change(f, [(a, b, f.text[c:d]), (c, d, f.text[a:b])])

    def takes_back(self, f):
        for _ in range(self.random.randint(1, 12)):
            if f.past:
                self.change(f, [(0, len(f.text), f.past.pop())], remember=False)

    def fixes(self, f):
        whole = {"start": {"line": 0, "character": 0}, "end": f.place(len(f.text))}
        actions = self.server.ask("textDocument/codeAction", {"textDocument": {"uri": f.uri}, "range": whole, "context": {"diagnostics": []}})
        if actions:
            changes = self.random.choice(actions)["edit"]["changes"]
            assert list(changes) == [f.uri], changes
            self.apply(f, changes[f.uri])
            self.fixed += 1

    def lays_out(self, f):
        options = {"textDocument": {"uri": f.uri}, "options": {"tabSize": 2, "insertSpaces": True}}
        self.apply(f, self.server.ask("textDocument/formatting", options))
        again = self.server.ask("textDocument/formatting", options)
        assert not again, f"the layout of a layout differs: {again[:1]}\n{f.text}"

    def renames(self, f):
        words = [m for m in re.finditer(r"[A-Za-z]\w*", f.text)]
        if not words:
            return
        m = self.random.choice(words)
        if not self.server.ask("textDocument/prepareRename", self.at(f, m.start())):
            return
        name = f"renamed_{self.done}"
        changes = self.server.ask("textDocument/rename", {**self.at(f, m.start()), "newName": name})["changes"]
        for other in self.files:
            if other.uri in changes:
                self.apply(other, changes[other.uri])
        # Where it stands now it is found again.
        at = f.text.find(name)
        if at >= 0:
            self.server.ask("textDocument/definition", self.at(f, at))

    def completes(self, f):
        at = self.caret(f)
        found = self.server.ask("textDocument/completion", self.at(f, at))
        items = (found or {}).get("items", [])
        if items:
            edit = self.random.choice(items)["textEdit"]
            assert f.offset(edit["range"]["start"]) <= at
            self.apply(f, [edit])

    def looks(self, f):
        what = self.random.choice(["hover", "signatureHelp", "definition", "documentHighlight", "references"])
        context = {"context": {"includeDeclaration": True}} if what == "references" else {}
        self.server.ask(f"textDocument/{what}", {**self.at(f, self.caret(f)), **context})
        what = self.random.choice(["documentSymbol", "foldingRange", "semanticTokens/full", "codeLens"])
        self.server.ask(f"textDocument/{what}", {"textDocument": {"uri": f.uri}})
        if self.server.capabilities.get("workspaceSymbolProvider"):
            self.server.ask("workspace/symbol", {"query": self.random.choice(["", "n", "Nim", "x"])})

    def starts_again(self, f):
        """The file as it was at first, saved, closed and opened."""
        self.server.tell("textDocument/didClose", {"textDocument": {"uri": f.uri}})
        f.version += 1
        f.text = Path(f.uri.removeprefix("file://")).read_text()
        self.server.tell("textDocument/didOpen", {"textDocument": {"uri": f.uri, "languageId": "cgdsl", "version": f.version, "text": f.text}})

    def compare(self):
        fresh = Server({"trusted": False})
        for f in self.files:
            fresh.tell("textDocument/didOpen", {"textDocument": {"uri": f.uri, "languageId": "cgdsl", "version": 1, "text": f.text}})
        for f in self.files:
            # What is said of a text changes with the files that it uses, under the same version: the last word counts.
            deadline = time.monotonic() + 30
            while (known := self.server.diagnostics(f.uri, f.version)) != (new := fresh.diagnostics(f.uri, 1)):
                assert time.monotonic() < deadline, f"{f.uri} after {self.done} edits\n{f.text}\n--- known\n{known}\n--- fresh\n{new}"
                for server in (self.server, fresh):
                    try:
                        server.hear(0.5)
                    except queue.Empty:
                        pass
        fresh.end()
        self.compared += 1

    def work(self):
        habits = [(self.types, 30), (self.deletes, 14), (self.pastes, 8), (self.swaps, 5), (self.takes_back, 6), (self.fixes, 5), (self.lays_out, 3), (self.renames, 3), (self.completes, 4), (self.looks, 6), (self.starts_again, 1)]
        next_look = EDITS // 25
        while self.done < EDITS:
            f = self.random.choice(self.files)
            if len(f.text) > 12_000:
                self.starts_again(f)
            self.random.choices([h for h, _ in habits], [w for _, w in habits])[0](f)
            if self.done >= next_look:
                next_look += EDITS // 25
                self.compare()
        self.compare()
        self.server.end()
        print(f"{self.done} edits in {len(self.files)} files, {self.fixed} fixes applied; compared {self.compared} times with a new server")


with tempfile.TemporaryDirectory() as folder:
    Person(Path(folder)).work()
