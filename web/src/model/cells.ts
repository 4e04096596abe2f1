// Memory by array, each cell with its value and its last writer. Shared memory is each block's own.

import type { EventOf, LaneAccess, Trace, ValueType } from "../trace";
import * as atomic from "./atomic";
import { History } from "./history";

export interface Writer {
  /** The event that wrote. */
  at: number;
  block: number;
  warp: number;
  lane: number;
}

export interface Cell {
  /** `undefined`: not known. */
  bits: bigint | undefined;
  /** `undefined`: nothing in this run has written it. */
  writer: Writer | undefined;
}

export interface Memory {
  key: string;
  /** Index into the trace's arrays; `undefined` for memory without a name. */
  array: number | undefined;
  space: string;
  /** Of shared memory, whose it is. */
  block: number | undefined;
  launch: number;
  /** Bytes of one cell: the smallest access. */
  unit: number;
  type: ValueType;
  cells: Map<number, History<Cell>>;
}

/** A cell that an access touches. */
export interface Touched {
  memory: Memory;
  index: number;
  lane: number;
  /** What is read or written there; of an atomic operation, its operand. */
  bits: bigint | undefined;
  /** Of an atomic operation, what was there before. */
  found: bigint | undefined;
}

type AccessEvent = EventOf<"access">;

export class Cells {
  readonly memories = new Map<string, Memory>();
  private readonly units = new Map<string, number>();

  constructor(trace: Trace) {
    for (const event of trace.events) {
      if (event.kind !== "access") continue;
      for (const lane of event.by_lane) {
        const name = nameOf(event, lane);
        this.units.set(name, Math.min(this.units.get(name) ?? 16, event.bytes));
      }
    }
  }

  feed(at: number, launch: number, event: AccessEvent): void {
    // An atomic operation's lanes come one after the other, and each leaves what the next one finds.
    for (const touched of this.touched(launch, event)) {
      const { memory, index, lane, bits, found } = touched;
      const cell = memory.cells.get(index) ?? new History<Cell>();
      if (event.does !== "use-object") memory.cells.set(index, cell);
      const writer = { at, block: event.block, warp: event.warp, lane };
      const before = cell.last();
      const is_late = (event.by_lane.find((one) => one.lane === lane)?.back ?? 0) > 0;
      switch (event.does) {
        case "store":
          // A store that gives way to a later one changes nothing that is seen now.
          if (!is_late) cell.set(at, { bits, writer });
          break;
        case "copy-to":
          cell.set(at, { bits: undefined, writer });
          break;
        case "load":
        case "atomic": {
          // What nothing has written was there from the start; of shared memory nothing was.
          const seen = event.does === "load" ? bits : found;
          if (!before && memory.space !== "shared") cell.set(-1, { bits: seen, writer: undefined });
          else if (before && before.bits === undefined && before.writer && !is_late) {
            cell.set(before.writer.at, { ...before, bits: seen });
          }
          if (event.does === "atomic" && event.operation === "compare-exchange" && found !== bits) {
            // It did not find what it looks for, and changes nothing.
            cell.set(at, { bits: found, writer: before?.writer });
          } else if (event.does === "atomic" && found !== undefined && bits !== undefined) {
            cell.set(at, { bits: atomic.left(event.operation ?? "", event.type, found, bits), writer });
          }
          break;
        }
        default:
      }
    }
  }

  /** The cells that an access touches, lane by lane. */
  touched(launch: number, event: AccessEvent): Touched[] {
    return event.by_lane.flatMap((lane) => this.touchedBy(launch, event, lane));
  }

  private touchedBy(launch: number, event: AccessEvent, lane: LaneAccess): Touched[] {
    const memory = this.memory(launch, event, lane);
    const first = lane.array === undefined ? Number.parseInt(lane.address ?? "0", 16) : (lane.index ?? 0) * event.bytes;
    const parts = Math.max(1, event.bytes / memory.unit);
    const all: Touched[] = [];
    for (let element = 0; element < event.elements; element++) {
      const whole = lane.values[element];
      const before = lane.found?.[element];
      for (let part = 0; part < parts; part++) {
        const index = Math.floor((first + element * event.bytes) / memory.unit) + part;
        const cut = (bits: string | undefined) =>
          bits === undefined
            ? undefined
            : BigInt.asUintN(8 * memory.unit, BigInt(bits) >> BigInt(8 * memory.unit * part));
        all.push({ memory, index, lane: lane.lane, bits: cut(whole), found: cut(before) });
      }
    }
    return all;
  }

  private memory(launch: number, event: AccessEvent, lane: LaneAccess): Memory {
    const name = nameOf(event, lane);
    const isShared = event.space === "shared";
    const key = isShared ? `${name}/${launch}/${event.block}` : name;
    const known = this.memories.get(key);
    if (known) {
      if (known.type.startsWith("b") && event.bytes === known.unit) known.type = event.type;
      return known;
    }
    const unit = this.units.get(name) ?? event.bytes;
    const block = isShared ? event.block : undefined;
    const type = event.bytes === unit ? event.type : unit === 4 ? "u32" : unit === 1 ? "u8" : "other";
    const fresh: Memory = { key, array: lane.array, space: event.space, block, launch, unit, type, cells: new Map() };
    this.memories.set(key, fresh);
    return fresh;
  }
}

const nameOf = (event: AccessEvent, lane: LaneAccess) =>
  lane.array === undefined ? `${event.space} without a name` : `${lane.array}`;
