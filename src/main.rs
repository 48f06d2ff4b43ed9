//! The `cgdsl` program: hands the command line to the front end and exits with its code.

fn main() -> std::process::ExitCode {
    cgdsl::cli::main()
}
