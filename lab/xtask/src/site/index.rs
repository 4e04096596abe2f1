//! The first page: each lesson's words and its table of rows, as its README has them, with a link to every kernel's
//! page.

use super::markdown::{Readme, code, escaped, inline, readme};
use super::recorded::{Kernel, Lesson, Puzzle};
use super::{LANGUAGES, POLICY, PUZZLES};
use anyhow::{Context, Result, ensure};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::Path;

struct Words {
    title: &'static str,
    about: &'static str,
    /// The name of the language that the other index has.
    other: &'static str,
    pages: &'static str,
    broken: &'static str,
    correct: &'static str,
    refused: &'static str,
    exercises: &'static str,
    about_exercises: &'static str,
}

const ENGLISH: Words = Words {
    title: "Learn GPU concurrency, step by step",
    about: "Each kernel runs on an emulated GPU, in your browser. Broken kernels show their bug. Open one and walk \
        through \
            its run. Then start a game: you decide which warp goes next, and try to make the answer wrong.",
    other: "Español",
    pages: "open",
    broken: "broken",
    correct: "correct",
    refused: "nvcc refuses it",
    exercises: "Exercises",
    about_exercises: "Predict what a run gives, or find the schedule under which a kernel goes wrong. You write no \
        code. \
                      `cargo learn` has these exercises and many more.",
};

const SPANISH: Words = Words {
    title: "Aprende concurrencia en la GPU, paso a paso",
    about: "Cada kernel corre en una GPU emulada, en tu navegador. Los kernels incorrectos muestran su error. Abre \
        uno y \
            recorre su ejecución. Después empieza una partida: decides qué warp sigue, e intentas que el resultado sea \
            incorrecto.",
    other: "English",
    pages: "abrir",
    broken: "incorrecto",
    correct: "correcto",
    refused: "nvcc lo rechaza",
    exercises: "Ejercicios",
    about_exercises: "Predice qué da una ejecución, o encuentra el orden de ejecución en el que un kernel falla. No \
        escribes \
                      código. `cargo learn` tiene estos ejercicios y muchos más.",
};

pub fn html(root: &Path, lessons: &[Lesson], puzzles: &[Puzzle], language: &str, readme_file: &str) -> Result<String> {
    let words = if language == "es" { &SPANISH } else { &ENGLISH };
    let other = LANGUAGES.iter().find(|(code, ..)| *code != language).context("there is one language only")?;
    let title = words.title;
    let mut page = format!(
        "<!doctype html>\n<html lang=\"{language}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <link rel=\"stylesheet\" href=\"site.css\">\n</head>\n<body class=\"index\">\n<header>\n\
         <p class=\"top\"><a href=\"{}\" lang=\"{}\" hreflang=\"{}\">{}</a></p>\n\
         <h1>{title}</h1>\n<p>{}</p>\n</header>\n<main>\n",
        other.1, other.0, other.0, words.other, words.about
    );
    for lesson in lessons {
        let path = root.join(&lesson.package).join(readme_file);
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let readme = readme(&text).with_context(|| format!("{} has no title, idea or table", path.display()))?;
        page += &section(lesson, &readme, language, words).with_context(|| format!("in {}", path.display()))?;
    }
    page += &exercises(puzzles, language, words);
    Ok(page + "</main>\n</body>\n</html>\n")
}

fn exercises(puzzles: &[Puzzle], language: &str, words: &Words) -> String {
    let links = puzzles.iter().map(|Puzzle { name, data }| {
        let title = inline(data["title"][language].as_str().unwrap_or(name));
        format!("<li><a href=\"{PUZZLES}/{}.html{}\">{title}</a></li>", escaped(name), fragment(language))
    });
    let (links, title, about) = (links.collect::<String>(), words.exercises, inline(words.about_exercises));
    format!("<section id=\"{PUZZLES}\">\n<h2>{title}</h2>\n<p>{about}</p>\n<ul>{links}</ul>\n</section>\n")
}

/// A page opens in the language of the index.
fn fragment(language: &str) -> String {
    if language == "en" { String::new() } else { format!("#{language}") }
}

fn section(lesson: &Lesson, readme: &Readme, language: &str, words: &Words) -> Result<String> {
    let mut html = format!("<section id=\"{}\">\n<h2>{}</h2>\n", escaped(&lesson.name), inline(&readme.title));
    write!(html, "<p>{}</p>\n<div class=\"rows\" tabindex=\"0\">\n<table>\n", inline(&readme.idea))?;
    let (heading, rows) = readme.table.split_first().context("a table without a heading")?;
    let columns = heading.iter().map(|cell| format!("<th scope=\"col\">{}</th>", inline(cell)));
    writeln!(html, "<thead><tr>{}<th scope=\"col\">{}</th></tr></thead>", columns.collect::<String>(), words.pages)?;
    html += "<tbody>\n";
    // A kernel is linked where the table first names its row; what stands in a line below belongs to the same row.
    let mut linked = BTreeSet::new();
    for cells in rows {
        let (name, others) = cells.split_first().context("an empty line in the table")?;
        let named: Vec<&str> = code(name).collect();
        let kernels: Vec<&Kernel> = lesson
            .kernels
            .iter()
            .filter(|kernel| named.contains(&kernel.row.as_str()) && linked.insert(kernel.name.as_str()))
            .collect();
        match inline(name) {
            // More of the row above.
            name if name.is_empty() => write!(html, "<tr><td></td>")?,
            name => write!(html, "<tr><th scope=\"row\">{name}</th>")?,
        }
        others.iter().try_for_each(|cell| write!(html, "<td>{}</td>", inline(cell)))?;
        let links = kernels.iter().map(|kernel| link(lesson, kernel, language, words)).collect::<String>();
        let links = if links.is_empty() { links } else { format!("<ul>{links}</ul>") };
        writeln!(html, "<td>{links}</td></tr>")?;
    }
    for kernel in &lesson.kernels {
        ensure!(linked.contains(kernel.name.as_str()), "the table of {} has no row `{}`", lesson.name, kernel.row);
    }
    Ok(html + "</tbody>\n</table>\n</div>\n</section>\n")
}

fn link(lesson: &Lesson, kernel: &Kernel, language: &str, words: &Words) -> String {
    let (name, is_broken) = (escaped(&kernel.name), kernel.slug.is_some());
    if kernel.page.is_none() {
        return format!("<li><code>{name}</code>: {}</li>", words.refused);
    }
    let (class, said) = if is_broken { ("bad", words.broken) } else { ("good", words.correct) };
    let sign = if is_broken { "✗" } else { "✓" };
    let language = fragment(language);
    format!(
        "<li><span class=\"{class}\" title=\"{said}\" role=\"img\" aria-label=\"{said}\">{sign}</span> \
         <a href=\"{}/{name}.html{language}\"><code>{name}</code></a></li>",
        escaped(&lesson.name)
    )
}
