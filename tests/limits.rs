//! Hostile inputs under `--memory` and `--time`: each run must end by itself, in time, within memory, with an exit code of
//! the program.
//!
//! `tests/limits/cases.json` lists them. The program runs under a guard that kills it, and on Linux under a limit on its
//! address space, so that a refused large allocation shows as an abort; its greatest resident size is read while it runs. The
//! rule: the answer comes at most a second after the end of the time or a signal, using at most 1.25 times the memory plus
//! 100 megabytes. This test allows another two seconds, for a busy machine and for debug builds.
//!
//! By default, the cases marked `quick` run. `CGDSL_LIMITS=all cargo test --test limits` runs all of them and prints a table
//! of the seconds and megabytes.

use libtest_mimic::{Arguments, Failed, Trial};
use serde::Deserialize;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// `--memory`, in megabytes.
const MEMORY: u64 = 200;
/// `--time`, in seconds.
const TIME: u64 = 2;
/// The time after which a run is killed.
const KILLED: Duration = Duration::from_secs(30);
/// The most megabytes that a run may hold: 1.25 times the memory plus 100.
const MOST: u64 = MEMORY + MEMORY / 4 + 100;
/// Seconds allowed after the end of the time, or a signal: one by the rule, two for a busy machine.
const LATE: f64 = 3.0;
/// Megabytes of address space beyond the resident size: the stack of the worker, and what threads reserve.
const RESERVED: u64 = 1024;

#[derive(Deserialize, Clone)]
struct Case {
    name: String,
    /// Arguments; `FILE` stands for the file.
    args: Vec<Text>,
    /// The file, if there is one.
    file: Option<Vec<Part>>,
    /// The allowed exit codes.
    #[serde(default)]
    codes: Vec<i32>,
    /// A text that must occur in either output.
    #[serde(default)]
    says: String,
    /// `--time` in seconds, for runs that must end with an answer; the common limit by default.
    time: Option<u64>,
    /// Whether it runs by default.
    #[serde(default)]
    quick: bool,
    /// Instead of `--time`, this signal is sent after a second.
    signal: Option<String>,
}

#[derive(Deserialize, Clone)]
#[serde(untagged)]
enum Text {
    Plain(String),
    Made { parts: Vec<Part> },
}

/// A text, or a repeated text, in which `#` is the number of the repetition, from 1, and `@` the number before it.
#[derive(Deserialize, Clone)]
#[serde(untagged)]
enum Part {
    Once(String),
    Times(String, u32),
}

fn made(parts: &[Part]) -> String {
    let mut text = String::new();
    for part in parts {
        match part {
            Part::Once(t) => text.push_str(t),
            Part::Times(t, n) if t.contains(['#', '@']) => {
                for i in 1..=*n {
                    let one = t
                        .replace('#', &i.to_string())
                        .replace('@', &(i - 1).to_string());
                    text.push_str(&one);
                }
            }
            Part::Times(t, n) => text.push_str(&t.repeat(*n as usize)),
        }
    }
    text
}

/// The measurements of a run.
struct Measured {
    seconds: f64,
    megabytes: u64,
    code: Option<i32>,
    said: String,
}

/// The greatest resident size so far, in kilobytes; 0 where the system does not report it.
fn most_held(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find(|l| l.starts_with("VmHWM:"));
    let size = line.and_then(|l| l.split_whitespace().nth(1));
    size.and_then(|s| s.parse().ok()).unwrap_or(0)
}

fn command(arguments: &[String]) -> Command {
    let program = env!("CARGO_BIN_EXE_cgdsl");
    if cfg!(target_os = "linux") {
        // The shell sets the limit, since the standard library cannot.
        let mut command = Command::new("sh");
        let script = format!("ulimit -v {}; exec \"$@\"", (MOST + RESERVED) << 10);
        command.args(["-c", &script, "sh", program]).args(arguments);
        command
    } else {
        let mut command = Command::new(program);
        command.args(arguments);
        command
    }
}

fn measure(case: &Case, folder: &Path) -> Result<Measured, Failed> {
    let stem: String = case
        .name
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { '-' })
        .collect();
    let file = folder.join(format!("{stem}.rules"));
    if let Some(parts) = &case.file {
        std::fs::write(&file, made(parts))?;
    }
    let mut arguments: Vec<String> = Vec::new();
    for argument in &case.args {
        arguments.push(match argument {
            Text::Plain(t) if t == "FILE" => file.display().to_string(),
            Text::Plain(t) => t.clone(),
            Text::Made { parts } => made(parts),
        });
    }
    arguments.extend(["--memory".to_owned(), format!("{MEMORY}M")]);
    if case.signal.is_none() {
        let time = case.time.unwrap_or(TIME);
        arguments.extend(["--time".to_owned(), format!("{time}s")]);
    }
    let said = folder.join(format!("{stem}.said"));
    let out = std::fs::File::create(&said)?;
    let start = Instant::now();
    let mut child = command(&arguments)
        .stdin(Stdio::null())
        .stderr(out.try_clone()?)
        .stdout(out)
        .spawn()?;
    let mut held = 0;
    let mut signalled = false;
    let ended = loop {
        held = held.max(most_held(child.id()));
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        if start.elapsed() > KILLED.max(Duration::from_secs(case.time.unwrap_or(0) + 10)) {
            child.kill()?;
            child.wait()?;
            break None;
        }
        if let (Some(signal), false) = (&case.signal, signalled)
            && start.elapsed() >= Duration::from_secs(TIME)
        {
            signalled = true;
            let id = child.id().to_string();
            Command::new("kill")
                .args([&format!("-{signal}"), &id])
                .status()?;
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let seconds = start.elapsed().as_secs_f64();
    let text = std::fs::read(&said)?;
    let _ = std::fs::remove_file(&said);
    let _ = std::fs::remove_file(&file);
    Ok(Measured {
        seconds,
        megabytes: held >> 10,
        code: ended.and_then(|s| s.code()),
        said: String::from_utf8_lossy(&text[..text.len().min(1 << 20)]).into_owned(),
    })
}

fn judge(case: &Case, folder: &Path, table: &Mutex<String>) -> Result<(), Failed> {
    let found = measure(case, folder)?;
    let code = found.code.map_or("killed".to_owned(), |c| c.to_string());
    if let Ok(mut table) = table.lock() {
        let Measured {
            seconds, megabytes, ..
        } = found;
        let _ = writeln!(
            table,
            "{seconds:6.2} s {megabytes:5} MB {code:>7}  {}",
            case.name
        );
    }
    let mut wrong = Vec::new();
    let all = [0, 1, 2, 3];
    let codes = if case.codes.is_empty() {
        &all[..]
    } else {
        &case.codes[..]
    };
    if found.code.is_none_or(|c| !codes.contains(&c)) {
        wrong.push(format!("it ends with {code}, not with one of {codes:?}"));
    }
    if found.seconds > case.time.unwrap_or(TIME) as f64 + LATE {
        wrong.push(format!("it takes {:.1} s", found.seconds));
    }
    if found.megabytes > MOST {
        wrong.push(format!("it holds {} MB of {MOST}", found.megabytes));
    }
    if !found.said.contains(&case.says) {
        wrong.push(format!("it does not say `{}`", case.says));
    }
    if wrong.is_empty() {
        return Ok(());
    }
    let said: String = found.said.chars().take(2000).collect();
    Err(format!("{}\n{said}", wrong.join("; ")).into())
}

fn main() {
    let mut arguments = Arguments::from_args();
    // Runs are measured one at a time.
    arguments.test_threads = Some(1);
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join("limits");
    let text = std::fs::read_to_string(root.join("cases.json")).expect("the cases");
    let cases: Vec<Case> = serde_json::from_str(&text).expect("cases as described above");
    let all = std::env::var("CGDSL_LIMITS").is_ok_and(|v| v == "all");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("limits");
    std::fs::create_dir_all(&folder).expect("a folder for the files");
    let table: Arc<Mutex<String>> = Arc::default();
    let trials = cases
        .into_iter()
        .filter(|c| all || c.quick)
        .map(|case| {
            let (folder, table) = (folder.clone(), table.clone());
            Trial::test(case.name.clone(), move || judge(&case, &folder, &table))
        })
        .collect();
    let conclusion = libtest_mimic::run(&arguments, trials);
    if all && let Ok(table) = table.lock() {
        println!("{table}");
    }
    conclusion.exit();
}
