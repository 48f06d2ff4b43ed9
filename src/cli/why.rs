//! `cgdsl why`: prints the argument for the value of a position.

use super::args::Written;
use super::run::Run;
use crate::report::{Document, paper, why as why_text, why_short};
use crate::session::{Disk, Session, Why};
use serde::Serialize;

/// The content of `why --json`.
#[derive(Serialize)]
struct Explained {
    file: String,
    short: String,
    #[serde(flatten)]
    why: Why,
}

impl Run<'_> {
    /// `cgdsl why`
    pub fn why(&mut self, file: &str, position: &str, short: bool, written: Written) -> u8 {
        let world = Disk;
        let format = self.output.speak(written.format);
        let mut session = Session::new(&world, self.settings_for(false, format));
        let (loaded, position) = match self.one_position(&mut session, file, position) {
            Ok(found) => found,
            Err(plain) => return self.failed("cgdsl/error/1", plain),
        };
        let why = match session.why(&loaded, &position) {
            Ok(why) => why,
            Err((d, limit)) => {
                let plain = self.complain(&session, &[d]);
                let code = self.failed("cgdsl/error/1", plain);
                return if limit { 3 } else { code };
            }
        };
        if let Some(format) = format {
            let text = match short {
                true => paper::why_short(&why, format),
                false => paper::why(&why, format),
            };
            self.output.text(&text);
        } else if self.output.json {
            let explained = Explained {
                file: file.to_owned(),
                short: why_short(&why),
                why,
            };
            self.output
                .document(&Document::new("cgdsl/why/1", explained, Vec::new()));
        } else if short {
            let line = why_short(&why);
            self.output.line(&line);
        } else {
            let text = why_text(&why, self.output.look());
            self.output.text(&text);
        }
        0
    }
}
