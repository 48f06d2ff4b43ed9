//! (to come)

/// Runs the command line; the exit code is 0 holds, 1 a claim fails, 2 bad input, 3 unknown within limits.
pub fn main() -> std::process::ExitCode {
    std::process::ExitCode::from(2)
}
