//! The requests of the page. An exercise is named as in the catalogue, `02_sync/missing_barrier`: what the catalogue
//! does not have leads to no file.

use super::files::{FileContents, Saved};
use super::judging::{Bench, ExerciseState, below};
use super::view::{List, Now, Opened, TakenHints};
use crate::catalog::Exercise;
use crate::progress::Judged;
use anyhow::Result;
use hyper::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The longest that a question about news waits for some. Less than what stands between waits for.
const WAIT: Duration = Duration::from_secs(20);

/// Between two looks at the file on disk, which an editor may change.
const LOOK: Duration = Duration::from_millis(500);

/// A status, and JSON.
pub type HttpAnswer = (StatusCode, Value);

/// The body of a `POST`; each request has the fields that it needs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PostBody {
    name: String,
    #[serde(default)]
    text: String,
    #[serde(default)]
    version: String,
    is_verbose: Option<bool>,
}

pub fn failed(status: StatusCode, why: String) -> HttpAnswer {
    (status, json!({ "error": why }))
}

fn answer(data: impl Serialize) -> Result<HttpAnswer> {
    Ok((StatusCode::OK, serde_json::to_value(data)?))
}

/// Does something with an exercise, in a thread that may wait for the disk.
async fn with(
    bench: &Arc<Bench>,
    name: &str,
    work: impl FnOnce(&Bench, &Exercise) -> Result<HttpAnswer> + Send + 'static,
) -> HttpAnswer {
    let (bench, name) = (bench.clone(), name.to_string());
    let done = tokio::task::spawn_blocking(move || {
        // Its whole name: a part of one could mean another tomorrow.
        let found = bench.session().catalog.exercises.iter().find(|exercise| exercise.name == name).cloned();
        let Some(exercise) = found else {
            return failed(StatusCode::NOT_FOUND, say!("exercise-unknown", name));
        };
        work(&bench, &exercise)
            .unwrap_or_else(|error| failed(StatusCode::UNPROCESSABLE_ENTITY, tell::in_a_line(&error)))
    });
    done.await.unwrap_or_else(|error| failed(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))
}

pub async fn list(bench: &Arc<Bench>) -> HttpAnswer {
    let bench = bench.clone();
    let list = tokio::task::spawn_blocking(move || answer(List::of(&bench.session())?));
    match list.await {
        Ok(Ok(list)) => list,
        Ok(Err(error)) => failed(StatusCode::UNPROCESSABLE_ENTITY, tell::in_a_line(&error)),
        Err(error) => failed(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()),
    }
}

/// The file and all about it. It is judged, unless its verdict is known.
pub async fn open(bench: &Arc<Bench>, name: &str) -> HttpAnswer {
    with(bench, name, |bench, exercise| {
        let held = bench.folder.read(&below(exercise))?;
        bench.judge_if_new(&exercise.name, &held.version);
        answer(Opened::of(&bench.session(), exercise, held)?)
    })
    .await
}

/// Returns the state as soon as it is not the one that the page knows: another number than `seen`, or another file than
/// `version`.
pub async fn now(bench: &Arc<Bench>, name: &str, seen: Option<u64>, version: String) -> HttpAnswer {
    let mut news = bench.news();
    let end = Instant::now() + WAIT;
    loop {
        let known = version.clone();
        let is_late = Instant::now() >= end;
        let (status, value) = with(bench, name, move |bench, exercise| {
            let ExerciseState { number, .. } = bench.standing(&exercise.name);
            let held = bench.folder.read(&below(exercise))?;
            if !is_late && seen == Some(number) && held.version == known {
                return Ok((StatusCode::NO_CONTENT, Value::Null));
            }
            let standing = bench.standing(&exercise.name);
            answer(Now::of(&bench.session(), exercise, held.version, standing)?)
        })
        .await;
        if status != StatusCode::NO_CONTENT {
            return (status, value);
        }
        // Whichever comes first.
        let _ = tokio::time::timeout(LOOK, news.changed()).await;
    }
}

pub async fn post(bench: &Arc<Bench>, what: &str, sent: PostBody) -> HttpAnswer {
    let PostBody { name, text, version, is_verbose } = sent;
    match what {
        "save" => save(bench, &name, text, version).await,
        "judge" => {
            with(bench, &name, move |bench, exercise| {
                bench.judge(&exercise.name, is_verbose, Judged::Asked);
                answer(json!({}))
            })
            .await
        }
        "fix" => {
            with(bench, &name, |bench, exercise| {
                bench.try_fix(&exercise.name);
                answer(json!({}))
            })
            .await
        }
        "hint" => {
            with(bench, &name, |bench, exercise| {
                let session = bench.session();
                let taken = session.take_hint(exercise)?;
                answer(TakenHints::of(&session, exercise, taken))
            })
            .await
        }
        "reset" => with(bench, &name, reset).await,
        "solution" => {
            with(bench, &name, |bench, exercise| {
                let text = bench.session().solution(exercise)?;
                answer(json!({ "text": text }))
            })
            .await
        }
        "next" => {
            with(bench, &name, |bench, exercise| {
                let session = bench.session();
                let next = session.next(Some(&exercise.name))?.map(|next| next.name.clone());
                let why = if next.is_none() { session.nothing_left()? } else { String::new() };
                answer(json!({ "name": next, "why": why }))
            })
            .await
        }
        _ => failed(StatusCode::NOT_FOUND, say!("web-nothing-here")),
    }
}

async fn save(bench: &Arc<Bench>, name: &str, text: String, version: String) -> HttpAnswer {
    with(bench, name, move |bench, exercise| match bench.folder.save(&below(exercise), &text, &version)? {
        Saved::As(now) => {
            match now == version {
                // Nothing has changed; what is under way stays so.
                true => bench.judge_if_new(&exercise.name, &now),
                false => bench.judge(&exercise.name, None, Judged::Saved),
            }
            answer(json!({ "version": now }))
        }
        Saved::Changed(FileContents { text, version }) => {
            Ok((StatusCode::CONFLICT, json!({ "error": say!("web-changed"), "text": text, "version": version })))
        }
    })
    .await
}

/// As it was handed out; what the student wrote is kept beside it.
fn reset(bench: &Bench, exercise: &Exercise) -> Result<HttpAnswer> {
    let below = below(exercise);
    // The desk follows links, which is for one who sits at this machine. Reading refuses them.
    let held = bench.folder.read(&below)?;
    let session = bench.session();
    let kept = session.desk.reset(exercise)?.map(|path| crate::session::shown(&path));
    let now = bench.folder.read(&below)?;
    drop(session);
    if now != held {
        bench.forget(&exercise.name);
    }
    bench.judge_if_new(&exercise.name, &now.version);
    let said = kept.map(|file| say!("reset-kept", file));
    let opened = Opened::of(&bench.session(), exercise, now)?;
    answer(json!({ "exercise": opened, "said": said }))
}

pub fn explain(kind: &str) -> HttpAnswer {
    match tell::explain::named(kind) {
        Ok(text) => (StatusCode::OK, json!({ "text": text })),
        Err(why) => failed(StatusCode::NOT_FOUND, why),
    }
}

/// The page of the failing run, as HTML.
pub async fn run(bench: &Arc<Bench>, name: &str, version: String) -> Result<String, HttpAnswer> {
    let mut news = bench.news();
    loop {
        news.mark_unchanged();
        let known = version.clone();
        let (status, value) = with(bench, name, move |bench, exercise| match bench.page(&exercise.name, &known) {
            Some(Ok(page)) => answer(page),
            Some(Err(why)) => Ok(failed(StatusCode::NOT_FOUND, why)),
            None => Ok((StatusCode::NO_CONTENT, Value::Null)),
        })
        .await;
        match (status, value) {
            (StatusCode::OK, Value::String(page)) => return Ok(tell::page::filled(&page, true)),
            (StatusCode::NO_CONTENT, _) => {}
            other => return Err(other),
        }
        if news.changed().await.is_err() {
            return Err(failed(StatusCode::NOT_FOUND, say!("web-no-run")));
        }
    }
}
