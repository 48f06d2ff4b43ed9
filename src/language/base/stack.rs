//! Work that recurses over an expression, on a stack that holds the deepest one. The lexer bounds how deep brackets nest and
//! the parser how deep an expression is, so a fixed size will do, whatever thread the caller is on.

/// Room for a formula as deep as the parser lets through, in a build without optimisation.
const ROOM: usize = 64 << 20;

/// Runs `work` with at least 64 MiB of stack, on a new stack if the thread's own has fewer left.
pub fn with_room<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(ROOM, 2 * ROOM, work)
}
