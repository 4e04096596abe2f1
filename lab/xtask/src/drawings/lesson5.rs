use super::svg::TextAnchor::{End, Middle, Start};
use super::svg::Tone::{Blue, Green, Grey, Orange, Red, White};
use super::svg::{Drawing, Tone};
use crate::stored::Say;

pub fn child_grid(say: Say) -> Drawing {
    let mut d = Drawing::new(
        360,
        say("A parent launches a child: who sees what?", "Un padre lanza un hijo: ¿quién ve qué?"),
        say(
            "Over time: a parent grid writes a, launches a child, and goes on. The child sees a. What the parent \
             writes after the launch is not ordered with the child. The parent cannot wait for the child. A grid in \
             the tail stream begins when both are complete and sees all that the child wrote.",
            "En el tiempo: un grid padre escribe a, lanza un hijo y sigue. El hijo ve a. Lo que el padre escribe \
             después del lanzamiento no tiene orden con el hijo. El padre no puede esperar al hijo. Un grid en el \
             tail stream empieza cuando los dos han terminado y ve todo lo que escribió el hijo.",
        ),
    );
    d.text(Start, 24, 104, say("parent", "padre"));
    d.cell([90, 78, 100, 44], Blue, say("writes `a`", "escribe `a`"));
    d.cell([194, 78, 100, 44], Orange, say("launches\nthe child", "lanza\nel hijo"));
    d.cell([298, 78, 100, 44], Blue, say("writes `b`", "escribe `b`"));
    d.text(Start, 24, 204, say("child", "hijo"));
    d.cell([262, 178, 110, 44], Green, say("reads `a`: ok", "lee `a`: bien"));
    d.hatched_cell([376, 178, 110, 44], Red, say("reads `b`: race", "lee `b`: carrera"));
    d.cell([490, 178, 96, 44], Blue, say("writes `c`", "escribe `c`"));
    d.text(Start, 24, 290, say("tail stream", "tail stream"));
    d.cell([624, 264, 112, 44], Green, say("reads `c`: ok", "lee `c`: bien"));
    d.arrow((140, 122), (280, 178), Blue);
    d.arrow((244, 122), (320, 178), Orange);
    d.note(End, 188, 160, say("before the launch", "antes del lanzamiento"));
    d.dashed_line((370, 122), (431, 178), Red);
    d.text(Start, 416, 152, say("no order", "sin orden"));
    d.hatched_cell([402, 78, 184, 44], Red, say("reads `c`: race", "lee `c`: carrera"));
    d.dashed_line((530, 122), (538, 178), Red);
    d.note(End, 586, 68, say("a parent cannot wait for its child", "un padre no puede esperar a su hijo"));
    d.line((604, 70), (604, 316), Orange);
    d.arrow((586, 208), (640, 264), Blue);
    d.note(End, 596, 258, say("parent and child are complete", "padre e hijo han terminado"));
    d.time(326, say("time", "tiempo"));
    d
}

pub fn mariani_silver(say: Say) -> Drawing {
    let mut d = Drawing::new(
        330,
        say("Mariani and Silver: compute the border first", "Mariani y Silver: primero se calcula el borde"),
        say(
            "One block takes a rectangle and computes the dwell of its border only. If the border has one dwell \
             everywhere, the rectangle is filled. If not, it is divided into four by four parts, in a new launch. If \
             the parts would be too small, each pixel is computed.",
            "Un bloque toma un rectángulo y calcula solo el dwell de su borde. Si el borde tiene un solo dwell, se \
             rellena el rectángulo. Si no, se divide en cuatro por cuatro partes, en un lanzamiento nuevo. Si las \
             partes serían muy pequeñas, se calcula cada píxel.",
        ),
    );
    // A rectangle, and its border in cells.
    let border = |d: &mut Drawing, x: i32, y: i32, mixed: bool| {
        for row in 0..8 {
            for column in 0..8 {
                if row % 7 == 0 || column % 7 == 0 {
                    let other = mixed && column + row > 9;
                    d.area([x + 12 * column, y + 12 * row, 12, 12], if other { Orange } else { Blue });
                }
            }
        }
    };
    let inside = |d: &mut Drawing, x: i32, y: i32, tone: Tone| d.area([x, y, 96, 96], tone);
    let panels = [
        (24, say("border all equal", "borde todo igual"), "`dwell_fill`", say("fill it", "se rellena")),
        (
            270,
            say("border mixed", "borde mixto"),
            "`mariani_silver_correct`",
            say("4 x 4 parts, one launch", "4 x 4 partes, un lanzamiento"),
        ),
        (
            516,
            say("mixed, and too small", "mixto y muy pequeño"),
            "`dwell_pixels`",
            say("each pixel by itself", "cada píxel por separado"),
        ),
    ];
    for (index, (x, what, kernel, result)) in panels.into_iter().enumerate() {
        d.text(Middle, x + 110, 70, what);
        border(&mut d, x, 96, index > 0);
        d.arrow((x + 100, 144), (x + 120, 144), Grey);
        let right = x + 124;
        match index {
            0 => inside(&mut d, right, 96, Blue),
            1 => {
                for part in 0..16 {
                    d.area([right + 24 * (part % 4), 96 + 24 * (part / 4), 22, 22], White);
                }
            }
            _ => {
                for pixel in 0..64 {
                    let (column, row) = (pixel % 8, pixel / 8);
                    let tone = if column + row > 9 {
                        Orange
                    } else if column + row > 6 {
                        Green
                    } else {
                        Blue
                    };
                    d.area([right + 12 * column, 96 + 12 * row, 12, 12], tone);
                }
            }
        }
        d.text(Middle, x + 110, 222, result);
        d.text(Middle, x + 110, 244, kernel);
    }
    d.arrow_along(
        &[(442, 194), (442, 202), (498, 202), (498, 264), (257, 264), (257, 84), (318, 84), (318, 94)],
        Orange,
    );
    d.note(Middle, 380, 282, say("each part begins again", "cada parte empieza de nuevo"));
    d.note(
        Start,
        24,
        312,
        say(
            "Only the data say how deep this goes. So the kernel launches, and the host does not.",
            "Solo los datos dicen hasta dónde se divide. Por eso lanza el kernel y no el host.",
        ),
    );
    d
}
