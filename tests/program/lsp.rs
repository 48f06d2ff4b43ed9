//! `cgdsl lsp` as an editor speaks to it: a client over the standard input and output.

use crate::program::Folder;
use cgdsl::base::utf16::{Utf16, byte_of_place};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How long an answer may take before a test fails, on a machine with much else to do.
const LONG: Duration = Duration::from_secs(60);

struct Client {
    child: Child,
    to: Option<ChildStdin>,
    from: Receiver<Value>,
    /// Notifications and requests of the server that nobody has looked at.
    heard: Vec<Value>,
    number: i32,
}

fn frames(from: impl Read, tell: impl Fn(Value) -> bool) {
    let mut from = BufReader::new(from);
    loop {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if from.read_line(&mut line).unwrap_or(0) == 0 {
                return;
            }
            match line.trim_end().strip_prefix("Content-Length: ") {
                Some(n) => length = n.parse().expect("a length"),
                None => break,
            }
        }
        let mut body = vec![0; length];
        if from.read_exact(&mut body).is_err() {
            return;
        }
        let value = serde_json::from_slice(&body).expect("JSON");
        if !tell(value) {
            return;
        }
    }
}

impl Client {
    /// A server to which nothing was said.
    fn bare() -> Client {
        let mut child = Command::new(env!("CARGO_BIN_EXE_cgdsl"))
            .args(["lsp", "--stdio"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let (tell, from) = channel();
        let out = child.stdout.take().expect("a pipe");
        std::thread::spawn(move || frames(out, |v| tell.send(v).is_ok()));
        Client {
            to: child.stdin.take(),
            child,
            from,
            heard: Vec::new(),
            number: 0,
        }
    }

    fn new(options: Value) -> Client {
        let mut client = Client::bare();
        let capabilities = json!({ "workspace": { "inlayHint": { "refreshSupport": true } } });
        let said = client.ask(
            "initialize",
            json!({ "capabilities": capabilities, "initializationOptions": options }),
        );
        assert_eq!(said["capabilities"]["positionEncoding"], "utf-16");
        client.tell("initialized", json!({}));
        client
    }

    fn raw(&mut self, bytes: &[u8]) {
        let to = self.to.as_mut().expect("open");
        to.write_all(bytes).expect("the server reads");
        to.flush().expect("the server reads");
    }

    fn send(&mut self, value: &Value) {
        let text = value.to_string();
        self.raw(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
    }

    fn tell(&mut self, method: &str, parameters: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": parameters }));
    }

    fn start(&mut self, method: &str, parameters: Value) -> i32 {
        self.number += 1;
        let id = self.number;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": parameters }));
        id
    }

    /// The next message of which something holds; others are kept if nobody has asked for them.
    fn wait(&mut self, what: &str, holds: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.heard.iter().position(&holds) {
            return self.heard.remove(at);
        }
        let until = Instant::now() + LONG;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.from.recv_timeout(left) {
                Ok(value) if holds(&value) => return value,
                Ok(value) => self.heard.push(value),
                Err(e) => panic!("{what}: {e}; heard {:?}", self.heard),
            }
        }
    }

    fn reply(&mut self, id: i32) -> Value {
        self.wait("an answer", |v| v["id"] == id && v.get("method").is_none())
    }

    fn ask(&mut self, method: &str, parameters: Value) -> Value {
        let id = self.start(method, parameters);
        let reply = self.reply(id);
        assert!(reply.get("error").is_none(), "{method}: {reply}");
        reply["result"].clone()
    }

    fn refused(&mut self, method: &str, parameters: Value) -> i64 {
        let id = self.start(method, parameters);
        let reply = self.reply(id);
        reply["error"]["code"]
            .as_i64()
            .unwrap_or_else(|| panic!("{method} was answered: {reply}"))
    }

    fn open(&mut self, uri: &str, text: &str) {
        self.tell(
            "textDocument/didOpen",
            json!({ "textDocument": { "uri": uri, "languageId": "rules", "version": 1, "text": text } }),
        );
    }

    fn replace(&mut self, uri: &str, version: i32, text: &str) {
        self.tell(
            "textDocument/didChange",
            json!({ "textDocument": { "uri": uri, "version": version }, "contentChanges": [{ "text": text }] }),
        );
    }

    /// The messages on a version of a text.
    fn diagnostics(&mut self, uri: &str, version: i32) -> Vec<Value> {
        let said = self.wait("diagnostics", |v| {
            v["method"] == "textDocument/publishDiagnostics"
                && v["params"]["uri"] == uri
                && v["params"]["version"] == version
        });
        said["params"]["diagnostics"]
            .as_array()
            .expect("a list")
            .clone()
    }

    /// Waits until an evaluation has ended.
    fn idle(&mut self) {
        self.wait("the end of an evaluation", |v| {
            v["method"] == "cgdsl/status" && v["params"]["state"] == "idle"
        });
    }

    /// Whether nothing of a kind is said for a while.
    fn silent(&mut self, time: Duration, method: &str) -> bool {
        let until = Instant::now() + time;
        loop {
            match self
                .from
                .recv_timeout(until.saturating_duration_since(Instant::now()))
            {
                Ok(value) => self.heard.push(value),
                Err(RecvTimeoutError::Timeout) => break,
                Err(e) => panic!("{e}"),
            }
        }
        !self.heard.iter().any(|v| v["method"] == method)
    }

    fn shut(mut self) {
        assert_eq!(self.ask("shutdown", Value::Null), Value::Null);
        assert_eq!(self.refused("textDocument/hover", json!({})), -32600);
        self.tell("exit", Value::Null);
        assert_eq!(self.code(), 0);
    }

    /// The exit code; the standard error holds no panic.
    fn code(&mut self) -> i32 {
        let until = Instant::now() + LONG;
        let status = loop {
            match self.child.try_wait().expect("a child") {
                Some(status) => break status,
                None if Instant::now() > until => panic!("it does not end"),
                None => std::thread::sleep(Duration::from_millis(5)),
            }
        };
        let mut said = String::new();
        let mut err = self.child.stderr.take().expect("a pipe");
        err.read_to_string(&mut said).expect("text");
        assert!(!said.contains("panicked"), "{said}");
        status.code().expect("it ended by itself")
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn at(uri: &str, text: &str, needle: &str, further: usize) -> Value {
    let byte = text.find(needle).expect("it is there") + further;
    let (line, character) = Utf16::new(text).place(byte);
    json!({ "textDocument": { "uri": uri }, "position": { "line": line, "character": character } })
}

fn slice<'t>(text: &'t str, range: &Value) -> &'t str {
    let byte = |p: &Value| {
        let n = |v: &Value| usize::try_from(v.as_u64().expect("a number")).expect("small");
        byte_of_place(text, n(&p["line"]), n(&p["character"]))
    };
    &text[byte(&range["start"])..byte(&range["end"])]
}

const URI: &str = "file:///nowhere/a.rules";
const SNORT: &str = "/// Nobody may colour next to the other. 𝒢
ruleset Snort
  board  graph
  pieces x = Left, o = Right
  move by p:
    choose v
    where  at(v) = empty, no w in nbrs(v): at(w) = opponent(p)
    then   at(v) := p

let 𝒮hort(n) = path(n)  // é😀
eval Snort[a:x -- b -- c, b -- d]
claim \"short\" for n in 2..4: temperature(Snort[𝒮hort(n)]) > 0
";

#[test]
fn a_session_from_end_to_end() {
    let mut client =
        Client::new(json!({ "trusted": true, "commands": ["cgdsl.play", "cgdsl.showPicture"] }));
    client.open(URI, SNORT);
    assert_eq!(client.diagnostics(URI, 1), [] as [Value; 0]);
    client.idle();

    let everything =
        json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let document = json!({ "uri": URI });
    let hints = client.ask(
        "textDocument/inlayHint",
        json!({ "textDocument": document, "range": everything }),
    );
    let labels: Vec<&str> = hints
        .as_array()
        .expect("hints")
        .iter()
        .filter_map(|h| h["label"].as_str())
        .collect();
    // README, from Snort in Winning Ways: the card of this position.
    assert_eq!(labels, ["= {2|∗}", "held (3 instances)"]);
    assert_eq!(hints[0]["position"]["line"], 10);

    let lenses = client.ask("textDocument/codeLens", json!({ "textDocument": document }));
    let titles: Vec<&str> = lenses
        .as_array()
        .expect("lenses")
        .iter()
        .filter_map(|l| l["command"]["title"].as_str())
        .collect();
    assert_eq!(titles, ["evaluate", "picture", "play", "evaluate"]);
    let command = |name: &str| json!({ "command": name, "arguments": [URI, 10] });
    let card = client.ask("workspace/executeCommand", command("cgdsl.card"));
    assert!(
        card.as_str().is_some_and(|c| c.contains("L-position")),
        "{card}"
    );
    let svg = client.ask("workspace/executeCommand", command("cgdsl.picture"));
    assert!(svg.as_str().is_some_and(|c| c.starts_with("<svg")), "{svg}");

    let hover = client.ask("textDocument/hover", at(URI, SNORT, "Snort[a", 1));
    let said = hover["contents"]["value"].as_str().expect("text");
    assert!(
        said.contains("Nobody may colour") && said.contains("temperature"),
        "{said}"
    );
    assert_eq!(slice(SNORT, &hover["range"]), "Snort");
    let hover = client.ask("textDocument/hover", at(URI, SNORT, "temperature", 1));
    assert!(
        hover["contents"]["value"]
            .as_str()
            .is_some_and(|t| t.contains("function")),
        "{hover}"
    );

    let found = client.ask("textDocument/definition", at(URI, SNORT, "𝒮hort(n)]", 6));
    assert_eq!(slice(SNORT, &found["range"]), "𝒮hort");
    assert_eq!(found["range"]["start"]["line"], 9);
    let mut place = at(URI, SNORT, "𝒮hort(n)]", 0);
    place["context"] = json!({ "includeDeclaration": true });
    let found = client.ask("textDocument/references", place);
    assert_eq!(found.as_array().map(Vec::len), Some(2), "{found}");

    let mut place = at(URI, SNORT, "𝒮hort(n)]", 0);
    place["newName"] = json!("court");
    let changes = client.ask("textDocument/rename", place.clone());
    assert_eq!(
        apply(SNORT, &changes["changes"][URI]),
        SNORT.replace("𝒮hort", "court")
    );
    for taken in ["Snort", "value", "no name", "choose", "", "from"] {
        place["newName"] = json!(taken);
        assert_eq!(
            client.refused("textDocument/rename", place.clone()),
            -32803,
            "{taken}"
        );
    }
    let range = client.ask("textDocument/prepareRename", at(URI, SNORT, "v\n", 0));
    assert_eq!(slice(SNORT, &range), "v");
    assert_eq!(
        client.ask("textDocument/prepareRename", at(URI, SNORT, "nbrs", 0)),
        Value::Null
    );

    let found = client.ask("textDocument/completion", at(URI, SNORT, "empty, no", 0));
    let first: Vec<&str> = found["items"]
        .as_array()
        .expect("a list")
        .iter()
        .take(5)
        .filter_map(|i| i["label"].as_str())
        .collect();
    assert!(
        first.contains(&"x") && first.contains(&"empty"),
        "{first:?}"
    );
    let help = client.ask("textDocument/signatureHelp", at(URI, SNORT, "Snort[𝒮", 0));
    assert_eq!(help["signatures"][0]["label"], "temperature(G)");

    let symbols = client.ask(
        "textDocument/documentSymbol",
        json!({ "textDocument": document }),
    );
    let names: Vec<&str> = symbols
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|s| s["name"].as_str())
        .collect();
    assert_eq!(names, ["Snort", "𝒮hort", "short"]);
    let folds = client.ask(
        "textDocument/foldingRange",
        json!({ "textDocument": document }),
    );
    assert!(
        folds
            .as_array()
            .expect("a list")
            .iter()
            .any(|f| f["startLine"] == 1 && f["endLine"] == 7),
        "{folds}"
    );
    let tokens = client.ask(
        "textDocument/semanticTokens/full",
        json!({ "textDocument": document }),
    );
    let words = spelled(SNORT, &tokens["data"]);
    assert_eq!(&words[1..4], ["ruleset", "Snort", "board"]);
    assert!(
        words.contains(&"// é😀".to_owned()) && words.contains(&"𝒮hort".to_owned()),
        "{words:?}"
    );

    let options = json!({ "tabSize": 2, "insertSpaces": true });
    let edits = client.ask(
        "textDocument/formatting",
        json!({ "textDocument": document, "options": options }),
    );
    assert_eq!(edits, json!([]), "it is laid out");
    client.shut();
}

/// Edits as a client applies them.
fn apply(text: &str, edits: &Value) -> String {
    let mut all: Vec<(usize, usize, &str)> = edits
        .as_array()
        .expect("a list")
        .iter()
        .map(|e| {
            let inside = slice(text, &e["range"]);
            let start = inside.as_ptr() as usize - text.as_ptr() as usize;
            (
                start,
                start + inside.len(),
                e["newText"].as_str().expect("text"),
            )
        })
        .collect();
    all.sort_unstable();
    let mut out = text.to_owned();
    for (start, end, new) in all.into_iter().rev() {
        out.replace_range(start..end, new);
    }
    out
}

/// The texts of semantic tokens.
fn spelled(text: &str, data: &Value) -> Vec<String> {
    let numbers: Vec<usize> = data
        .as_array()
        .expect("numbers")
        .iter()
        .map(|n| usize::try_from(n.as_u64().expect("a number")).expect("small"))
        .collect();
    let (mut line, mut column) = (0, 0);
    numbers
        .chunks(5)
        .map(|t| {
            column = if t[0] > 0 { t[1] } else { column + t[1] };
            line += t[0];
            let range = byte_of_place(text, line, column)..byte_of_place(text, line, column + t[2]);
            text[range].to_owned()
        })
        .collect()
}

#[test]
fn nothing_is_evaluated_before_the_folder_is_trusted() {
    let mut client = Client::new(json!({}));
    let text = "use \"nim\"\neval nimber(Nim[3, 5])\nslow assert nimber(Nim[1]) = 1\nassert nimber(Nim[2]) = 3\n";
    client.open(URI, text);
    client.diagnostics(URI, 1);
    assert!(client.silent(Duration::from_millis(600), "cgdsl/status"));
    let range =
        json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } });
    let hints = json!({ "textDocument": { "uri": URI }, "range": range });
    assert_eq!(
        client.ask("textDocument/inlayHint", hints.clone()),
        json!([])
    );
    let hover = client.ask("textDocument/hover", at(URI, text, "Nim[3", 1));
    assert!(!hover.to_string().contains("outcome"), "{hover}");

    // The user asks for one query.
    client.ask(
        "workspace/executeCommand",
        json!({ "command": "cgdsl.evaluate", "arguments": [URI, 1] }),
    );
    client.idle();
    let found = client.ask("textDocument/inlayHint", hints.clone());
    assert_eq!(found.as_array().map(Vec::len), Some(1), "{found}");
    assert_eq!(found[0]["label"], "= 6");
    assert_eq!(
        client.refused(
            "workspace/executeCommand",
            json!({ "command": "cgdsl.evaluate", "arguments": [URI, 0] })
        ),
        -32602
    );

    client.tell(
        "workspace/didChangeConfiguration",
        json!({ "settings": { "cgdsl": { "trusted": true } } }),
    );
    client.idle();
    let found = client.ask("textDocument/inlayHint", hints);
    let labels: Vec<&str> = found
        .as_array()
        .expect("hints")
        .iter()
        .filter_map(|h| h["label"].as_str())
        .collect();
    assert_eq!(labels.len(), 3, "{labels:?}");
    assert_eq!((labels[0], labels[1]), ("= 6", "skipped"));
    assert!(labels[2].starts_with("FAILED"), "{labels:?}");
    let wrong = client.wait("the failure", |v| {
        v["method"] == "textDocument/publishDiagnostics"
            && v["params"]["diagnostics"][0]["range"]["start"]["line"] == 3
    });
    assert_eq!(wrong["params"]["diagnostics"][0]["severity"], 1);
    client.shut();
}

#[test]
fn what_messages_suggest_can_be_applied() {
    let mut client = Client::new(json!({}));
    let text = "\u{feff}// é😀\nruleset Nim\n  board heaps\n  move by anyone: choose n, k in 0..n-1 then n -> [k]\n\neval 7 % 2\nassert nimber(Nmi[3]) = 3\n";
    client.open(URI, text);
    let found = client.diagnostics(URI, 1);
    let codes: Vec<&str> = found.iter().filter_map(|d| d["code"].as_str()).collect();
    assert!(codes.contains(&"E0201"), "{found:?}");
    let name = found
        .iter()
        .find(|d| d["code"] == "E0201")
        .expect("it is there");
    assert_eq!(slice(text, &name["range"]), "Nmi");
    let actions = |client: &mut Client, range: &Value, only: Option<&str>| {
        let mut context = json!({ "diagnostics": [] });
        if let Some(only) = only {
            context["only"] = json!([only]);
        }
        client.ask(
            "textDocument/codeAction",
            json!({ "textDocument": { "uri": URI }, "range": range, "context": context }),
        )
    };
    let found = actions(&mut client, &name["range"], Some("quickfix"));
    let mended = apply(text, &found[0]["edit"]["changes"][URI]);
    assert_eq!(mended, text.replace("Nmi", "Nim"));
    let everything =
        json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let found = actions(&mut client, &everything, Some("source"));
    let mended = apply(text, &found[0]["edit"]["changes"][URI]);
    assert!(
        mended.starts_with("\u{feff}// é😀\n") && mended.contains("7 mod 2"),
        "{mended}"
    );

    // Of two files, the one that is open counts, and not the one on the disk.
    let folder = Folder::new("lsp");
    let used = folder.file("b.rules", "let three = 3\n");
    let main = folder.file("a.rules", "");
    let (used, main) = (format!("file://{used}"), format!("file://{main}"));
    let text = "use \"b.rules\"\neval three + four\n";
    client.open(&main, text);
    assert_eq!(client.diagnostics(&main, 1).len(), 1);
    client.open(&used, "let three = 3, four = 4\n");
    assert_eq!(client.diagnostics(&main, 1), [] as [Value; 0]);
    let mut place = at(&main, text, "four", 0);
    let found = client.ask("textDocument/definition", place.clone());
    assert_eq!(found["uri"], json!(used));
    place["newName"] = json!("quatre");
    let changes = client.ask("textDocument/rename", place);
    assert_eq!(
        apply("let three = 3, four = 4\n", &changes["changes"][&used]),
        "let three = 3, quatre = 4\n"
    );
    // Closed, the file on the disk counts again.
    client.tell(
        "textDocument/didClose",
        json!({ "textDocument": { "uri": used } }),
    );
    assert_eq!(client.diagnostics(&main, 1).len(), 1);
    client.shut();
}

#[test]
fn an_evaluation_ends_with_an_edit_and_with_its_time() {
    let long = "use \"domineering\"\neval value(Domineering[grid(9, 9)])\n";
    let mut client = Client::new(json!({ "trusted": true }));
    client.open(URI, long);
    client.wait("an evaluation", |v| v["params"]["state"] == "evaluating");
    let start = Instant::now();
    client.replace(URI, 2, "eval 1 + 1\n");
    client.idle();
    assert!(
        start.elapsed() < Duration::from_secs(20),
        "{:?}",
        start.elapsed()
    );
    client.idle();
    let range =
        json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } });
    let hints = json!({ "textDocument": { "uri": URI }, "range": range });
    assert_eq!(
        client.ask("textDocument/inlayHint", hints.clone())[0]["label"],
        "= 2"
    );
    client.tell(
        "workspace/didChangeConfiguration",
        json!({ "settings": { "time": 0.3, "memory": 64, "hoverTime": 0.2 } }),
    );
    client.idle();
    client.replace(URI, 3, long);
    client.idle();
    let found = client.ask("textDocument/inlayHint", hints);
    assert!(
        found[0]["label"]
            .as_str()
            .is_some_and(|l| l.starts_with("unknown") && l.contains("the setting cgdsl.")),
        "{found}"
    );
    // A position under the pointer has a time of its own, and can be taken back.
    let text = "use \"domineering\"\nposition Large = Domineering[grid(9, 9)]\n";
    client.replace(URI, 4, text);
    let id = client.start("textDocument/hover", at(URI, text, "Domineering[", 1));
    let reply = client.reply(id);
    assert!(reply["result"]["contents"]["value"].is_string(), "{reply}");
    client.tell(
        "workspace/didChangeConfiguration",
        json!({ "settings": { "hoverTime": 1000 } }),
    );
    let id = client.start("textDocument/hover", at(URI, text, "Domineering[", 1));
    client.tell("$/cancelRequest", json!({ "id": id }));
    assert_eq!(client.reply(id)["error"]["code"], -32800);
    client.shut();
}

#[test]
fn broken_messages_are_answered_and_broken_streams_end_it() {
    let mut client = Client::bare();
    assert_eq!(client.refused("textDocument/hover", json!({})), -32002);
    client.raw(b"Content-Length: 5\r\n\r\n{\"a\":");
    let said = client.wait("an error", |v| v["error"].is_object());
    assert_eq!(
        (&said["id"], &said["error"]["code"]),
        (&Value::Null, &json!(-32700))
    );
    for odd in [
        json!([]),
        json!(3),
        json!({}),
        json!({ "id": 99_999_999_999_u64, "method": "m" }),
        json!({ "id": null, "method": "m" }),
    ] {
        client.send(&odd);
        let said = client.wait("an error", |v| v["error"].is_object());
        assert_eq!(said["error"]["code"], -32600, "{odd}");
    }
    client.ask(
        "initialize",
        json!({ "capabilities": 3, "initializationOptions": [1] }),
    );
    assert_eq!(client.refused("initialize", json!({})), -32600);
    client.tell("initialized", json!({}));
    for method in [
        "textDocument/didOpen",
        "textDocument/didChange",
        "textDocument/didClose",
        "$/cancelRequest",
        "nothing",
        "workspace/didChangeConfiguration",
    ] {
        client.tell(method, json!({ "odd": [] }));
        client.tell(method, json!(7));
    }
    assert_eq!(client.refused("nothing", json!({})), -32601);
    for method in [
        "textDocument/hover",
        "textDocument/rename",
        "textDocument/completion",
        "textDocument/codeAction",
        "textDocument/inlayHint",
        "workspace/executeCommand",
    ] {
        assert_eq!(
            client.refused(method, json!({ "textDocument": 3 })),
            -32602,
            "{method}"
        );
        let place = json!({ "textDocument": { "uri": "file:///not-open.rules" }, "position": { "line": 0, "character": 0 },
            "newName": "x", "range": { "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 0 } },
            "context": { "diagnostics": [] }, "command": "cgdsl.evaluate", "arguments": ["file:///not-open.rules"] });
        assert_eq!(client.refused(method, place), -32602, "{method}");
    }
    client.raw(b"Content-Length: 99999999999999999\r\n\r\n");
    assert_eq!(client.code(), 1);
    let mut client = Client::new(json!({}));
    client.to = None;
    assert_eq!(client.code(), 1, "the stream ends without `exit`");
}

/// Numbers that look random, always the same.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % (n.max(1) as u64)).expect("below n")
    }
}

/// What is typed, pasted and deleted.
const PIECES: &[&str] = &[
    "",
    "",
    "\n",
    "  ",
    "ruleset R\n",
    "  board heaps\n",
    "eval ",
    "Nim[3]",
    "(",
    ")",
    "[",
    "]",
    "{",
    "\"",
    "\"\"\"",
    "//",
    "use \"nim\"\n",
    "😀",
    "é",
    "\r",
    "\r\n",
    "𝒢",
    "\u{feff}",
    "claim for n in 1..3: n = 2\n",
    "then n -> [",
    "1..",
    "at(v) := p",
    "\u{202e}",
    "let f(x) = f(x)\n",
    "::",
    "a:x -- b",
    "'",
    "\\",
    "\t",
    "slow ",
    "0",
    "999999999999999999999",
];

#[test]
fn a_storm_of_edits_leaves_what_a_fresh_run_says() {
    let mut client = Client::new(json!({}));
    client.open(URI, SNORT);
    let mut random = Random(0x5eed);
    let mut text = SNORT.to_owned();
    let mut version = 1;
    let questions = [
        "textDocument/hover",
        "textDocument/completion",
        "textDocument/signatureHelp",
        "textDocument/definition",
        "textDocument/prepareRename",
        "textDocument/documentHighlight",
        "textDocument/documentSymbol",
        "textDocument/foldingRange",
        "textDocument/semanticTokens/full",
        "textDocument/codeLens",
    ];
    let mut asked = Vec::new();
    for round in 1..=3000 {
        let boundary = |text: &str, at: usize| {
            (0..=at)
                .rev()
                .find(|i| text.is_char_boundary(*i))
                .unwrap_or(0)
        };
        let start = boundary(&text, random.below(text.len() + 1));
        let end = boundary(
            &text,
            (start + random.below(6) * random.below(6)).min(text.len()),
        )
        .max(start);
        let piece = PIECES[random.below(PIECES.len())];
        let mut utf16 = Utf16::new(&text);
        let (from, to) = (utf16.place(start), utf16.place(end));
        // Between the characters of a line end nobody writes.
        let split = |at: usize| text[..at].ends_with('\r') && text[at..].starts_with('\n');
        if split(start) || split(end) {
            continue;
        }
        let range = json!({ "start": { "line": from.0, "character": from.1 }, "end": { "line": to.0, "character": to.1 } });
        version += 1;
        let change = match round % 50 {
            0 => {
                text = SNORT.to_owned();
                json!({ "text": text })
            }
            _ => {
                text.replace_range(start..end, piece);
                json!({ "range": range, "text": piece })
            }
        };
        client.tell("textDocument/didChange", json!({ "textDocument": { "uri": URI, "version": version }, "contentChanges": [change] }));
        if round % 10 == 3 {
            let method = questions[random.below(questions.len())];
            let (line, character) = Utf16::new(&text).place(random.below(text.len() + 1));
            let place = json!({ "textDocument": { "uri": URI }, "position": { "line": line, "character": character } });
            asked.push((method, client.start(method, place)));
        }
        if round % 10 == 7 {
            let here = json!({ "textDocument": { "uri": URI }, "range": range, "context": { "diagnostics": [] }, "options": { "tabSize": 2, "insertSpaces": true } });
            asked.push((
                "textDocument/codeAction",
                client.start("textDocument/codeAction", here.clone()),
            ));
            if round % 100 == 7 {
                asked.push((
                    "textDocument/formatting",
                    client.start("textDocument/formatting", here),
                ));
            }
        }
        if round % 500 == 499 {
            // What was sent piece by piece is what a fresh server says of the whole.
            let known = client.diagnostics(URI, version);
            let mut fresh = Client::new(json!({}));
            fresh.open(URI, &text);
            assert_eq!(known, fresh.diagnostics(URI, 1), "{text:?}");
            fresh.shut();
        }
    }
    for (method, id) in asked {
        let reply = client.reply(id);
        assert!(reply.get("error").is_none(), "{method}: {reply}");
    }
    client.shut();
}

#[test]
fn names_are_found_in_all_open_texts_and_a_finished_line_is_laid_out() {
    let mut client = Client::new(json!({ "shippedFiles": true }));
    client.open(URI, SNORT);
    let other = "file:///other.rules";
    let text = "use \"nim\"\nlet mine(k) = max([k,2])\n\neval mine(3)\n";
    client.open(other, text);
    let found = |client: &mut Client, letters: &str| -> Vec<(String, String)> {
        let all = client.ask("workspace/symbol", json!({ "query": letters }));
        let all = all.as_array().expect("a list").iter();
        let text = |v: &Value| v.as_str().expect("a text").to_owned();
        all.map(|s| (text(&s["name"]), text(&s["location"]["uri"])))
            .collect()
    };
    let named = |name: &str, uri: &str| (name.to_owned(), uri.to_owned());
    assert_eq!(found(&mut client, "MINE"), [named("mine", other)]);
    assert!(found(&mut client, "snort").contains(&named("Snort", URI)));
    let nim = found(&mut client, "Nim");
    assert!(
        nim.iter()
            .any(|(name, uri)| name == "Nim" && uri.starts_with("cgdsl:")),
        "{nim:?}"
    );
    assert!(found(&mut client, "").len() > 4);
    assert!(found(&mut client, "no such name").is_empty());
    let typed = |client: &mut Client, line: u32| {
        let options = json!({ "tabSize": 2, "insertSpaces": true });
        let asked = json!({ "textDocument": { "uri": other }, "position": { "line": line, "character": 0 }, "ch": "\n", "options": options });
        client.ask("textDocument/onTypeFormatting", asked)
    };
    let edits = typed(&mut client, 2);
    assert!(
        apply(text, &edits).contains("let mine(k) = max([k, 2])\n\n"),
        "{edits}"
    );
    // The caret stands in a line that is not empty.
    assert_eq!(typed(&mut client, 3), json!([]));
    client.shut();
}

#[test]
fn uses_are_found_in_all_open_texts_from_wherever_one_asks() {
    let mut client = Client::new(json!({}));
    let (library, user) = ("file:///uses/library.rules", "file:///uses/user.rules");
    let defines = "let twice(k) = 2*k\n\neval twice(1)\n";
    let uses = "use \"library.rules\"\n\neval twice(2) + twice(3)\n";
    client.open(library, defines);
    client.open(user, uses);
    for (uri, text, further) in [
        (library, defines, 0),
        (library, defines, 2),
        (user, uses, 0),
    ] {
        let mut place = at(uri, text, "twice(", further);
        place["context"] = json!({ "includeDeclaration": true });
        let found = client.ask("textDocument/references", place.clone());
        let found = found.as_array().expect("a list").iter();
        let mut places: Vec<String> = found
            .map(|l| {
                let (start, file) = (&l["range"]["start"], l["uri"].as_str().expect("an address"));
                format!("{} {}:{}", file, start["line"], start["character"])
            })
            .collect();
        places.sort();
        let whole = [
            format!("{library} 0:4"),
            format!("{library} 2:5"),
            format!("{user} 2:16"),
            format!("{user} 2:5"),
        ];
        assert_eq!(places, whole, "asked in {uri}");
        place["context"] = json!({ "includeDeclaration": false });
        let used = client.ask("textDocument/references", place);
        assert_eq!(used.as_array().map(Vec::len), Some(3), "{used}");
    }
    client.shut();
}

#[test]
fn hostile_texts_are_survived() {
    let mut client = Client::new(json!({ "trusted": true, "time": 0.5, "memory": 64 }));
    let deep = format!("eval {}1{}\n", "(".repeat(3000), ")".repeat(3000));
    let wide = format!("eval {}1\n", "1 + ".repeat(4_000));
    let line = "x ".repeat(20_000);
    let many = "let f(x) = y\n".repeat(1_200);
    let endless = "ruleset R\n  state m: nat\n  move by anyone: choose k in 1..2 then m += k\n\neval R[m: 1]\n".to_owned();
    let large = "eval 2^(2^(2^(2^(2^2))))\nclaim for a in 1..1000000000000: a > 0\neval size(subsets(1..100))\n".to_owned();
    let own = "use \"a.rules\"\nuse \"../../../../etc/passwd\"\nuse \"/dev/zero\"\n".to_owned();
    for (n, text) in [
        deep,
        wide,
        line,
        many,
        endless,
        large,
        own,
        "\0\u{1b}[2J\u{fdd0}".repeat(50),
    ]
    .iter()
    .enumerate()
    {
        let uri = format!("file:///nowhere/{n}.rules");
        client.open(&uri, text);
        client.diagnostics(&uri, 1);
        let place =
            json!({ "textDocument": { "uri": uri }, "position": { "line": 0, "character": 3 } });
        for method in [
            "textDocument/hover",
            "textDocument/completion",
            "textDocument/semanticTokens/full",
            "textDocument/foldingRange",
            "textDocument/documentSymbol",
            "textDocument/codeLens",
        ] {
            client.ask(method, place.clone());
        }
        client.idle();
        client.tell(
            "textDocument/didClose",
            json!({ "textDocument": { "uri": uri } }),
        );
    }
    client.shut();
}

#[test]
fn the_files_for_editors_know_the_words_of_the_language() {
    use cgdsl::model::builtins::{What, table};
    use cgdsl::syntax::lexer::{CLAUSE_WORDS, END_WORDS, ITEM_WORDS, RESERVED, RESERVED_2};
    let of_clauses = [
        "when", "again", "entail", "repeat", "next", "with", "without", "claims", "as", "add",
        "merge",
    ];
    let keywords = RESERVED
        .iter()
        .chain(ITEM_WORDS)
        .chain(CLAUSE_WORDS)
        .chain(RESERVED_2);
    let functions = table().filter(|r| {
        matches!(
            r.what,
            What::Function(_) | What::Fold(_) | What::Game(_) | What::Derivation
        )
    });
    let constants = table().filter(|r| r.what == What::Constant);
    let of_table = functions.chain(constants).map(|r| &r.name);
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("editors");
    for (file, all) in [
        ("textmate/cgdsl.tmLanguage.json", true),
        ("bat/cgdsl.sublime-syntax", true),
        ("vim/syntax/cgdsl.vim", true),
        ("kate/cgdsl.xml", true),
        ("emacs/cgdsl-mode.el", true),
        ("tree-sitter/grammar.js", false),
    ] {
        let text = std::fs::read_to_string(folder.join(file)).expect("the file is there");
        let words: std::collections::HashSet<&str> = text
            .split(|c: char| !(c.is_alphanumeric() || c == '_'))
            .collect();
        let wanted = keywords.clone().chain(of_table.clone().filter(|_| all));
        // Outcomes have a rule of their own.
        let wanted = wanted.chain(END_WORDS.iter().chain(&of_clauses).filter(|_| all));
        let missing: Vec<&&str> = wanted
            .filter(|w| !words.contains(**w) && !w.ends_with("-position"))
            .collect();
        assert!(missing.is_empty(), "{file}: {missing:?}");
    }
    // The scanner tells items and clauses apart by the lexer's own lists.
    let scanner = folder.join("tree-sitter/src/scanner.c");
    let scanner = std::fs::read_to_string(scanner).expect("the scanner is there");
    for (name, words) in [
        ("ITEMS", ITEM_WORDS),
        ("CLAUSES", CLAUSE_WORDS),
        ("ENDS", END_WORDS),
        ("RESERVED", RESERVED),
    ] {
        let (_, list) = scanner
            .split_once(&format!("{name}[] = {{"))
            .expect("the list is there");
        let list = list.split_once(", NULL}").map(|l| l.0).unwrap_or_default();
        let list: Vec<&str> = list.split(", ").map(|w| w.trim_matches('"')).collect();
        assert_eq!(list, words, "{name}");
    }
}
