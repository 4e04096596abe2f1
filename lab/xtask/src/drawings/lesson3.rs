use super::svg::Drawing;
use super::svg::TextAnchor::{End, Middle, Start};
use super::svg::Tone::{Blue, Green, Grey, Orange, Red, White};
use crate::stored::Say;

/// The left edge of a lane's column.
fn lane_at(lane: i32) -> i32 {
    150 + 74 * lane
}

fn lane_heads(d: &mut Drawing, y: i32) {
    d.note(Start, 24, y, "lane");
    for lane in 0..8 {
        d.note(Middle, lane_at(lane) + 27, y, &format!("{lane}"));
    }
}

pub fn shuffle_down(say: Say) -> Drawing {
    let mut d = Drawing::new(
        352,
        say(
            "A sum by `__shfl_down_sync()`: a tree that ends in lane 0",
            "Una suma con `__shfl_down_sync()`: un árbol hasta el lane 0",
        ),
        say(
            "Eight lanes hold 1 to 8. With offset 4 lanes 0 to 3 add the values of lanes 4 to 7: 6, 8, 10, 12. With \
             offset 2 lanes 0 and 1 get 16 and 20. With offset 1 lane 0 gets 36. The values of the other lanes are \
             not used.",
            "Ocho lanes tienen de 1 a 8. Con offset 4 los lanes 0 a 3 suman los valores de los lanes 4 a 7: 6, 8, 10, \
             12. Con offset 2 los lanes 0 y 1 obtienen 16 y 20. Con offset 1 el lane 0 obtiene 36. Los valores de los \
             otros lanes no se usan.",
        ),
    );
    lane_heads(&mut d, 64);
    let labels = [say("start", "inicio"), "`offset = 4`", "`offset = 2`", "`offset = 1`"];
    let sums: [&[i32]; 4] = [&[1, 2, 3, 4, 5, 6, 7, 8], &[6, 8, 10, 12], &[16, 20], &[36]];
    for (row, (label, sums)) in (0..).zip(labels.iter().zip(sums)) {
        let y = 74 + 66 * row;
        d.text(Start, 24, y + 22, label);
        for lane in 0..8 {
            let area = [lane_at(lane), y, 54, 34];
            match sums.get(lane as usize) {
                Some(sum) if row == 3 => d.cell(area, Green, &format!("`{sum}`")),
                Some(sum) => d.cell(area, Blue, &format!("`{sum}`")),
                None => d.hatched_area(area, Grey),
            }
        }
        for lane in 0..sums.len() as i32 {
            if row > 0 {
                let from = lane + sums.len() as i32;
                d.line((lane_at(lane) + 20, y - 32), (lane_at(lane) + 20, y), Grey);
                d.arrow((lane_at(from) + 27, y - 32), (lane_at(lane) + 30, y), Blue);
            }
        }
    }
    d.note(
        Start,
        24,
        338,
        say(
            "8 lanes for short; a warp begins with offset 16. Lane 0 has the sum. Hatched: not used.",
            "8 lanes para abreviar; un warp empieza con offset 16. Solo el lane 0 tiene la suma. Rayado: no se usa.",
        ),
    );
    d
}

pub fn shuffle_xor(say: Say) -> Drawing {
    let mut d = Drawing::new(
        352,
        say(
            "A sum by `__shfl_xor_sync()`: every lane has it",
            "Una suma con `__shfl_xor_sync()`: la tienen todos los lanes",
        ),
        say(
            "Eight lanes hold 1 to 8. In each of three steps each lane adds the value of its partner: the lane whose \
             number differs in one bit. After masks 4, 2 and 1 every lane holds 36.",
            "Ocho lanes tienen de 1 a 8. En cada uno de tres pasos cada lane suma el valor de su pareja: el lane cuyo \
             número difiere en un bit. Después de las máscaras 4, 2 y 1 todos los lanes tienen 36.",
        ),
    );
    lane_heads(&mut d, 64);
    let mut values: [i32; 8] = [1, 2, 3, 4, 5, 6, 7, 8];
    for (row, mask) in [0, 4, 2, 1].into_iter().enumerate() {
        let y = 74 + 66 * row as i32;
        let label = if mask == 0 { say("start", "inicio").to_string() } else { format!("`laneMask = {mask}`") };
        d.text(Start, 24, y + 22, &label);
        if mask != 0 {
            values = std::array::from_fn(|lane| values[lane] + values[lane ^ mask]);
        }
        for lane in 0..8 {
            if mask != 0 {
                let partner = lane ^ mask as i32;
                d.arrow((lane_at(partner) + 27, y - 32), (lane_at(lane) + 27, y), Blue);
            }
            let tone = if mask == 1 { Green } else { Blue };
            d.cell([lane_at(lane), y, 54, 34], tone, &format!("`{}`", values[lane as usize]));
        }
    }
    d.note(
        Start,
        24,
        338,
        say(
            "The partner of a lane is `lane ^ laneMask`. An arrow brings the partner's value; the lane adds its own.",
            "La pareja de un lane es `lane ^ laneMask`. La flecha trae el valor de la pareja; el lane suma el suyo.",
        ),
    );
    d
}

pub fn activemask(say: Say) -> Drawing {
    let mut d = Drawing::new(
        310,
        say("Who took the branch, and who runs here right now?", "¿Quién tomó la rama y quién se ejecuta aquí ahora?"),
        say(
            "Eight lanes. Lanes 0 to 5 took the branch; a vote with __ballot_sync gives 0x3f. Only lanes 0, 2 and 3 \
             run together right now, the others are still in a loop; __activemask gives 0x0d. A shuffle with that \
             mask misses lanes 1, 4 and 5.",
            "Ocho lanes. Los lanes 0 a 5 tomaron la rama; una votación con __ballot_sync da 0x3f. Solo los lanes 0, 2 \
             y 3 se ejecutan juntos ahora, los otros siguen en un bucle; __activemask da 0x0d. A un shuffle con esa \
             máscara le faltan 1, 4 y 5.",
        ),
    );
    let took = say("takes it", "la toma");
    let here = say("here", "aquí");
    let later = say("later", "luego");
    let rows = [
        (
            say("`t < 6`: takes the branch", "`t < 6`: toma la rama"),
            "`__ballot_sync(FULL_MASK, t < 6)`",
            "`0x3f`",
            [took, took, took, took, took, took, "", ""],
        ),
        (
            say("out of the loop, together here", "salieron del bucle, juntos aquí"),
            "`__activemask()`",
            "`0x0d`",
            [here, later, here, here, later, later, "", ""],
        ),
    ];
    for lane in 0..8 {
        d.note(Middle, 24 + 72 * lane + 32, 64, &format!("lane {lane}"));
    }
    d.note(Middle, 672, 64, say("mask", "máscara"));
    for (row, (what, call, mask, lanes)) in (0..).zip(rows) {
        let y = 74 + 96 * row;
        for (lane, word) in (0..).zip(lanes) {
            let area = [24 + 72 * lane, y, 64, 38];
            match word {
                "" => d.dashed_area(area, Grey),
                word if word == later => d.hatched_cell(area, Grey, word),
                word => d.cell(area, if row == 0 { Green } else { Orange }, word),
            }
        }
        d.cell([624, y, 96, 38], if row == 0 { Green } else { Red }, mask);
        d.text(Start, 24, y + 60, what);
        d.text(End, 720, y + 60, call);
    }
    d.note(
        Start,
        24,
        266,
        say(
            "Lanes 0 to 5 are needed. With `0x0d`, 1, 4 and 5 are absent: a read from them is undefined.",
            "Se necesitan los lanes 0 a 5. Con `0x0d` faltan 1, 4 y 5: leer de ellos es indefinido.",
        ),
    );
    d.note(
        Start,
        24,
        288,
        say(
            "`__ballot_sync()` waits for all lanes of its mask. `__activemask()` waits for nobody.",
            "`__ballot_sync()` espera a todos los lanes de su máscara. `__activemask()` no espera a nadie.",
        ),
    );
    d
}

pub fn ballot(say: Say) -> Drawing {
    let mut d = Drawing::new(
        330,
        say("`__ballot_sync()`: one bit per lane", "`__ballot_sync()`: un bit por lane"),
        say(
            "Eight lanes, lane 7 on the left. Each lane asks whether its value is positive. The answers become the \
             bits of one mask, 0x59, and every lane gets it. Its number of bits is 4, its lowest bit is that of lane \
             0.",
            "Ocho lanes, el lane 7 a la izquierda. Cada lane pregunta si su valor es positivo. Las respuestas son los \
             bits de una máscara, 0x59, y la reciben todos los lanes. Tiene 4 bits en uno; el más bajo es el del lane \
             0.",
        ),
    );
    d.note(Start, 24, 64, "lane");
    d.text(Start, 24, 96, say("value `v`", "valor `v`"));
    d.text(Start, 24, 160, "`v > 0`");
    d.text(Start, 24, 224, say("mask", "máscara"));
    for (lane, v) in (0..).zip([5, -1, 0, 7, 2, -3, 9, -8]) {
        // Lane 0 on the right, as the lowest bit is written.
        let x = lane_at(7 - lane);
        let yes = v > 0;
        d.note(Middle, x + 27, 64, &format!("{lane}"));
        d.cell([x, 74, 54, 34], White, &format!("`{v}`"));
        d.arrow((x + 27, 108), (x + 27, 138), Grey);
        d.cell([x, 138, 54, 34], if yes { Green } else { Grey }, if yes { say("yes", "sí") } else { "no" });
        d.arrow((x + 27, 172), (x + 27, 202), Grey);
        d.cell([x, 202, 54, 34], if yes { Blue } else { White }, if yes { "`1`" } else { "`0`" });
    }
    d.bracket(lane_at(0), lane_at(7) + 54, 242, Blue);
    d.text(
        Middle,
        436,
        272,
        say(
            "`mask = __ballot_sync(FULL_MASK, v > 0)`: every lane gets `0x59`",
            "`mask = __ballot_sync(FULL_MASK, v > 0)`: todos los lanes reciben `0x59`",
        ),
    );
    d.note(
        Start,
        24,
        308,
        say(
            "How many: `__popc(mask)` is 4. The first: `__ffs(mask) - 1` is lane 0. A mask has 32 bits.",
            "Cuántos: `__popc(mask)` es 4. El primero: `__ffs(mask) - 1` es el lane 0. Una máscara tiene 32 bits.",
        ),
    );
    d
}
