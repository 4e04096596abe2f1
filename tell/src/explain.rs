//! `--explain`: a page for each kind of finding, and for what else a lesson may expect or show, the same text as in
//! `docs/explain/`.

use emulator::finding::Slug;
use words::Language;

/// A page as Markdown, by [`Language`].
type ExplainPage = [&'static str; Language::ALL.len()];

macro_rules! page {
    ($name:literal) => {
        [
            include_str!(concat!("../../docs/explain/", $name, ".md")),
            include_str!(concat!("../../docs/explain/", $name, ".es.md")),
        ]
    };
}

fn page(slug: Slug) -> ExplainPage {
    match slug {
        Slug::RaceShared => page!("race-shared"),
        Slug::RaceGlobal => page!("race-global"),
        Slug::RaceScope => page!("race-scope"),
        Slug::OutOfBounds => page!("out-of-bounds"),
        Slug::Misaligned => page!("misaligned"),
        Slug::UseAfterFree => page!("use-after-free"),
        Slug::UndefinedValue => page!("undefined-value"),
        Slug::AbsentLane => page!("absent-lane"),
        Slug::MaskMismatch => page!("mask-mismatch"),
        Slug::BarrierDivergence => page!("barrier-divergence"),
        Slug::Deadlock => page!("deadlock"),
        Slug::Livelock => page!("livelock"),
        Slug::DeviceLaunch => page!("device-launch"),
        Slug::CooperativeLaunch => page!("cooperative-launch"),
        Slug::Wgmma => page!("wgmma"),
    }
}

/// Outcomes that a lesson may expect or show and that are no finding, each with its page.
const OTHERS: [(&str, ExplainPage); 3] = [
    ("wrong-result", page!("wrong-result")),
    ("compile-fail", page!("compile-fail")),
    ("executions", page!("executions")),
];

/// Every name that has a page, with the page.
fn pages() -> impl Iterator<Item = (&'static str, ExplainPage)> {
    Slug::ALL.into_iter().map(|slug| (slug.as_str(), page(slug))).chain(OTHERS)
}

/// All names, each with the first sentence of its page.
pub fn list(language: Language) -> String {
    let width = pages().map(|(name, _)| name.len()).max().unwrap_or(0);
    pages().map(|(name, page)| format!("{name:<width$}  {}\n", summary(page[language as usize]))).collect()
}

fn summary(page: &str) -> String {
    let body = page.split("\n\n").nth(1).unwrap_or_default().replace('\n', " ");
    let end = body.find(['.', ':']).unwrap_or(body.len());
    body[..end].to_string()
}

/// A page by its name, in the language of this process.
pub fn named(name: &str) -> Result<&'static str, String> {
    let names = || pages().map(|(name, _)| name).collect::<Vec<_>>().join(", ");
    let found = pages().find(|(known, _)| *known == name);
    let page = found.map(|(_, page)| page[Language::current() as usize]);
    page.ok_or_else(|| say!("no-page", name, all = names()))
}

/// The first sentence of a page, and the page, in the language of this process.
pub fn in_short(name: &str) -> Option<(String, String)> {
    let page = named(name).ok()?;
    Some((summary(page), page.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_has_its_own_page_and_a_line_in_the_list() {
        for (name, page) in pages().flat_map(|(name, pages)| pages.map(|page| (name, page))) {
            assert!(page.starts_with(&format!("# {name}\n")), "{name}");
            assert!(summary(page).len() > 20 && summary(page).len() < 200, "{name}: {}", summary(page));
        }
        for language in Language::ALL {
            assert_eq!(list(language).lines().count(), Slug::ALL.len() + OTHERS.len());
        }
        assert!(pages().all(|(_, [english, spanish])| english != spanish));
    }

    #[test]
    fn a_name_that_is_none_is_answered_with_all_of_them() {
        assert_eq!(named("deadlock"), Ok(page(Slug::Deadlock)[Language::English as usize]));
        assert!(named("wrong-result").is_ok());
        let why = named("race").unwrap_err();
        assert!(Slug::ALL.iter().all(|slug| why.contains(slug.as_str())), "{why}");
    }
}
