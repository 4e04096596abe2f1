// Which warps get a row, when not all fit: the finding's, the one that acts, then the first.

import type { Warp } from "../model/warps";
import { whoOf } from "../trace";
import type { App } from "./app";

export interface Rows {
  shown: Warp[];
  left: number;
}

/** Warps without an event to stop at have a row only where the reader asks for more. */
export function rowsOf(app: App, most: number, withIdle: boolean): Rows {
  const known = app.model.warps.all();
  const all = withIdle ? known : known.filter((one) => app.model.busy.has(one));
  if (all.length <= most) return { shown: all, left: known.length - all.length };
  const keep = new Set<Warp>();
  const add = (block: number, warp: number) => {
    const found = app.model.warps.get(block, warp);
    if (found) keep.add(found);
  };
  for (const { at } of app.marks.slice(0, most)) {
    const who = at === undefined ? undefined : whoOf(app.model.event(at));
    if (who) add(who.block, who.warp);
  }
  if (app.here) add(app.here.block, app.here.warp);
  // Then their neighbours: the same blocks say most.
  const blocks = new Set([...keep].map((one) => one.block));
  for (const warp of [...all.filter((one) => blocks.has(one.block)), ...all]) if (keep.size < most) keep.add(warp);
  return { shown: all.filter((warp) => keep.has(warp)), left: known.length - keep.size };
}
