// Which warps get a row: the finding's, those that have acted where the reader was, then the first.

import type { Warp } from "../model/warps";
import { whoOf } from "../trace";
import type { App } from "./app";

export interface Rows {
  shown: Warp[];
  left: number;
}

/** Rows that there are at least, where a finding says which warps matter. */
const FEW = 2;

/** Warps without an event to stop at have a row only where the reader asks for more. */
export function rowsOf(app: App, most: number, withIdle: boolean): Rows {
  const known = app.model.warps.all();
  const all = withIdle ? known : known.filter((one) => app.model.busy.has(one));
  const few = app.marks.length > 0 && !app.is_game && !withIdle ? FEW : most;
  if (all.length <= few) return { shown: all, left: known.length - all.length };
  const keep = new Set<Warp>();
  const add = (block: number, warp: number) => {
    const found = app.model.warps.get(block, warp);
    if (found) keep.add(found);
  };
  for (const at of app.marked.slice(0, 2 * most)) {
    const who = whoOf(app.model.event(at));
    if (who && keep.size < most) add(who.block, who.warp);
  }
  // Rows that have come stay, so that nothing jumps.
  if (app.here) app.met.add(`${app.here.block}/${app.here.warp}`);
  for (const name of [...app.met].reverse()) {
    const [block, warp] = name.split("/").map(Number);
    if (keep.size < most || name === `${app.here?.block}/${app.here?.warp}`) add(block ?? 0, warp ?? 0);
  }
  // Then their neighbours: the same blocks say most.
  const blocks = new Set([...keep].map((one) => one.block));
  for (const warp of [...all.filter((one) => blocks.has(one.block)), ...all]) if (keep.size < few) keep.add(warp);
  return { shown: all.filter((warp) => keep.has(warp)), left: known.length - keep.size };
}
