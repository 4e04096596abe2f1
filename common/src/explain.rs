//! `--explain`: a page for each kind of finding, the same text as in `docs/explain/`.

use driver::emulator::report::Slug;

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

/// All slugs, each with the first sentence of its page.
pub fn list() -> String {
    let width = Slug::ALL.iter().map(|slug| slug.as_str().len()).max().unwrap_or(0);
    Slug::ALL.iter().map(|&slug| format!("{:<width$}  {}\n", slug.as_str(), summary(slug))).collect()
}

fn summary(slug: Slug) -> String {
    let body = page(slug).split("\n\n").nth(1).unwrap_or_default().replace('\n', " ");
    let end = body.find(['.', ':']).unwrap_or(body.len());
    body[..end].to_string()
}

/// A slug by its name.
pub fn slug(name: &str) -> Result<Slug, String> {
    let names = || Slug::ALL.map(Slug::as_str).join(", ");
    let found = Slug::ALL.into_iter().find(|slug| slug.as_str() == name);
    found.ok_or_else(|| format!("no finding is called `{name}`; there are {}", names()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_slug_has_its_own_page_and_a_line_in_the_list() {
        for slug in Slug::ALL {
            assert!(page(slug).starts_with(&format!("# {slug}\n")), "{slug}");
            assert!(summary(slug).len() > 20 && summary(slug).len() < 200, "{slug}: {}", summary(slug));
        }
        assert_eq!(list().lines().count(), Slug::ALL.len());
    }

    #[test]
    fn a_name_that_is_none_is_answered_with_all_of_them() {
        assert_eq!(slug("deadlock"), Ok(Slug::Deadlock));
        let why = slug("race").unwrap_err();
        assert!(Slug::ALL.iter().all(|slug| why.contains(slug.as_str())), "{why}");
    }
}
