// Where the lanes of each warp stand: groups that go on together, each at an instruction.

import type { Event } from "../trace";
import { whoOf } from "../trace";
import { both, mask, without } from "./bits";
import { History } from "./history";

export interface Group {
  lanes: number;
  site: number;
  state: "runs" | "waits" | "done";
}

export interface Warp {
  block: number;
  warp: number;
  /** All lanes that were ever seen. */
  lanes: number;
  /** First and last event. */
  first: number;
  last: number;
  groups: History<Group[]>;
}

export class Warps {
  private readonly known = new Map<string, Warp>();

  /** By block and number. */
  all(): Warp[] {
    return [...this.known.values()].sort((a, b) => a.block - b.block || a.warp - b.warp);
  }

  get(block: number, warp: number): Warp | undefined {
    return this.known.get(`${block}/${warp}`);
  }

  feed(at: number, event: Event): void {
    if (event.kind === "block-begins") {
      // Blocks of a later launch have the numbers of an earlier one's.
      for (const warp of this.known.values()) if (warp.block === event.in_block) warp.groups.set(at, []);
      return;
    }
    if (event.kind === "opens") {
      for (const { warp, lanes } of event.released) this.release(at, event.in_block, warp, mask(lanes));
      return;
    }
    const who = whoOf(event);
    if (!who) return;
    const lanes = mask(who.lanes);
    const warp = this.of(who.block, who.warp, at);
    warp.lanes = both(warp.lanes, lanes);
    warp.last = at;
    const before = warp.groups.last() ?? [];
    const old = before.find((group) => group.lanes === lanes && group.site === who.site);
    const state = event.kind === "exits" ? "done" : event.kind === "arrives" && event.waits ? "waits" : "runs";
    if (old?.state === state && event.kind !== "split") return;
    const others = before.map((group) => ({ ...group, lanes: without(group.lanes, lanes) }));
    const left = event.kind === "split" ? without(mask(event.others), lanes) : 0;
    const rest = others
      .map((group) => ({ ...group, lanes: without(group.lanes, left) }))
      .filter((group) => group.lanes !== 0);
    if (left) rest.push({ lanes: left, site: who.site, state: "runs" });
    warp.groups.set(at, [...rest, { lanes, site: who.site, state }]);
  }

  private release(at: number, block: number, number: number, lanes: number): void {
    const warp = this.get(block, number);
    const before = warp?.groups.last();
    if (!warp || !before) return;
    warp.last = at;
    const after = before.map((group) => (group.lanes & lanes ? { ...group, state: "runs" as const } : group));
    warp.groups.set(at, after);
  }

  private of(block: number, warp: number, at: number): Warp {
    const key = `${block}/${warp}`;
    const known = this.known.get(key);
    if (known) return known;
    const fresh: Warp = { block, warp, lanes: 0, first: at, last: at, groups: new History() };
    this.known.set(key, fresh);
    return fresh;
  }
}
