"""Completion in cells of rules: a text and a place in it come in, and what may stand there goes out, by the language server of the program."""

from __future__ import annotations

import atexit
import json
import queue
import subprocess
import sys
import threading
from dataclasses import dataclass
from typing import Any

# A server that does not answer within this many seconds is ended.
_PATIENCE = 3.0
_CELL = "untitled:cell.rules"
_KINDS = {3: "function", 6: "variable", 7: "class", 14: "keyword", 17: "path"}


@dataclass(frozen=True)
class Completion:
    """What may replace the word before the cursor."""

    text: str
    kind: str
    """Such as ``function`` or ``keyword``; empty if there is no word for it."""


class Server:
    """The language server, in a process of its own. It ends when its input is closed."""

    def __init__(self) -> None:
        # A session of its own, since an interrupt of the notebook goes to all processes of its group.
        self._process = subprocess.Popen(
            [sys.executable, "-m", "cgdsl", "lsp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._answers: queue.Queue[dict[str, Any] | None] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()
        self._asked = 0
        self._ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        self._tell("initialized", {})
        document = {"uri": _CELL, "languageId": "cgdsl", "version": 0, "text": ""}
        self._tell("textDocument/didOpen", {"textDocument": document})

    def complete(self, text: str, line: int, column: int) -> tuple[str, list[Completion]]:
        """The word before a place, and what may replace it, the likeliest first. Lines and columns are from 0."""
        document = {"uri": _CELL, "version": self._asked}
        self._tell("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})
        before = text.split("\n")[line][:column]
        place = {"line": line, "character": len(before.encode("utf-16-le")) // 2}
        found = self._ask("textDocument/completion", {"textDocument": {"uri": _CELL}, "position": place})
        items = found["items"] if isinstance(found, dict) else found or []
        if not items:
            return "", []
        start = items[0]["textEdit"]["range"]["start"]["character"]
        word = before.encode("utf-16-le")[2 * start :].decode("utf-16-le")
        fits = [item for item in items if item["filterText"].startswith(word)]
        fits.sort(key=lambda item: str(item["sortText"]))
        return word, [Completion(item["textEdit"]["newText"], _KINDS.get(item.get("kind"), "")) for item in fits]

    def close(self) -> None:
        """Ends the process."""
        self._process.kill()
        self._process.wait()

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self._process.stdin.flush()

    def _tell(self, method: str, parameters: dict[str, Any]) -> None:
        self._send({"method": method, "params": parameters})

    def _ask(self, method: str, parameters: dict[str, Any]) -> Any:
        self._asked += 1
        self._send({"id": self._asked, "method": method, "params": parameters})
        while True:
            try:
                answer = self._answers.get(timeout=_PATIENCE)
            except queue.Empty:
                raise OSError("the language server does not answer") from None
            if answer is None:
                raise OSError("the language server has ended")
            # What else it sends, such as the messages on the text, is of no use here.
            if answer.get("id") == self._asked:
                return answer.get("result")

    def _listen(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        length = 0
        while line := stream.readline():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
            elif not line.strip():
                self._answers.put(json.loads(stream.read(length)))
        self._answers.put(None)


_server: Server | None = None
_lock = threading.Lock()


def complete(text: str, line: int, column: int) -> tuple[str, list[Completion]]:
    """As :meth:`Server.complete`, by a server that is started at the first question; nothing if it cannot be had."""
    global _server
    with _lock:
        try:
            if _server is None:
                _server = Server()
                atexit.register(_stop)
            return _server.complete(text, line, column)
        except OSError:
            _stop()
            return "", []


def _stop() -> None:
    global _server
    atexit.unregister(_stop)
    if _server is not None:
        _server.close()
        _server = None
