//! As much of Markdown as the site takes from a lesson's README: its title, its first paragraph, and its table of rows.

/// The title and the texts of a lesson's README.
pub struct Readme {
    pub title: String,
    pub idea: String,
    /// Cells of the table of rows, its heading first.
    pub table: Vec<Vec<String>>,
}

/// First cell of the table of rows, in each language.
const ROW: [&str; 2] = ["row", "fila"];

/// Takes these texts out of a README, or returns `None` if it lacks one of them.
pub fn readme(text: &str) -> Option<Readme> {
    let title = text.lines().find_map(|line| line.strip_prefix("# "))?.to_string();
    let after = text.split_once("\n## Idea\n")?.1;
    let idea = after.trim_start().lines().take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    // A lesson may have other tables before this one.
    let from_table = text.lines().skip_while(|line| !(line.starts_with('|') && ROW.contains(&&*cells(line)[0])));
    let table = from_table.take_while(|line| line.starts_with('|'));
    let table: Vec<_> = table.filter(|line| !line.starts_with("|---")).map(cells).collect();
    (!table.is_empty()).then_some(Readme { title, idea, table })
}

fn cells(line: &str) -> Vec<String> {
    line.trim().trim_matches('|').split('|').map(|cell| cell.trim().to_string()).collect()
}

/// Returns the texts between backquotes.
pub fn code(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// One line as HTML: code, bold text, and a link's words.
pub fn inline(text: &str) -> String {
    let parts = text.split('`').enumerate().map(|(at, part)| {
        if at % 2 == 1 { format!("<code>{}</code>", escaped(part)) } else { bold(&escaped(&without_links(part))) }
    });
    parts.collect()
}

pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn bold(text: &str) -> String {
    let parts = text.split("**").enumerate();
    parts.map(|(at, part)| if at % 2 == 1 { format!("<b>{part}</b>") } else { part.to_string() }).collect()
}

fn without_links(text: &str) -> String {
    let mut made = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('[') {
        made += before;
        match after.split_once("](").and_then(|(words, link)| Some((words, link.split_once(')')?.1))) {
            Some((words, after)) => {
                made += words;
                rest = after;
            }
            None => {
                made.push('[');
                rest = after;
            }
        }
    }
    made + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_readme_gives_its_title_its_idea_and_its_rows() {
        let text = "# Lesson 9: a *\n\n[En español](x)\n\n## Idea\n\nOne\ntwo.\n\nThree.\n\n## See\n\n| tool | time |\n\
            |---|---|\n| x | 1 |\n\n| row | a |\n|---|---|\n| `b` | c |\n\n| no |\n";
        let readme = readme(text).unwrap();
        assert_eq!((&*readme.title, &*readme.idea), ("Lesson 9: a *", "One two."));
        assert_eq!(readme.table, [["row", "a"], ["`b`", "c"]]);
    }

    #[test]
    fn no_text_is_markup_but_its_own() {
        assert_eq!(
            inline("a `x < y` **b** [c](d.md)[0] & <i>"),
            "a <code>x &lt; y</code> <b>b</b> c[0] &amp; &lt;i&gt;"
        );
        assert_eq!(code("`a`, `b` and `c_d`").collect::<Vec<_>>(), ["a", "b", "c_d"]);
    }
}
