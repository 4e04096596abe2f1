//! `--explain`: a page for each kind of finding, and for what else a lesson may expect, the same text as in
//! `docs/explain/`.

use driver::emulator::finding::Slug;

/// The page of a slug, as Markdown.
pub fn page(slug: Slug) -> &'static str {
    macro_rules! page {
        ($name:literal) => {
            include_str!(concat!("../../docs/explain/", $name, ".md"))
        };
    }
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
    }
}

/// What a lesson may expect that is no finding, each with its page.
const EXPECTED: [(&str, &str); 2] = [
    ("wrong-result", include_str!("../../docs/explain/wrong-result.md")),
    ("compile-fail", include_str!("../../docs/explain/compile-fail.md")),
];

/// Every name that has a page, with the page.
fn pages() -> impl Iterator<Item = (&'static str, &'static str)> {
    Slug::ALL.into_iter().map(|slug| (slug.as_str(), page(slug))).chain(EXPECTED)
}

/// All names, each with the first sentence of its page.
pub fn list() -> String {
    let width = pages().map(|(name, _)| name.len()).max().unwrap_or(0);
    pages().map(|(name, page)| format!("{name:<width$}  {}\n", summary(page))).collect()
}

fn summary(page: &str) -> String {
    let body = page.split("\n\n").nth(1).unwrap_or_default().replace('\n', " ");
    let end = body.find(['.', ':']).unwrap_or(body.len());
    body[..end].to_string()
}

/// A page by its name.
pub fn named(name: &str) -> Result<&'static str, String> {
    let names = || pages().map(|(name, _)| name).collect::<Vec<_>>().join(", ");
    let found = pages().find(|(known, _)| *known == name);
    found.map(|(_, page)| page).ok_or_else(|| format!("nothing is called `{name}`; there are {}", names()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_has_its_own_page_and_a_line_in_the_list() {
        for (name, page) in pages() {
            assert!(page.starts_with(&format!("# {name}\n")), "{name}");
            assert!(summary(page).len() > 20 && summary(page).len() < 200, "{name}: {}", summary(page));
        }
        assert_eq!(list().lines().count(), Slug::ALL.len() + EXPECTED.len());
    }

    #[test]
    fn a_name_that_is_none_is_answered_with_all_of_them() {
        assert_eq!(named("deadlock"), Ok(page(Slug::Deadlock)));
        assert!(named("wrong-result").is_ok());
        let why = named("race").unwrap_err();
        assert!(Slug::ALL.iter().all(|slug| why.contains(slug.as_str())), "{why}");
    }
}
