use super::svg::Drawing;
use super::svg::TextAnchor::{End, Middle, Start};
use super::svg::Tone::{Blue, Green, Grey, Orange, Red};
use crate::stored::Say;

pub fn groups(say: Say) -> Drawing {
    let mut d = Drawing::new(
        330,
        say(
            "A block and its tiles: each group has a barrier of its own",
            "Un bloque y sus tiles: cada grupo tiene su propia barrera",
        ),
        say(
            "A block of 64 threads is one group. It is divided into two tiles of 32 threads, or into eight tiles of 8 \
             threads. sync() of a group waits for the threads of that group and for no other.",
            "Un bloque de 64 threads es un grupo. Se divide en dos tiles de 32 threads o en ocho tiles de 8 threads. \
             sync() de un grupo espera a los threads de ese grupo y a ningún otro.",
        ),
    );
    let threads = |from: i32, count: i32| format!("{} {from}–{}", say("threads", "threads"), from + count - 1);
    d.text(Start, 24, 68, "`block = this_thread_block()`");
    d.note(End, 736, 68, say("`block.sync()` waits for 64 threads", "`block.sync()` espera a 64 threads"));
    d.cell([24, 78, 712, 34], Blue, &threads(0, 64));
    d.text(Start, 24, 146, "`warp = tiled_partition<32>(block)`");
    d.note(End, 736, 146, say("`warp.sync()` waits for 32 threads", "`warp.sync()` espera a 32 threads"));
    for tile in 0..2 {
        d.cell([24 + 358 * tile, 156, 354, 34], Green, &threads(32 * tile, 32));
    }
    d.text(Start, 24, 224, "`tile = tiled_partition<8>(block)`");
    d.note(End, 736, 224, say("`tile.sync()` waits for 8 threads", "`tile.sync()` espera a 8 threads"));
    for tile in 0..8 {
        let area = [24 + 89 * tile + tile / 4 * 4, 234, 85, 34];
        if tile == 2 {
            d.hatched_cell(area, Grey, say("waits", "espera"));
        } else {
            d.cell(area, Orange, &format!("{}–{}", 8 * tile, 8 * tile + 7));
        }
    }
    d.bracket(202, 287, 270, Grey);
    d.note(
        Middle,
        380,
        302,
        say(
            "Threads 16 to 23 wait for each other in `tile.sync()`. The other tiles go on.",
            "Los threads 16 a 23 se esperan entre sí en `tile.sync()`. Los otros tiles siguen.",
        ),
    );
    d
}

pub fn grid_sync(say: Say) -> Drawing {
    let mut d = Drawing::new(
        360,
        say("`grid.sync()` needs all blocks at once", "`grid.sync()` necesita todos los bloques a la vez"),
        say(
            "A GPU with room for three blocks. Left: a cooperative launch of three blocks; all are resident, reach \
             grid.sync() and go on. Right: an ordinary launch of four blocks; three wait at the barrier for the \
             fourth, which has no room to begin.",
            "Una GPU con lugar para tres bloques. Izquierda: un lanzamiento cooperativo de tres bloques; todos están \
             residentes, llegan a grid.sync() y siguen. Derecha: un lanzamiento normal de cuatro bloques; tres \
             esperan al cuarto, que no tiene lugar.",
        ),
    );
    let block = say("block", "bloque");
    d.text(Start, 24, 66, say("Cooperative launch of 3 blocks", "Lanzamiento cooperativo, 3 bloques"));
    d.text(Start, 396, 66, say("Ordinary launch of 4 blocks", "Lanzamiento normal, 4 bloques"));
    for (row, (begin, end)) in (0..3).zip([(92, 180), (92, 212), (92, 156)]) {
        let y = 100 + 44 * row;
        d.text(Start, 24, y + 22, &format!("{block} {row}"));
        d.cell([begin, y, end - begin, 34], Blue, "");
        d.hatched_area([end, y, 222 - end, 34], Grey);
        d.cell([238, y, 126, 34], Green, say("goes on", "sigue"));
        d.text(Start, 396, y + 22, &format!("{block} {row}"));
        d.cell([464, y, end - begin, 34], Blue, "");
        d.hatched_area([464 + end - begin, y, 130 - (end - begin), 34], Grey);
        d.dashed_cell([612, y, 124, 34], Grey, say("never", "nunca"));
    }
    d.area([223, 92, 14, 138], Orange);
    d.area([596, 92, 14, 182], Orange);
    d.note(Middle, 230, 86, "`grid.sync()`");
    d.note(Middle, 603, 86, "`grid.sync()`");
    d.text(Start, 396, 254, &format!("{block} 3"));
    d.dashed_cell([464, 232, 128, 34], Red, say("no room", "sin lugar"));
    d.dashed_cell([612, 232, 124, 34], Grey, say("never", "nunca"));
    d.cell([24, 284, 340, 34], Green, say("all resident: all arrive, all go on", "todos residentes: llegan y siguen"));
    d.cell(
        [396, 284, 340, 34],
        Red,
        say("3 blocks wait for one that cannot begin", "3 bloques esperan a uno que no empieza"),
    );
    d.line((380, 54), (380, 318), Grey);
    d.area([24, 246, 26, 14], Blue);
    d.note(Start, 58, 258, say("works", "trabaja"));
    d.hatched_area([140, 246, 26, 14], Grey);
    d.note(Start, 174, 258, say("waits", "espera"));
    d.note(
        Start,
        24,
        342,
        say(
            "This GPU has room for 3 blocks. A cooperative launch of 4 is refused with an error.",
            "Esta GPU tiene lugar para 3 bloques. Un lanzamiento cooperativo de 4 se rechaza con un error.",
        ),
    );
    d
}
