use super::svg::TextAnchor::{Middle, Start};
use super::svg::Tone::{Blue, Green, Grey, Orange, Red};
use super::svg::{Drawing, Tone};
use crate::stored::Say;

pub fn barrier(say: Say) -> Drawing {
    let mut d = Drawing::new(
        300,
        say("A barrier: all arrive, then all go on", "Una barrera: llegan todos y después siguen todos"),
        say(
            "Two warps of a block over time. Warp 0 writes, reaches the barrier early and waits. Warp 1 writes later \
             and reaches the barrier. Then both go on and read. Each write is before each read.",
            "Dos warps de un bloque en el tiempo. El warp 0 escribe, llega pronto a la barrera y espera. El warp 1 \
             escribe más tarde y llega a la barrera. Después los dos siguen y leen. Cada escritura es anterior a cada \
             lectura.",
        ),
    );
    let write = say("write\n`s[t] = d[t]`", "escribe\n`s[t] = d[t]`");
    let read = say("read\n`d[t] = s[n-t-1]`", "lee\n`d[t] = s[n-t-1]`");
    d.text(Start, 24, 119, "warp 0");
    d.text(Start, 24, 194, "warp 1");
    d.cell([96, 88, 140, 52], Blue, write);
    d.hatched_cell([240, 88, 166, 52], Grey, say("arrives, waits", "llega y espera"));
    d.dashed_cell([96, 163, 150, 52], Grey, say("has not begun", "no ha empezado"));
    d.cell([250, 163, 156, 52], Blue, write);
    d.area([412, 70, 16, 162], Orange);
    d.text(Middle, 420, 62, "`__syncthreads()`");
    d.cell([434, 88, 166, 52], Green, read);
    d.cell([434, 163, 166, 52], Green, read);
    d.note(Start, 612, 112, say("goes on when", "sigue cuando"));
    d.note(Start, 612, 130, say("warp 1 arrives", "llega el warp 1"));
    d.note(Start, 612, 194, say("arrives last", "llega último"));
    d.time(250, say("time", "tiempo"));
    d.note(
        Start,
        24,
        282,
        say(
            "Every write left of the barrier is before every read right of it.",
            "Cada escritura a la izquierda de la barrera es anterior a cada lectura a la derecha.",
        ),
    );
    d
}

pub fn no_order(say: Say) -> Drawing {
    let mut d = Drawing::new(
        330,
        say("No barrier: two orders are possible", "Sin barrera: dos órdenes son posibles"),
        say(
            "reverse_broken with 64 elements. Thread 32 writes s[32], thread 31 reads it. In the first order the \
             write is first and thread 31 reads 32. In the second order the read is first and thread 31 reads an old \
             value.",
            "reverse_broken con 64 elementos. El thread 32 escribe s[32] y el thread 31 lo lee. En el primer orden la \
             escritura va primero y el thread 31 lee 32. En el segundo la lectura va primero y el thread 31 lee un \
             valor viejo.",
        ),
    );
    let writes = say("writes `s[32]`", "escribe `s[32]`");
    let reads = say("reads `s[32]`", "lee `s[32]`");
    let mut panel = |x: i32, head: &str, tone: Tone, result: &str, write_at: i32, read_at: i32| {
        d.text(Start, x, 64, head);
        for (column, name) in [(x + 86, "thread 31 (warp 0)"), (x + 262, "thread 32 (warp 1)")] {
            d.note(Middle, column, 92, name);
            d.dashed_line((column, 100), (column, 238), Grey);
        }
        d.cell([x + 190, write_at, 144, 38], Blue, writes);
        d.cell([x + 14, read_at, 144, 38], Green, reads);
        let (from, to) = if write_at < read_at {
            ((x + 190, write_at + 19), (x + 120, read_at))
        } else {
            ((x + 158, read_at + 19), (x + 228, write_at))
        };
        d.arrow(from, to, tone);
        d.cell([x, 244, 348, 36], tone, result);
    };
    panel(
        24,
        say("First the write", "Primero la escritura"),
        Green,
        say("thread 31 reads 32: right, by luck", "el thread 31 lee 32: bien, por suerte"),
        112,
        182,
    );
    panel(
        388,
        say("First the read", "Primero la lectura"),
        Red,
        say("thread 31 reads an old value: wrong", "el thread 31 lee un valor viejo: mal"),
        182,
        112,
    );
    d.line((380, 56), (380, 280), Grey);
    d.note(
        Start,
        24,
        310,
        say(
            "`reverse_broken`: no barrier says which is first. It is a data race, even in a run with the right answer.",
            "`reverse_broken`: ninguna barrera dice cuál es primero. Es una condición de carrera, aun si sale bien.",
        ),
    );
    d
}

pub fn flag_fences(say: Say) -> Drawing {
    let mut d = Drawing::new(
        360,
        say("A message, a flag and two fences", "Un mensaje, un flag y dos fences"),
        say(
            "The writer's block writes the message, then comes a fence, then it sets the flag. The reader's block \
             sees the flag, then comes a fence, then it reads the message. With both fences the message's write is \
             before its read.",
            "El bloque que escribe escribe el mensaje, después va una fence y después pone el flag. El bloque que lee \
             ve el flag, después va una fence y después lee el mensaje. Con las dos fences, la escritura del mensaje \
             es anterior a su lectura.",
        ),
    );
    d.text(Middle, 154, 66, say("block that writes", "bloque que escribe"));
    d.text(Middle, 606, 66, say("block that reads", "bloque que lee"));
    let step = |d: &mut Drawing, x: i32, y: i32, tone: Tone, text: &str| d.cell([x, y, 260, 46], tone, text);
    step(
        &mut d,
        24,
        80,
        Blue,
        say("1. write the message\n`message[i] = ...`", "1. escribe el mensaje\n`message[i] = ...`"),
    );
    step(&mut d, 24, 140, Orange, "2. fence\n`__threadfence()`");
    step(
        &mut d,
        24,
        200,
        Blue,
        say("3. set the flag\n`atomicExch(flag, 1)`", "3. pone el flag\n`atomicExch(flag, 1)`"),
    );
    step(
        &mut d,
        476,
        160,
        Green,
        say("4. see the flag\n`atomicOr(flag, 0) == 1`", "4. ve el flag\n`atomicOr(flag, 0) == 1`"),
    );
    step(&mut d, 476, 220, Orange, "5. fence\n`__threadfence()`");
    step(
        &mut d,
        476,
        280,
        Green,
        say("6. read the message\n`out[i] = message[i]`", "6. lee el mensaje\n`out[i] = message[i]`"),
    );
    for (x, y) in [(154, 126), (154, 186), (606, 206), (606, 266)] {
        d.arrow((x, y), (x, y + 14), Grey);
    }
    d.arrow((284, 216), (476, 190), Orange);
    d.text(Middle, 326, 234, say("sees 1", "ve 1"));
    d.dashed_arrow((284, 112), (476, 296), Blue);
    d.text(Start, 346, 112, say("message first,", "primero el mensaje,"));
    d.text(Start, 346, 132, say("then its read", "después su lectura"));
    d.note(Start, 24, 284, say("Without 2 the message may", "Sin 2, el mensaje puede"));
    d.note(Start, 24, 302, say("come after its flag.", "llegar después del flag."));
    d.note(Start, 24, 324, say("Without 5 the reader may", "Sin 5, quien lee puede"));
    d.note(Start, 24, 342, say("read the message too early.", "leer el mensaje antes de tiempo."));
    d
}

pub fn two_kernels(say: Say) -> Drawing {
    let mut d = Drawing::new(
        320,
        say("Between blocks, the end of a kernel is the barrier", "Entre bloques, la barrera es el fin del kernel"),
        say(
            "A stream over time. The blocks of the first kernel begin and end at different times. When all have \
             ended, the blocks of the second kernel begin, and each of them sees everything that the first kernel \
             wrote.",
            "Un stream en el tiempo. Los bloques del primer kernel empiezan y terminan en momentos distintos. Cuando \
             todos han terminado, empiezan los del segundo kernel, y cada uno ve todo lo que escribió el primero.",
        ),
    );
    d.text(Middle, 232, 70, say("first launch: `globalreverse_blocks`", "primero: `globalreverse_blocks`"));
    d.text(Middle, 606, 70, say("then: `globalreverse_correct`", "después: `globalreverse_correct`"));
    let block = say("block", "bloque");
    for (row, (start, end, from, to)) in (0..).zip([(100, 300, 482, 660), (130, 380, 500, 712), (270, 420, 482, 690)]) {
        let y = 88 + 48 * row;
        d.text(Start, 24, y + 24, &format!("{block} {row}"));
        d.cell([start, y, end - start, 38], Blue, say("writes `d`", "escribe `d`"));
        d.cell([from, y, to - from, 38], Green, say("reads `d`", "lee `d`"));
        d.arrow((end, y + 19), (438, y + 19), Grey);
        d.arrow((456, y + 19), (from, y + 19), Grey);
    }
    d.area([440, 80, 16, 152], Orange);
    d.note(
        Middle,
        448,
        252,
        say("end of the kernel: all blocks have ended", "fin del kernel: todos los bloques terminaron"),
    );
    d.time(268, say("time", "tiempo"));
    d.note(
        Start,
        24,
        302,
        say(
            "In one stream, the second kernel sees every write of the first.",
            "En un mismo stream, el segundo kernel ve cada escritura del primero.",
        ),
    );
    d
}
