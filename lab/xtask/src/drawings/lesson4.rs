use super::svg::TextAnchor::{End, Middle, Start};
use super::svg::Tone::{Blue, Green, Grey, Orange, Red, White};
use super::svg::{Drawing, Tone};
use crate::stored::Say;

pub fn lost_update(say: Say) -> Drawing {
    let mut d = Drawing::new(
        330,
        say("`count++` by two threads: one update is lost", "`count++` en dos threads: se pierde una suma"),
        say(
            "Two threads add 1 to a counter that holds 5. Both read 5, both write 6. The counter holds 6 and not 7. \
             With atomicAdd the second thread finds 6 and the counter ends at 7.",
            "Dos threads suman 1 a un contador que vale 5. Los dos leen 5 y los dos escriben 6. El contador vale 6 y \
             no 7. Con atomicAdd el segundo thread encuentra 6 y el contador termina en 7.",
        ),
    );
    let (left, right) = ("thread 0", "thread 1");
    let panel = |d: &mut Drawing, x: i32, head: &str| {
        d.text(Start, x, 64, head);
        d.note(Middle, x + 60, 90, left);
        d.note(Middle, x + 174, 90, "`count`");
        d.note(Middle, x + 288, 90, right);
    };
    let cell = |d: &mut Drawing, x: i32, y: i32, tone: Tone, text: &str| d.cell([x, y, 120, 32], tone, text);
    let count = |d: &mut Drawing, x: i32, y: i32, value: &str| d.cell([x + 156, y, 36, 32], White, value);

    panel(&mut d, 24, say("`count++`: read, add, write", "`count++`: leer, sumar, escribir"));
    let reads = say("reads 5", "lee 5");
    let writes = say("writes 6", "escribe 6");
    for (row, value) in (0..).zip(["5", "5", "6", "6"]) {
        let y = 100 + 42 * row;
        count(&mut d, 24, y, value);
        let (x, from, to) = if row % 2 == 0 { (24, 180, 144) } else { (252, 216, 252) };
        let (tone, word) = if row < 2 { (Green, reads) } else { (Blue, writes) };
        cell(&mut d, x, y, tone, word);
        let (from, to) = if row < 2 { (from, to) } else { (to, from) };
        d.arrow((from, y + 16), (to, y + 16), tone);
    }
    d.cell([24, 272, 348, 36], Red, say("6 and not 7: one addition is lost", "6 y no 7: se pierde una suma"));

    d.line((380, 56), (380, 308), Grey);
    panel(&mut d, 388, say("`atomicAdd(count, 1)`: one step", "`atomicAdd(count, 1)`: un solo paso"));
    count(&mut d, 388, 100, "5");
    count(&mut d, 388, 142, "6");
    count(&mut d, 388, 184, "7");
    cell(&mut d, 388, 121, Orange, say("5 becomes 6", "de 5 a 6"));
    d.arrow((508, 137), (544, 156), Orange);
    cell(&mut d, 616, 163, Orange, say("6 becomes 7", "de 6 a 7"));
    d.arrow((616, 179), (580, 198), Orange);
    d.note(Middle, 562, 240, say("Nobody can come between", "Nadie puede entrar entre"));
    d.note(Middle, 562, 258, say("the read and the write.", "la lectura y la escritura."));
    d.cell([388, 272, 348, 36], Green, say("7, in either order", "7, en cualquier orden"));
    d
}

pub fn private_bins(say: Say) -> Drawing {
    let mut d = Drawing::new(
        360,
        say("A histogram for each block, then one for all", "Un histograma por bloque y después uno para todos"),
        say(
            "Two blocks count in bins of their own in shared memory: 3, 1, 0, 2 and 1, 2, 2, 1. After a barrier each \
             block adds its bins to the bins in global memory, one atomic operation per bin: 4, 3, 2, 3.",
            "Dos bloques cuentan en bins propios en memoria compartida: 3, 1, 0, 2 y 1, 2, 2, 1. Después de una \
             barrera cada bloque suma sus bins a los de memoria global, una operación atómica por bin: 4, 3, 2, 3.",
        ),
    );
    let data = [(24, "0 3 0 1 3 0", [3, 1, 0, 2]), (388, "2 1 0 1 2 3", [1, 2, 2, 1])];
    for (block, (x, bytes, bins)) in (0..).zip(data) {
        d.dashed_area([x, 52, 348, 176], Grey);
        d.text(Start, x + 14, 74, &format!("{} {block}", say("block", "bloque")));
        d.text(End, x + 334, 74, &format!("{} `{bytes}`", say("its bytes:", "sus bytes:")));
        d.text(
            Start,
            x + 14,
            106,
            say("1. per byte: `atomicAdd(&h[byte], 1)`", "1. por byte: `atomicAdd(&h[byte], 1)`"),
        );
        d.note(Start, x + 14, 146, say("shared", "memoria"));
        d.note(Start, x + 14, 162, say("memory", "compartida"));
        for (bin, count) in (0..).zip(bins) {
            let left = x + 110 + 58 * bin;
            d.arrow((left + 26, 112), (left + 26, 132), Blue);
            d.cell([left, 132, 52, 36], Blue, &format!("`{count}`"));
            d.arrow_along(
                &[(left + 26, 212), (left + 26, 228), (260 + 64 * bin + if block == 0 { 18 } else { 40 }, 284)],
                Orange,
            );
        }
        d.cell([x + 110, 178, 226, 34], Orange, "2. `__syncthreads()`");
    }
    d.text(Start, 24, 258, say("3. per bin and block:", "3. por bin y bloque:"));
    d.text(Start, 24, 278, say("one `atomicAdd()`", "un `atomicAdd()`"));
    d.note(Start, 24, 310, say("global memory", "memoria global"));
    for (bin, count) in (0..).zip([4, 3, 2, 3]) {
        d.cell([260 + 64 * bin, 284, 58, 38], Green, &format!("`{count}`"));
        d.note(Middle, 289 + 64 * bin, 342, &format!("bin {bin}"));
    }
    d.note(Start, 540, 300, say("Few threads meet", "Pocos threads"));
    d.note(Start, 540, 318, say("at a global bin.", "coinciden aquí."));
    d
}

pub fn one_atomic_per_warp(say: Say) -> Drawing {
    let mut d = Drawing::new(
        360,
        say("A filter with one atomic operation per warp", "Un filtro con una operación atómica por warp"),
        say(
            "Eight lanes. Lanes 0, 3, 4 and 6 hold a positive value and vote yes. The leader, lane 0, adds 4 to the \
             counter and gets 10. A shuffle hands 10 to all. Each lane that keeps its value writes to 10 plus the \
             number of keepers before it.",
            "Ocho lanes. Los lanes 0, 3, 4 y 6 tienen un valor positivo y votan sí. El líder, el lane 0, suma 4 al \
             contador y recibe 10. Un shuffle reparte el 10. Cada lane que guarda su valor escribe en 10 más el \
             número de votos anteriores.",
        ),
    );
    let lane_at = |lane: i32| 200 + 66 * lane;
    d.note(Start, 24, 64, "lane");
    d.text(Start, 24, 94, say("value", "valor"));
    d.text(Start, 24, 138, "1. `__ballot_sync()`");
    d.text(Start, 24, 182, say("2. leader, lane 0", "2. líder, lane 0"));
    d.text(Start, 24, 226, say("3. rank `__popc()`", "3. rango `__popc()`"));
    d.text(Start, 24, 316, say("4. `dst[10 + rank]`", "4. `dst[10 + rango]`"));
    let mut rank = 0;
    for (lane, value) in (0..).zip([5, -1, 0, 7, 2, -3, 9, -8]) {
        let x = lane_at(lane);
        d.note(Middle, x + 27, 64, &format!("{lane}"));
        let keeps = value > 0;
        d.cell([x, 74, 54, 30], if keeps { Blue } else { Grey }, &format!("`{value}`"));
        d.cell([x, 118, 54, 30], if keeps { Green } else { Grey }, if keeps { say("yes", "sí") } else { "no" });
        if !keeps {
            d.dashed_area([x, 206, 54, 30], Grey);
            continue;
        }
        d.cell([x, 206, 54, 30], Green, &format!("`{rank}`"));
        let place = 266 + 96 * rank;
        d.arrow((x + 27, 236), (place + 37, 294), Blue);
        d.cell([place, 294, 74, 34], Blue, &format!("`{value}`"));
        d.note(Middle, place + 37, 346, &format!("`dst[{}]`", 10 + rank));
        rank += 1;
    }
    d.cell(
        [200, 160, 516, 34],
        Orange,
        say(
            "`atomicAdd(kept, 4)` gives 10; a shuffle hands it to all \"yes\" lanes",
            "`atomicAdd(kept, 4)` da 10; un shuffle lo reparte a los lanes con \"sí\"",
        ),
    );
    d
}

pub fn cas_loop(say: Say) -> Drawing {
    let mut d = Drawing::new(
        284,
        say("A compare-and-swap loop", "Un bucle de comparar e intercambiar"),
        say(
            "Read the value as seen. Compute a new value from it. atomicCAS writes the new value only if memory still \
             holds seen. If it does, the loop ends. If another thread was faster, seen becomes what was found, and \
             the loop computes again.",
            "Lee el valor como seen. Calcula un valor nuevo. atomicCAS escribe el valor nuevo solo si la memoria aún \
             tiene seen. Si es así, el bucle termina. Si otro thread fue más rápido, seen toma lo que se encontró y \
             el bucle calcula otra vez.",
        ),
    );
    d.cell([24, 66, 160, 62], Green, say("1. read\n`seen = *p`, atomic", "1. lee (atómico)\n`seen = *p`"));
    d.cell([228, 66, 160, 62], Blue, say("2. compute\n`next = f(seen)`", "2. calcula\n`next = f(seen)`"));
    d.cell(
        [432, 66, 304, 62],
        Orange,
        say(
            "3. compare and swap\n`found = atomicCAS(p, seen, next)`",
            "3. compara e intercambia\n`found = atomicCAS(p, seen, next)`",
        ),
    );
    d.arrow((184, 97), (228, 97), Grey);
    d.arrow((388, 97), (432, 97), Grey);
    d.cell(
        [496, 178, 240, 56],
        Green,
        say("`found == seen`\n`next` is written: done", "`found == seen`\n`next` está escrito: fin"),
    );
    d.arrow((660, 128), (660, 178), Green);
    d.cell(
        [188, 178, 240, 56],
        Red,
        say("`found != seen`\nanother thread was faster", "`found != seen`\notro thread fue más rápido"),
    );
    d.arrow_along(&[(462, 128), (462, 206), (428, 206)], Red);
    d.arrow((308, 178), (308, 128), Red);
    d.text(End, 296, 158, say("again, with `seen = found`", "otra vez, con `seen = found`"));
    d.note(
        Start,
        24,
        264,
        say(
            "`atomicCAS()` writes only if `*p` still holds `seen`. No update is lost.",
            "`atomicCAS()` escribe solo si `*p` aún tiene `seen`. No se pierde ninguna suma.",
        ),
    );
    d
}
