//! A terminal's screen as SVG: text stays text, and every piece of it has its place, whatever font there is.
//!
//! The window brings its own background, so that it looks alike on a light page and on a dark one.

use std::fmt::Write;

use vt100::{Cell, Color, Screen};

/// The size of one cell, in pixels.
const WIDTH: f64 = 8.4;
const HEIGHT: usize = 18;
/// Around the text, and the bar above it.
const MARGIN: usize = 14;
const BAR: usize = 30;

/// `c0` to `c6` are the terminal's colours; its white is the text's.
const STYLE: &str = "text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,'Liberation Mono','DejaVu Sans \
    Mono',monospace;\
    fill:#d8dee9}.b{font-weight:bold}\
    .c0,.t{fill:#8b949e}.c1{fill:#ff7b72}.c2{fill:#56d364}.c3{fill:#e3b341}.c4{fill:#79c0ff}\
     .c5{fill:#d2a8ff}.c6{fill:#76e3ea}";

/// The contents of a screen, line by line.
#[derive(Clone, PartialEq, Eq)]
pub struct Frame(Vec<Vec<Run>>);

/// Characters side by side that look alike.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Run {
    column: u16,
    text: String,
    colour: Option<u8>,
    bold: bool,
}

/// A frame of a recording.
pub struct Shot {
    pub frame: Frame,
    /// The line below the terminal about what happens beside it.
    pub caption: String,
    pub seconds: u32,
}

impl Frame {
    /// The screen down to its last row that is not empty.
    pub fn of(screen: &Screen) -> Frame {
        let Frame(mut lines) = Frame::whole(screen);
        while lines.last().is_some_and(Vec::is_empty) {
            lines.pop();
        }
        Frame(lines)
    }

    /// All rows of the screen, for a picture that shows how large it is.
    pub fn whole(screen: &Screen) -> Frame {
        let (rows, columns) = screen.size();
        let (rows, columns) = (rows.get(), columns.get());
        let row = |row| runs((0..columns).filter_map(|column| Some((column, screen.cell(row, column)?))));
        Frame((0..rows).map(row).collect())
    }

    pub fn lines(&self) -> usize {
        self.0.len()
    }

    fn draw(&self, svg: &mut String) {
        for (line, runs) in self.0.iter().enumerate() {
            let y = BAR + MARGIN + line * HEIGHT + 13;
            for run in runs {
                let x = MARGIN as f64 + f64::from(run.column) * WIDTH;
                let colour = run.colour.map_or_else(String::new, |colour| format!("c{colour}"));
                let look = [if run.bold { "b" } else { "" }, &colour].join(" ");
                text(svg, x, y, look.trim(), &run.text);
            }
        }
    }
}

fn runs<'a>(cells: impl Iterator<Item = (u16, &'a Cell)>) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    // Between two runs that look alike: spaces, of which the last are not drawn.
    let mut gap = 0;
    let mut open = false;
    for (column, cell) in cells {
        let blank = !cell.has_contents() || cell.contents() == " ";
        if blank {
            gap += 1;
            continue;
        }
        let look = Run { column, text: cell.contents().to_string(), colour: colour(cell), bold: cell.bold() };
        match runs.last_mut() {
            Some(last) if open && gap < 4 && last.colour == look.colour && last.bold == look.bold => {
                last.text.extend(std::iter::repeat_n(' ', gap));
                last.text.push_str(&look.text);
            }
            _ => runs.push(look),
        }
        gap = 0;
        open = true;
    }
    runs
}

/// Returns the colour of a cell, if it is one of the first eight or their bright twins.
fn colour(cell: &Cell) -> Option<u8> {
    match cell.fgcolor() {
        Color::Idx(index @ 0..16) => Some(index % 8),
        Color::Idx(_) | Color::Default | Color::Rgb(..) => None,
    }
}

/// One picture. `title` is what a screen reader says.
pub fn still(title: &str, frame: &Frame, columns: u16) -> String {
    let mut svg = begin(title, columns, frame.lines(), 0, "");
    frame.draw(&mut svg);
    svg + "</svg>\n"
}

/// A recording: one frame after the other, for ever. Where nothing moves, the last one.
pub fn moving(title: &str, shots: &[Shot], columns: u16) -> String {
    let lines = shots.iter().map(|shot| shot.frame.lines()).max().unwrap_or(0);
    let whole: u32 = shots.iter().map(|shot| shot.seconds).sum();
    let mut style = String::new();
    let mut from = 0;
    for (number, shot) in shots.iter().enumerate() {
        let percent = |seconds: u32| 100.0 * f64::from(seconds) / f64::from(whole.max(1));
        let to = from + shot.seconds;
        let (begin, end) = (percent(from), percent(to));
        let _ = write!(style, "@keyframes k{number}{{");
        if from > 0 {
            style.push_str("0%{visibility:hidden}");
        }
        let _ = write!(style, "{begin:.2}%{{visibility:visible}}");
        if to < whole {
            let _ = write!(style, "{end:.2}%{{visibility:hidden}}");
        }
        let _ = write!(style, "}}.f{number}{{animation:k{number} {whole}s step-end infinite}}");
        from = to;
    }
    style.push_str(".f{visibility:hidden}.f:last-child{visibility:visible}");
    style.push_str("@media(prefers-reduced-motion:reduce){.f{animation:none}}");
    let mut svg = begin(title, columns, lines, 1, &style);
    for (number, shot) in shots.iter().enumerate() {
        let _ = write!(svg, "<g class=\"f f{number}\">");
        shot.frame.draw(&mut svg);
        let y = BAR + MARGIN + (lines + 1) * HEIGHT + 13;
        text(&mut svg, MARGIN as f64, y, "t", &shot.caption);
        svg.push_str("</g>\n");
    }
    svg + "</svg>\n"
}

/// The window, with room for the lines and a bar of `captions` lines below them.
fn begin(title: &str, columns: u16, lines: usize, captions: usize, style: &str) -> String {
    let width = 2 * MARGIN + (f64::from(columns) * WIDTH).ceil() as usize;
    let height = BAR + 2 * MARGIN + (lines + 2 * captions) * HEIGHT;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" \
         xml:space=\"preserve\" role=\"img\">\n<title>{}</title>\n<style>{STYLE}{style}</style>\n\
         <rect x=\".5\" y=\".5\" width=\"{}\" height=\"{}\" rx=\"8\" fill=\"#161b22\" stroke=\"#444c56\"/>\n",
        escaped(title),
        width - 1,
        height - 1,
    );
    for (dot, colour) in ["#ff5f57", "#febc2e", "#28c840"].into_iter().enumerate() {
        let _ = write!(svg, "<circle cx=\"{}\" cy=\"18\" r=\"6\" fill=\"{colour}\"/>", 20 + 20 * dot);
    }
    svg.push('\n');
    if captions > 0 {
        let y = height - MARGIN - HEIGHT - 6;
        let _ = writeln!(svg, "<path d=\"M1 {y}H{}\" stroke=\"#444c56\"/>", width - 1);
    }
    svg
}

/// Stretched to the width of its cells, so that columns stay columns in every font.
fn text(svg: &mut String, x: f64, y: usize, look: &str, words: &str) {
    let length = words.chars().count() as f64 * WIDTH;
    let class = if look.is_empty() { String::new() } else { format!(" class=\"{look}\"") };
    let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y}\" textLength=\"{length:.1}\"{class}>{}</text>", escaped(words));
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn screen(bytes: &str) -> Frame {
        let mut parser = vt100::Parser::new(5.try_into().unwrap(), 20.try_into().unwrap(), 0);
        parser.process(bytes.as_bytes());
        Frame::of(parser.screen())
    }

    #[test]
    fn a_frame_is_what_is_left_on_the_screen() {
        let frame = screen("gone\r\x1b[Ka \x1b[1;31mb & c\x1b[0m       d\r\n\r\n  e\r\n");
        assert_eq!(frame.lines(), 3);
        let mut parser = vt100::Parser::new(5.try_into().unwrap(), 20.try_into().unwrap(), 0);
        parser.process(b"one");
        assert_eq!(Frame::whole(parser.screen()).lines(), 5);
        let run = |column, text: &str, colour, bold| Run { column, text: text.into(), colour, bold };
        assert_eq!(frame.0[0], [run(0, "a", None, false), run(2, "b & c", Some(1), true), run(14, "d", None, false)]);
        assert_eq!(frame.0[2], [run(2, "e", None, false)]);
        let svg = still("a \"title\"", &frame, 20);
        assert!(svg.contains("class=\"b c1\">b &amp; c</text>") && svg.contains("a &quot;title&quot;"), "{svg}");
    }

    /// Each frame is seen for its share of the time, and the last one where nothing moves.
    #[test]
    fn a_recording_shows_one_frame_after_the_other() {
        let shot = |text, seconds| Shot { frame: screen(text), caption: String::new(), seconds };
        let svg = moving("", &[shot("one", 1), shot("two", 3)], 20);
        assert!(svg.contains("@keyframes k0{0.00%{visibility:visible}25.00%{visibility:hidden}}"), "{svg}");
        assert!(svg.contains("@keyframes k1{0%{visibility:hidden}25.00%{visibility:visible}}"), "{svg}");
        assert!(svg.contains(".f:last-child{visibility:visible}"), "{svg}");
    }
}
