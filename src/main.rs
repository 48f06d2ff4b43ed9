//! The `cgdsl` program: hands the command line to the front end and exits with its code.

/// In the static program musl's own allocator would take a third of the time of many searches.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    cgdsl::cli::main()
}
