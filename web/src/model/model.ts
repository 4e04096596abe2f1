// A run that can be asked for its state after any event. It knows nothing of how it is drawn.

import type { Event, EventOf, Grid, Trace } from "../trace";
import { isOf, whoOf } from "../trace";
import { mask, without } from "./bits";
import { Cells, type Touched, type Writer } from "./cells";
import { type Warp, Warps } from "./warps";

/** What no reader stops at, unless a finding is there: it only leads to what matters. */
const PASSED = new Set(["turn", "step", "block-begins", "host"]);

export class Model {
  readonly warps = new Warps();
  readonly cells: Cells;
  /** Positions of the events to stop at, in order. */
  readonly stops: number[] = [];
  /** Warps that have a part in them. */
  readonly busy = new Set<Warp>();
  /** Blocks that have begun, each with its launch before it: `0/3`. */
  readonly begun = new Set<string>();
  /** Fences, and whose they are. */
  readonly fences: { at: number; block: number }[] = [];
  private readonly openings: number[] = [];

  constructor(readonly trace: Trace) {
    this.cells = new Cells(trace);
    const marked = new Set(trace.findings.flatMap((found) => [found.at, ...found.accesses]));
    let launch = 0;
    trace.events.forEach((event, at) => {
      while (launch + 1 < trace.launches.length && at >= (trace.launches[launch]?.end ?? 0)) launch++;
      this.warps.feed(at, event);
      if (isOf(event, "access")) this.cells.feed(at, launch, event);
      if (event.kind === "opens") this.openings.push(at);
      if (isOf(event, "fence")) this.fences.push({ at, block: event.block });
      if (event.kind === "block-begins") this.begun.add(`${launch}/${event.in_block}`);
      if (!marked.has(at) && !this.isStop(event)) return;
      this.stops.push(at);
      const who = whoOf(event);
      const warp = who && this.warps.get(who.block, who.warp);
      if (warp) this.busy.add(warp);
    });
  }

  event(at: number): Event {
    return this.trace.events[at] as Event;
  }

  /** The end of a whole warp is no news. */
  private isStop(event: Event): boolean {
    if (!isOf(event, "exits")) return !PASSED.has(event.kind);
    const warp = this.warps.get(event.block, event.warp);
    return warp !== undefined && without(warp.lanes, mask(event.lanes)) !== 0;
  }

  /** The stop at or before a position, as an index into `stops`. */
  stopAt(at: number): number {
    let [low, high] = [0, this.stops.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.stops[middle] as number) <= at) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  launchOf(at: number): number {
    const found = this.trace.launches.findIndex((launch) => at < launch.end);
    return found < 0 ? Math.max(0, this.trace.launches.length - 1) : found;
  }

  /** The grid of a block, and the block's index in it. */
  blockOf(number: number, at: number): { grid: Grid; index: [number, number, number] } | undefined {
    const grids = this.trace.launches[this.launchOf(at)]?.grids ?? [];
    const grid = grids.filter((one) => one.first_block <= number).sort((a, b) => b.first_block - a.first_block)[0];
    if (!grid) return undefined;
    const linear = number - grid.first_block;
    const [x, y] = grid.grid;
    return { grid, index: [linear % x, Math.floor(linear / x) % y, Math.floor(linear / (x * y))] };
  }

  /** The cells that an event touches. */
  touched(at: number): Touched[] {
    const event = this.event(at);
    return isOf(event, "access") ? this.cells.touched(this.launchOf(at), event) : [];
  }

  line(at: number): { file: string; line: number } | undefined {
    const who = whoOf(this.event(at));
    return (who && this.trace.sites[who.site]?.location) ?? undefined;
  }

  /** The barrier that opened between a write and a later event of another warp of the block, for both of them. */
  barrierBetween(writer: Writer, at: number): number | undefined {
    const who = whoOf(this.event(at));
    if (!who || who.block !== writer.block || this.launchOf(writer.at) !== this.launchOf(at)) return undefined;
    return this.openings.find((open) => {
      if (open <= writer.at || open >= at) return false;
      const { in_block, released } = this.event(open) as EventOf<"opens">;
      const frees = (warp: number) => released.some((one) => one.warp === warp);
      return in_block === who.block && frees(who.warp) && frees(writer.warp);
    });
  }
}
