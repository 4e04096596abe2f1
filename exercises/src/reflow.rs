//! A page of `explain`, without the line breaks of the file that it is in: a terminal of another width has others.

/// Joins the lines of each paragraph and of each item of a list. Code, tables and headings keep theirs.
pub fn unwrapped(page: &str) -> String {
    let mut out = String::new();
    let mut is_code = false;
    // The last line is prose that the next line may continue.
    let mut is_open = false;
    for line in page.lines() {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        let is_own = is_code || is_fence || line.trim().is_empty() || line.starts_with(['#', '|', ' ']) && !is_open;
        let continues = is_open && !is_own && !begins_block(line);
        if continues {
            out.push(' ');
            out.push_str(line.trim());
        } else {
            out.push_str(if out.is_empty() { "" } else { "\n" });
            out.push_str(line);
        }
        is_open = !is_own;
    }
    out + "\n"
}

/// A heading, a row of a table or an item of a list, numbered or not.
fn begins_block(line: &str) -> bool {
    let text = line.trim_start();
    let after_number = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = after_number.len() < text.len() && after_number.starts_with(". ");
    is_numbered || text.starts_with("- ") || text.starts_with("* ") || text.starts_with(['#', '|'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_and_items_are_joined_and_code_is_not() {
        let page = "# race\n\nTwo threads\naccess one word.\n- one\n  item\n- two\n1. three\n\n```cuda\n\
            int a;\n  int b;\n```\nafter\nit\n";
        let wanted = "# race\n\nTwo threads access one word.\n- one item\n- two\n1. three\n\n```cuda\n\
            int a;\n  int b;\n```\nafter it\n";
        assert_eq!(unwrapped(page), wanted);
    }

    #[test]
    fn no_page_loses_a_word() {
        for slug in emulator::finding::Slug::ALL {
            let page = tell::explain::named(slug.as_str()).unwrap();
            let words = |text: &str| text.split_whitespace().map(str::to_string).collect::<Vec<_>>();
            assert_eq!(words(&unwrapped(page)), words(page), "{slug:?}");
        }
    }
}
