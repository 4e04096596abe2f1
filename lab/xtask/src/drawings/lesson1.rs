use super::svg::TextAnchor::{End, Middle, Start};
use super::svg::Tone::{Blue, Green, Orange, Red, White};
use super::svg::{Drawing, Tone};
use crate::stored::Say;

/// Ints in a sector of 32 bytes.
const SECTOR: i32 = 8;

pub fn sectors(say: Say) -> Drawing {
    let mut d = Drawing::new(
        374,
        say("How many sectors does one load of a warp touch?", "¿Cuántos sectores toca una lectura de un warp?"),
        say(
            "Four loads of 32 lanes. Ints side by side touch 4 sectors of 32 bytes and use every byte. int4 touches \
             16 sectors and uses every byte. A stride of 2 touches 8 sectors and uses half of the bytes. An offset of \
             1 touches 5 sectors.",
            "Cuatro lecturas de 32 lanes. Los int contiguos tocan 4 sectores de 32 bytes y usan todos los bytes. int4 \
             toca 16 sectores y usa todos los bytes. Un paso de 2 toca 8 sectores y usa la mitad. Un desplazamiento \
             de 1 toca 5 sectores.",
        ),
    );
    let used = say("used", "usado");
    let unused = say("moved, not used", "se mueve, no se usa");
    d.full_area([24, 50, 26, 14], Blue);
    d.note(Start, 58, 62, used);
    d.area([150, 50, 26, 14], White);
    d.note(Start, 184, 62, unused);
    d.note(End, 736, 62, say("one box = one sector = 32 bytes = 8 ints", "una caja = un sector = 32 bytes = 8 int"));
    // Lane i takes `wide` ints from i * stride + offset.
    let rows = [
        (
            say("`int`, side by side: `in[i]`", "`int` contiguos: `in[i]`"),
            say("4 sectors, 128 of 128 bytes used", "4 sectores, se usan 128 de 128 bytes"),
            1,
            0,
            1,
        ),
        (
            say("`int4`, side by side: `in4[i]`", "`int4` contiguos: `in4[i]`"),
            say("16 sectors, 512 of 512 bytes used", "16 sectores, se usan 512 de 512 bytes"),
            4,
            0,
            4,
        ),
        (
            say("stride 2: `in[2 * i]`", "paso (stride) 2: `in[2 * i]`"),
            say("8 sectors, 128 of 256 bytes used", "8 sectores, se usan 128 de 256 bytes"),
            2,
            0,
            1,
        ),
        (
            say("offset 1: `in[i + 1]`", "desplazamiento 1: `in[i + 1]`"),
            say("5 sectors, 128 of 160 bytes used", "5 sectores, se usan 128 de 160 bytes"),
            1,
            1,
            1,
        ),
    ];
    for (row, (what, result, stride, offset, wide)) in (0..).zip(rows) {
        let y = 98 + 66 * row;
        d.text(Start, 24, y, what);
        d.text(End, 736, y, result);
        for sector in 0..(31 * stride + offset + wide + SECTOR - 1) / SECTOR {
            d.area([24 + 44 * sector, y + 9, 40, 26], White);
        }
        let first = |lane| lane * stride + offset;
        let taken: Vec<i32> = (0..32).flat_map(|lane| first(lane)..first(lane) + wide).collect();
        // Ints side by side in one sector are one piece.
        for piece in taken.chunk_by(|a, b| a + 1 == *b && a / SECTOR == b / SECTOR) {
            let at = piece[0];
            let x = 24 + 44 * (at / SECTOR) + 5 * (at % SECTOR);
            d.full_area([x + 1, y + 11, 5 * piece.len() as i32 - 2, 22], Blue);
        }
    }
    d.note(
        Start,
        24,
        358,
        say(
            "Memory moves whole sectors. What counts is how many sectors hold something that a lane asks for.",
            "La memoria mueve sectores enteros. Cuenta cuántos sectores tienen algo que pide algún lane.",
        ),
    );
    d
}

pub fn tail(say: Say) -> Drawing {
    let mut d = Drawing::new(
        330,
        say("18 ints copied as `int4`: 2 are left", "18 int copiados como `int4`: sobran 2"),
        say(
            "18 elements: four pieces of four ints, copied by threads 0 to 3, and a tail of two ints. The broken \
             kernel leaves the tail to thread 4, which does not exist. In the correct kernel threads 0 and 1 copy one \
             int each.",
            "18 elementos: cuatro piezas de cuatro int, copiadas por los threads 0 a 3, y una cola de dos int. El \
             kernel incorrecto deja la cola al thread 4, que no existe. En el kernel correcto los threads 0 y 1 \
             copian un int cada uno.",
        ),
    );
    let left = |i: i32| 24 + 36 * i + 16 * (i / 4);
    for i in 0..18 {
        let area = [left(i), 76, 34, 34];
        if i < 16 {
            d.cell(area, Blue, &format!("`{i}`"));
        } else {
            d.hatched_cell(area, Orange, &format!("`{i}`"));
        }
    }
    d.note(Start, 24, 64, say("one block of 4 threads, `n = 18`", "un bloque de 4 threads, `n = 18`"));
    d.note(End, 736, 64, say("the tail", "la cola"));
    for piece in 0..4 {
        let start = left(4 * piece);
        d.bracket(start, start + 142, 114, Blue);
        d.text(Middle, start + 71, 144, &format!("thread {piece}"));
        d.note(Middle, start + 71, 162, say("one `int4`", "un `int4`"));
    }
    d.bracket(left(16), left(17) + 34, 114, Orange);
    d.text(Middle, left(16) + 35, 144, "`n % 4`");
    d.note(Middle, left(16) + 35, 162, say("2 ints", "2 int"));

    let panel = |d: &mut Drawing, x: i32, tone: Tone, head: &str, code: &str, lines: [&str; 2]| {
        d.area([x, 184, 348, 122], tone);
        d.text_inside(x + 16, 210, head);
        d.text_inside(x + 16, 236, code);
        d.text_inside(x + 16, 264, lines[0]);
        d.text_inside(x + 16, 286, lines[1]);
    };
    panel(
        &mut d,
        24,
        Red,
        say("Broken kernel", "Kernel incorrecto"),
        "`if (index == n / 4)`",
        [
            say("The tail is left to thread 4.", "La cola queda para el thread 4."),
            say("There is no thread 4: nobody copies it.", "No hay thread 4: nadie la copia."),
        ],
    );
    panel(
        &mut d,
        388,
        Green,
        say("Correct kernel", "Kernel correcto"),
        "`if (index < n % 4)`",
        [
            say("Thread 0 copies int 16, thread 1 int 17.", "El thread 0 copia el 16; el thread 1, el 17."),
            say("Threads 0, 1 and 2 are in every grid.", "Los threads 0, 1 y 2 siempre existen."),
        ],
    );
    d
}
