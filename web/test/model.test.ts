import assert from "node:assert/strict";
import test from "node:test";
import { History } from "../src/model/history";
import { beginning, marksOf, shownFindings } from "../src/model/marks";
import { Model } from "../src/model/model";
import { orderOf } from "../src/model/order";
import type { Found } from "../src/trace";
import { access, begins, run, who } from "./run";

const ALL = "0xffffffff";

test("a history tells what was so after any event", () => {
  const history = new History<string>();
  history.set(2, "a");
  history.set(5, "b");
  history.set(5, "c");
  const told = [0, 1, 2, 3, 4, 5, 6].map((at) => history.get(at));
  assert.deepEqual(told, [undefined, undefined, "a", "a", "a", "c", "c"]);
});

test("lanes part, wait, are released, and end", () => {
  const model = new Model(
    run([
      begins(),
      { kind: "step", ...who(0, ALL, 0), instructions: 1, until: 1 },
      { kind: "split", ...who(0, "0x0000ffff", 0), others: "0xffff0000", at_branch: true },
      { kind: "step", ...who(0, "0x0000ffff", 1), instructions: 1, until: 2 },
      { kind: "arrives", ...who(0, "0x0000ffff", 1), barrier: 0, waits: true },
      { kind: "arrives", ...who(0, "0xffff0000", 2), barrier: 0, waits: true },
      { kind: "opens", in_block: 0, barrier: 0, released: [{ warp: 0, lanes: ALL }] },
      { kind: "join", ...who(0, ALL, 2), groups: ["0x0000ffff", "0xffff0000"] },
      { kind: "exits", ...who(0, ALL, 2) },
    ]),
  );
  const warp = model.warps.get(0, 0);
  const at = (event: number) => warp?.groups.get(event)?.map(({ lanes, site, state }) => [lanes, site, state]);
  assert.deepEqual(at(0), undefined);
  assert.deepEqual(at(1), [[0xffffffff, 0, "runs"]]);
  assert.deepEqual(at(2), [
    [0xffff0000, 0, "runs"],
    [0xffff, 0, "runs"],
  ]);
  assert.deepEqual(at(4), [
    [0xffff0000, 0, "runs"],
    [0xffff, 1, "waits"],
  ]);
  assert.deepEqual(at(5), [
    [0xffff, 1, "waits"],
    [0xffff0000, 2, "waits"],
  ]);
  assert.deepEqual(at(6), [
    [0xffff, 1, "runs"],
    [0xffff0000, 2, "runs"],
  ]);
  assert.deepEqual(at(7), [[0xffffffff, 2, "runs"]]);
  assert.deepEqual(at(8), [[0xffffffff, 2, "done"]]);
  // Steps lead there; the end of a whole warp is no news.
  assert.deepEqual(model.stops, [2, 4, 5, 6, 7]);
  assert.deepEqual([...model.busy], [warp]);
  assert.deepEqual(
    [0, 2, 3, 4, 8].map((one) => model.stopAt(one)),
    [0, 0, 0, 1, 4],
  );
});

test("a cell has the value and the writer of the moment", () => {
  const model = new Model(
    run([
      begins(),
      access({ does: "load", array: 1, by: [[3, 7, "0x5"]] }),
      access({ does: "load", array: 0, by: [[0, 1, "0x63"]] }),
      access({ does: "store", array: 0, by: [[0, 1, "0x9"]] }),
      access({ does: "store", array: 0, warp: 1, by: [[4, 1, "0xffffffff"]] }),
      access({ does: "store", array: 0, block: 1, by: [[0, 1, "0x1"]] }),
    ]),
  );
  const [argument, mine, other] = [...model.cells.memories.values()];
  assert.deepEqual([argument?.block, mine?.block, other?.block], [undefined, 0, 1]);
  // What was read first was there before; of shared memory nothing was.
  assert.deepEqual(argument?.cells.get(7)?.get(0), { bits: 5n, writer: undefined });
  assert.equal(mine?.cells.get(1)?.get(2), undefined);
  assert.deepEqual(mine?.cells.get(1)?.get(3), { bits: 9n, writer: { at: 3, block: 0, warp: 0, lane: 0 } });
  assert.deepEqual(mine.cells.get(1)?.get(5), { bits: 0xffffffffn, writer: { at: 4, block: 0, warp: 1, lane: 4 } });
});

test("atomic operations of a warp come one after the other", () => {
  const add = access({
    does: "atomic",
    operation: "add",
    array: 1,
    by: [
      [0, 0, "0x1", "0x5"],
      [1, 0, "0x1", "0x6"],
    ],
  });
  const swap = (found: string) =>
    access({ does: "atomic", operation: "compare-exchange", array: 1, by: [[2, 0, "0x0", found]] });
  const model = new Model(
    run([add, swap("0x7"), access({ does: "store", array: 1, by: [[0, 0, "0x0"]] }), swap("0x0"), swap("0x1")]),
  );
  const cell = [...model.cells.memories.values()][0]?.cells.get(0);
  assert.deepEqual(
    [-1, 0, 1, 2, 3].map((at) => cell?.get(at)?.bits),
    [5n, 7n, 7n, 0n, 1n],
  );
  // One that does not find what it looks for writes nothing.
  assert.deepEqual(
    [0, 1, 3, 4].map((at) => cell?.get(at)?.writer?.at),
    [0, 0, 3, 3],
  );
});

test("a wide access covers the cells of a narrow one", () => {
  const model = new Model(
    run([
      access({ does: "store", array: 0, bytes: 8, type: "u64", by: [[0, 1, "0x0000000200000001"]] }),
      access({ does: "load", array: 0, by: [[0, 3, "0x2"]] }),
    ]),
  );
  const [memory] = [...model.cells.memories.values()];
  assert.deepEqual([memory?.unit, memory?.cells.get(2)?.get(0)?.bits, memory?.cells.get(3)?.get(0)?.bits], [4, 1n, 2n]);
});

test("a barrier orders a write before what follows it in the other warp", () => {
  const opens = { kind: "opens" as const, in_block: 0, barrier: 0 };
  const both = [0, 1].map((warp) => ({ warp, lanes: ALL }));
  const store = access({ does: "store", array: 0, by: [[0, 0, "0x1"]] });
  const load = access({ does: "load", array: 0, warp: 1, by: [[0, 0, "0x1"]] });
  const between = (released: { warp: number; lanes: string }[]) => {
    const model = new Model(run([store, { ...opens, released }, load]));
    return model.barrierBetween({ at: 0, block: 0, warp: 0, lane: 0 }, 2);
  };
  assert.equal(between(both), 1);
  assert.equal(between(both.slice(1)), undefined);
});

test("fences and launches order a write before a read, unless a race of their lines was found", () => {
  const fence = (block: number) =>
    ({ kind: "fence", ...who(0, "0x1", 1, block), scope: "device", ordering: "sc" }) as Parameters<typeof run>[0][number];
  const store = access({ does: "store", array: 1, by: [[0, 0, "0x1"]], site: 0 });
  const load = access({ does: "load", array: 1, block: 1, by: [[0, 0, "0x1"]], site: 2 });
  const order = (between: Parameters<typeof run>[0], more: Parameters<typeof run>[1] = {}) => {
    const events = [store, ...between, load];
    return orderOf(new Model(run(events, more)), { at: 0, block: 0, warp: 0, lane: 0 }, events.length - 1);
  };
  assert.equal(order([fence(0), fence(1)]), "fences");
  assert.equal(order([fence(0)]), "other");
  const accesses = [10, 12].map((line) => ({ location: { file: "k.cu", line, column: 1 }, thread: null }));
  const race = { at: null, accesses: [], finding: { slug: "race-global", severity: "error", kernel: "k", accesses, headline: null } };
  assert.equal(order([fence(0)], { findings: [race] as unknown as Found[] }), undefined);
  const grid = { kernel: "k", grid: [1, 1, 1], block: [64, 1, 1] };
  const grids = [0, 1].map((first_block) => ({ ...grid, first_block }));
  const launches = [{ kernel: "k", first: 0, end: 2, is_traced: true, fault: null, grids }];
  assert.equal(order([], { launches } as unknown as Parameters<typeof run>[1]), "launch");
});

test("a reader begins where the finding is complete", () => {
  const accesses = [
    { location: { file: "k.cu", line: 12, column: 1 }, thread: { block: [0, 0, 0], thread: [1, 0, 0], linear: 33 } },
  ];
  const found = (over: Partial<Found>) =>
    ({
      at: null,
      accesses: [2],
      finding: { slug: "race-shared", severity: "error", kernel: "k", accesses, headline: null },
      ...over,
    }) as unknown as Found;
  const note = { ...found({}), finding: { ...found({}).finding, severity: "note" as const } };
  const trace = run(
    [
      { kind: "host", operation: "fill", writes: true, address: "0x0", bytes: 4 },
      begins(),
      access({
        does: "store",
        array: 0,
        warp: 1,
        by: [
          [1, 4, "0x1"],
          [2, 5, "0x2"],
        ],
      }),
      access({ does: "load", array: 0, by: [[1, 4, "0x1"]] }),
    ],
    { findings: [note, found({ at: 3 })] },
  );
  const model = new Model(trace);
  assert.deepEqual(shownFindings(model), [1]);
  assert.equal(beginning(model, found({ at: 3 })), 3);
  assert.equal(beginning(model, found({})), 2);
  // By the host alone: the last thing that a warp did.
  assert.equal(beginning(model, found({ at: 0 })), 2);
  assert.equal(beginning(model, undefined), 2);
  const [mark] = marksOf(model, found({}));
  assert.deepEqual(
    [mark?.number, mark?.at, mark?.lane, mark?.line, mark?.cells.map((cell) => cell.index)],
    [1, 2, 1, 12, [4]],
  );
});
