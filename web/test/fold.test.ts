import assert from "node:assert/strict";
import test from "node:test";
import { fold } from "../src/view/fold";

const all = Array.from({ length: 500 }, (_, index) => 2 * index);

test("few events all have a column", () => {
  assert.deepEqual(fold([1, 4, 6], [4], 1, 3), [{ at: 1 }, { at: 4 }, { at: 6 }]);
});

test("the finding and the reader always have theirs, and no event is lost", () => {
  for (const room of [5, 8, 12, 25]) {
    for (const marked of [[], [0], [0, 998], [400, 600, 602, 610]]) {
      for (const current of [0, 40, 500, 998]) {
        const columns = fold(all, marked, current, room);
        const shown = columns.flatMap((column) => ("at" in column ? [column.at] : []));
        const skipped = columns.reduce((sum, column) => sum + ("skipped" in column ? column.skipped : 0), 0);
        const text = JSON.stringify({ room, marked, current, columns });
        assert.ok(
          [...marked, current].every((at) => shown.includes(at)),
          text,
        );
        assert.equal(shown.length + skipped, all.length, text);
        assert.deepEqual(
          shown,
          [...shown].sort((a, b) => a - b),
          text,
        );
        assert.ok(columns.length <= Math.max(room, 3 * (marked.length + 2)) + 2, text);
      }
    }
  }
});

test("the picture stands still from one step to the next, as a rule", () => {
  const shown = (current: number) => JSON.stringify(fold(all, [0, 998], current, 20));
  const moves = all.slice(100, 140).filter((at) => shown(at) !== shown(at + 2)).length;
  assert.ok(moves <= 10, `${moves} of 40`);
});
