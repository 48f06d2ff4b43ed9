//! A game that is played from Python: moves come in, the position and who moves or has won go out. The thread of the file keeps
//! the game; where that was ended meanwhile, its moves are made again.

use crate::convert::Said;
use crate::position::Position;
use crate::rules::Room;
use cgdsl::diagnostic::{Code, Diagnostic};
use cgdsl::game::Player;
use cgdsl::ir;
use cgdsl::session::play::{self, Prospect, Reading, Standing};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// The game that the thread of a file keeps.
pub struct Kept {
    id: u64,
    made: usize,
    play: play::Play,
}

#[derive(Clone)]
struct Start {
    id: u64,
    position: Arc<ir::Position>,
    first: Player,
    misere: bool,
}

/// A game that is played.
#[pyclass(frozen, module = "cgdsl")]
pub struct Play {
    position: Position,
    start: Start,
    /// Positions moved to, from the start.
    made: Mutex<Vec<Arc<ir::Position>>>,
}

static NEXT: AtomicU64 = AtomicU64::new(0);

/// The game, as far as these moves.
fn kept<'r>(
    room: &'r mut Room<'_>,
    start: &Start,
    made: &[Arc<ir::Position>],
) -> Result<&'r mut play::Play, Diagnostic> {
    let fits = |k: &Kept| k.id == start.id && k.made == made.len();
    if !room.play.as_ref().is_some_and(fits) {
        let mut play =
            room.session
                .play(&room.loaded, &start.position, start.first, start.misere)?;
        for to in made {
            let choice = play.moves()?.into_iter().find(|c| c.position == *to);
            let gone =
                || Diagnostic::error(Code::E0551, "a move of the game can no longer be made");
            play.make(&choice.ok_or_else(gone)?)?;
        }
        room.play = Some(Kept {
            id: start.id,
            made: made.len(),
            play,
        });
    }
    let gone = || Diagnostic::error(Code::E0551, "the game is gone");
    room.play.as_mut().map(|k| &mut k.play).ok_or_else(gone)
}

impl Play {
    /// A game that begins at a position.
    ///
    /// # Errors
    /// A rule that goes wrong; misère play where there is none.
    pub fn begin(
        py: Python<'_>,
        position: Position,
        first: Player,
        misere: bool,
    ) -> PyResult<Play> {
        let play = Play {
            start: Start {
                id: NEXT.fetch_add(1, Ordering::Relaxed),
                position: position.position().clone(),
                first,
                misere,
            },
            position,
            made: Mutex::default(),
        };
        play.with(py, |_| Ok(()))?;
        Ok(play)
    }

    fn made(&self) -> Vec<Arc<ir::Position>> {
        self.made.lock().unwrap_or_else(|e| e.into_inner()).clone()
    }

    fn with<T: Send + 'static>(
        &self,
        py: Python<'_>,
        question: impl FnOnce(&mut play::Play) -> Result<T, Diagnostic> + Send + 'static,
    ) -> PyResult<T> {
        let (start, made) = (self.start.clone(), self.made());
        let (found, _) = self.position.inner().within(py, move |room| {
            let found = kept(room, &start, &made).and_then(question);
            found.map_err(|d| -> Said { room.said(&[d]) })
        })?;
        found.map_err(|said| said.raise(py, "EvaluationError"))
    }

    fn moved(&self, to: Arc<ir::Position>) {
        self.made.lock().unwrap_or_else(|e| e.into_inner()).push(to);
    }
}

#[pymethods]
impl Play {
    /// The position.
    #[getter]
    fn position(&self) -> Position {
        let now = self.made().pop();
        let now = now.unwrap_or_else(|| self.start.position.clone());
        Position::new(self.position.inner().clone(), now)
    }

    /// Who moves, who has won, or `drawn`.
    #[getter]
    fn standing(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |play| {
            Ok(match play.standing() {
                Standing::ToMove(p) => format!("{} to move", play.name(*p)),
                Standing::Won(p) => format!("{} has won", play.name(*p)),
                Standing::Lost(p) => format!("{} has lost", play.name(*p)),
                Standing::Drawn => "drawn".to_owned(),
            })
        })
    }

    /// Whether it is over.
    #[getter]
    fn is_over(&self, py: Python<'_>) -> PyResult<bool> {
        self.with(py, |play| Ok(play.standing().is_over()))
    }

    /// The moves of the player who moves, in words.
    #[getter]
    fn moves(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.with(py, |play| {
            Ok(play.moves()?.into_iter().map(|c| c.text).collect())
        })
    }

    /// The moves made so far, in words.
    #[getter]
    fn made_moves(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.with(py, |play| Ok(play.made()))
    }

    /// Makes the move that words name: what is chosen, or the first words of it as far as they are needed.
    fn make<'py>(slf: PyRef<'py, Self>, words: String) -> PyResult<PyRef<'py, Self>> {
        let py = slf.py();
        let found = slf.with(py, move |play| {
            Ok(match play.read(&words)? {
                Reading::Move(choice) => {
                    play.make(&choice)?;
                    Ok(choice.position)
                }
                Reading::Several(all) => {
                    let all: Vec<String> = all.into_iter().take(10).map(|c| c.text).collect();
                    Err(format!("several moves begin so: {}", all.join("; ")))
                }
                Reading::Forbidden { text, .. } => Err(format!("{text} is not allowed here")),
                Reading::Gone(what) => Err(format!("{what} is no longer there")),
                Reading::Unknown(_) => Err(format!("{words:?} names no move; see .moves")),
            })
        })?;
        match found {
            Ok(to) => {
                slf.moved(to);
                slf.kept_on(py)?;
                Ok(slf)
            }
            Err(why) => Err(PyValueError::new_err(why)),
        }
    }

    /// Makes the move of perfect play; what it is.
    fn reply(&self, py: Python<'_>) -> PyResult<String> {
        let found = self.with(py, |play| {
            let Some(advice) = play.advise()? else {
                return Ok(None);
            };
            play.make(&advice.choice)?;
            Ok(Some((advice.choice.text, advice.choice.position)))
        })?;
        let Some((text, to)) = found else {
            return Err(PyValueError::new_err("the game is over"));
        };
        self.moved(to);
        self.kept_on(py)?;
        Ok(text)
    }

    /// What perfect play would do, and how it stands for the one who moves: `wins`, `loses`, `drawn`, `queer` or `unknown`.
    fn advice(&self, py: Python<'_>) -> PyResult<(String, &'static str)> {
        let found = self.with(py, |play| {
            Ok(play.advise()?.map(|a| {
                let stands = match a.prospect {
                    Some(Prospect::Wins) => "wins",
                    Some(Prospect::Loses(_)) => "loses",
                    Some(Prospect::Drawn) => "drawn",
                    Some(Prospect::Queer) => "queer",
                    None => "unknown",
                };
                (a.choice.text, stands)
            }))
        })?;
        found.ok_or_else(|| PyValueError::new_err("the game is over"))
    }

    /// Takes the last move back.
    fn undo(slf: PyRef<'_, Self>) -> PyResult<PyRef<'_, Self>> {
        let taken = slf.made.lock().unwrap_or_else(|e| e.into_inner()).pop();
        match taken {
            Some(_) => Ok(slf),
            None => Err(PyValueError::new_err("no move was made")),
        }
    }

    fn _repr_svg_(&self) -> Option<String> {
        self.position().svg().ok()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!(
            "<Play of {}: {}>",
            self.position().__repr__(),
            self.standing(py)?
        ))
    }
}

impl Play {
    /// The kept game has made the move, too.
    fn kept_on(&self, py: Python<'_>) -> PyResult<()> {
        let (id, made) = (self.start.id, self.made().len());
        self.position.inner().within(py, move |room| {
            if let Some(kept) = room.play.as_mut().filter(|k| k.id == id) {
                kept.made = made;
            }
        })?;
        Ok(())
    }
}
