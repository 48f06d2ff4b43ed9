//! Runs work that recurses over an expression on a stack large enough for the deepest expression. The lexer bounds the
//! nesting of brackets and the parser the depth of expressions, so a fixed size suffices on any thread.

/// Enough for the deepest expression that the parser accepts, in a build without optimisation.
const ROOM: usize = 64 << 20;

/// Runs `work` with at least 64 MiB of stack; allocates a new stack if the thread has less left.
pub fn with_room<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(ROOM, 2 * ROOM, work)
}
