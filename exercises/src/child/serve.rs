//! The judging process itself.

use super::JudgingResult;
use super::process::COMPILED;
use crate::catalog::{Catalog, Exercise};
use crate::compile::Workshop;
use crate::confine::set_limits;
use crate::judge;
use crate::sandbox::{self, SandboxCell};
use crate::shown_run;
use crate::task::{AnswerKind, Task};
use crate::tried;
use anyhow::{Context, Result};
use std::io::{BufRead, Write};

/// Bytes of a verdict's text; the rest is cut off.
const TEXT: usize = 64 << 10;

/// Answers tasks until its input ends.
pub fn serve(memory: u64, cell: Option<&str>) -> Result<()> {
    set_limits(memory, 256 << 20)?;
    let mut workshop = Workshop::saying(say_compiled);
    if let Some(cell) = cell {
        let cell: SandboxCell = serde_json::from_str(cell).context("a cell that is none")?;
        // Without a compiler there are exercises that need none.
        sandbox::enter(&cell, &Catalog::read(&cell.catalog)?, workshop.compiler().ok())?;
        workshop.student = Some(cell.student);
    }
    let mut catalog: Option<Catalog> = None;
    for line in std::io::stdin().lock().lines() {
        let (task, recipe): (Task, _) = serde_json::from_str(&line?).context("a task that is none")?;
        workshop.recipe = recipe;
        let answer = answer(&task, &mut workshop, &mut catalog)?;
        let mut stdout = std::io::stdout().lock();
        writeln!(stdout, "{answer}")?;
        stdout.flush()?;
        // The answer is out. A student reads it now; a grade's next task is already there.
        if workshop.student.is_none() {
            workshop.keep_headers();
        }
    }
    Ok(())
}

/// One that dies of it is found out by the one that asks.
fn say_compiled() {
    let mut stdout = std::io::stdout().lock();
    let _ = writeln!(stdout, "{COMPILED}").and_then(|()| stdout.flush());
}

/// The line that answers what is asked.
fn answer(task: &Task, workshop: &mut Workshop, catalog: &mut Option<Catalog>) -> serde_json::Result<String> {
    let exercise = exercise(task, catalog);
    match task.asked {
        AnswerKind::Verdict => serde_json::to_string(&exercise.and_then(|exercise| verdict(exercise, task, workshop))),
        AnswerKind::Fix => serde_json::to_string(&exercise.and_then(|exercise| tried::fix(exercise, task, workshop))),
        AnswerKind::Page => {
            serde_json::to_string(&exercise.and_then(|exercise| shown_run::page(exercise, task, workshop)))
        }
    }
}

fn exercise<'a>(task: &Task, catalog: &'a mut Option<Catalog>) -> Result<&'a Exercise, String> {
    if catalog.as_ref().is_none_or(|known| known.folder != task.catalog) {
        *catalog = Some(Catalog::read(&task.catalog).map_err(|error| tell::in_a_line(&error))?);
    }
    let Some(catalog) = catalog else {
        return Err(say!("no-exercises-in", folder = task.catalog.display().to_string()));
    };
    catalog.find(&task.exercise).map_err(|error| tell::in_a_line(&error))
}

fn verdict(exercise: &Exercise, task: &Task, workshop: &mut Workshop) -> JudgingResult {
    let mut verdict = judge::judge(exercise, task, workshop)?;
    if verdict.text.len() > TEXT {
        let end = (0..=TEXT).rev().find(|at| verdict.text.is_char_boundary(*at)).unwrap_or(0);
        verdict.text.truncate(end);
        verdict.line_at = verdict.line_at.filter(|at| *at < end);
        verdict.text.push_str(&format!("\n{}\n", say!("cut-off")));
    }
    Ok(verdict)
}
