//! The options of the server, from the client's initialization and settings. Values that are missing or of the wrong type
//! have their defaults.

use crate::game::{Cancel, Limits};
use crate::session::{Settings, Style};
use serde_json::Value;
use std::time::Duration;

/// The user's settings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Whether the folder is trusted: then files may be evaluated without a request.
    pub trusted: bool,
    /// Whether to evaluate while the user types.
    pub evaluate: bool,
    /// The memory for values and tables, in bytes.
    pub memory: usize,
    /// The time limit for an evaluation of a file.
    pub time: Duration,
    /// The time limit for a position under the pointer.
    pub hover: Duration,
    /// Whether to evaluate queries marked `slow`.
    pub slow: bool,
    /// Whether values are printed with the signs of the field.
    pub unicode: bool,
    /// Whether hover texts contain pictures.
    pub pictures: bool,
    /// The client's own commands for which lenses are wanted.
    pub commands: Vec<String>,
    /// Whether the client shows shipped files at `cgdsl:` URIs.
    pub shipped: bool,
}

/// The capabilities of the client.
#[derive(Clone, Copy, Default, Debug)]
pub struct Client {
    /// Whether it can be asked to refresh inlay hints.
    pub refresh_hints: bool,
    /// Whether it can be asked to refresh lenses.
    pub refresh_lenses: bool,
}

impl Options {
    /// The defaults; nothing is trusted.
    pub fn new(memory: usize, time: Option<Duration>) -> Options {
        Options {
            trusted: false,
            evaluate: true,
            memory: memory.min(1 << 30),
            time: time.unwrap_or(Duration::from_secs(20)),
            hover: Duration::from_secs(2),
            slow: false,
            unicode: true,
            pictures: false,
            commands: Vec::new(),
            shipped: false,
        }
    }

    /// Applies settings of a client: an object with these names, possibly inside `cgdsl`.
    pub fn take(&mut self, said: &Value) {
        let said = said.get("cgdsl").unwrap_or(said);
        let flag = |name: &str, to: &mut bool| {
            if let Some(new) = said.get(name).and_then(Value::as_bool) {
                *to = new;
            }
        };
        flag("trusted", &mut self.trusted);
        flag("evaluate", &mut self.evaluate);
        flag("slow", &mut self.slow);
        flag("unicode", &mut self.unicode);
        flag("pictures", &mut self.pictures);
        flag("shippedFiles", &mut self.shipped);
        let number = |name: &str| said.get(name).and_then(Value::as_f64).filter(|n| *n >= 0.0);
        if let Some(mebibytes) = number("memory") {
            // Less than a mebibyte is useless, and the upper bound avoids overflow.
            let bytes = mebibytes.clamp(1.0, (usize::MAX >> 22) as f64) * 1_048_576.0;
            self.memory = bytes as usize;
        }
        let seconds =
            |name: &str| number(name).and_then(|n| Duration::try_from_secs_f64(n.min(1e6)).ok());
        if let Some(time) = seconds("time") {
            self.time = time;
        }
        if let Some(time) = seconds("hoverTime") {
            self.hover = time;
        }
        if let Some(all) = said.get("commands").and_then(Value::as_array) {
            let names = all.iter().filter_map(Value::as_str);
            self.commands = names.map(str::to_owned).collect();
        }
    }

    /// Settings for a session, with a new token.
    pub fn settings(&self) -> Settings {
        Settings {
            limits: Limits {
                memory: self.memory,
                ..Limits::default()
            },
            cancel: Cancel::with_memory(self.memory),
            style: match self.unicode {
                true => Style::Unicode,
                false => Style::Ascii,
            },
            slow: self.slow,
            ..Settings::default()
        }
    }
}

impl Client {
    /// Reads the capabilities from the parameters of `initialize`.
    pub fn of(parameters: &Value) -> Client {
        let can = |path: &str| parameters.pointer(path).and_then(Value::as_bool) == Some(true);
        Client {
            refresh_hints: can("/capabilities/workspace/inlayHint/refreshSupport"),
            refresh_lenses: can("/capabilities/workspace/codeLens/refreshSupport"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn settings_are_taken_and_others_passed_over() {
        let mut options = Options::new(4 << 30, None);
        assert!(!options.trusted && options.memory == 1 << 30);
        options.take(&json!({ "cgdsl": { "trusted": true, "memory": 256, "time": 0.5, "commands": ["cgdsl.play", 3] } }));
        assert!(options.trusted && options.memory == 256 << 20);
        assert_eq!(options.time, Duration::from_millis(500));
        assert_eq!(options.commands, ["cgdsl.play"]);
        let before = options.clone();
        for odd in [
            json!(null),
            json!([1]),
            json!({ "trusted": "no", "memory": -1, "time": "long" }),
            json!({ "cgdsl": 3 }),
        ] {
            options.take(&odd);
        }
        assert_eq!(options, before);
        options.take(&json!({ "memory": 1e300, "time": 1e300 }));
        assert!(options.memory > 1 << 40);
    }
}
