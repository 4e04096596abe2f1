// How a reader knows warps, blocks, threads, arrays and lines by name.

import { lanesOf, lanesText, numbers, value } from "../model/bits";
import type { Memory, Touched, Writer } from "../model/cells";
import type { Model } from "../model/model";
import type { Page } from "../page";
import { say } from "../words";

export class Names {
  private readonly unsigned = new Map<string, boolean>();

  constructor(
    readonly model: Model,
    private readonly page: Page,
  ) {}

  /** `block 3`, `block (1,2)`; with its grid where kernels launch grids. */
  block(block: number, at: number): string {
    const found = this.model.blockOf(block, at);
    if (!found) return say("block", { block });
    const [x, y, z] = found.index;
    const [, height, depth] = found.grid.grid;
    const index = depth > 1 ? `(${x},${y},${z})` : height > 1 ? `(${x},${y})` : `${x}`;
    const grids = this.model.trace.launches[this.model.launchOf(at)]?.grids ?? [];
    const name = say("block", { block: index });
    return grids.length > 1 ? say("grid-block", { grid: grids.indexOf(found.grid), block: name }) : name;
  }

  /** Whether the launch at this position has more than one block: else nobody needs to hear of it. */
  hasBlocks(at: number): boolean {
    const grids = this.model.trace.launches[this.model.launchOf(at)]?.grids ?? [];
    return grids.length > 1 || grids.some((grid) => grid.grid.some((extent) => extent > 1));
  }

  /** `w1`, or `b0 w1` where there are blocks. */
  chip(block: number, warp: number, at: number): string {
    return this.hasBlocks(at) ? `b${block} w${warp}` : `w${warp}`;
  }

  /** `Warp 1, lanes 0-31`, or one thread of it. */
  lanes(block: number, warp: number, lanes: number, at: number): string {
    const list = lanesOf(lanes);
    const where = this.hasBlocks(at) ? `${this.block(block, at)}, ` : "";
    if (list.length === 1) return say("one-thread", { where, warp, thread: warp * 32 + (list[0] as number) });
    return say("some-lanes", { where, warp, lanes: lanesText(lanes) });
  }

  thread({ at, block, warp, lane }: Writer): string {
    return this.lanes(block, warp, (1 << lane) >>> 0, at);
  }

  /** As the source declares the array: nvcc loads signed and unsigned numbers alike. */
  value(memory: Memory, bits: bigint): string {
    const name = memory.array === undefined ? undefined : this.page.arrays[memory.array];
    return value(bits, memory.type, name !== undefined && this.isUnsigned(name));
  }

  private isUnsigned(name: string): boolean {
    const known = this.unsigned.get(name);
    if (known !== undefined) return known;
    const declared = new RegExp(`\\b(?:unsigned|uint\\w*|size_t)\\b[^,;(){}=]*\\b${name.replace(/\W/g, ".")}\\b`);
    const found = this.page.sources.some(({ text }) => declared.test(text));
    this.unsigned.set(name, found);
    return found;
  }

  array(memory: Memory): string {
    if (memory.array === undefined) return say("unnamed-memory", { space: memory.space });
    return this.page.arrays[memory.array] ?? `#${memory.array}`;
  }

  /** Whose argument it is, where two kernels have one of this name. */
  owner(memory: Memory): string {
    const named = (one: Memory) => one.array !== undefined && this.page.arrays[one.array] === this.array(memory);
    const arrays = new Set([...this.model.cells.memories.values()].filter(named).map((one) => one.array));
    const array = this.model.trace.arrays[memory.array ?? -1];
    return arrays.size > 1 && array?.kind === "argument" ? say("of-kernel", { kernel: array.kernel }) : "";
  }

  cell(memory: Memory, index: number): string {
    if (memory.array === undefined) return `0x${(index * memory.unit).toString(16)}`;
    const array = this.page.arrays[memory.array] ?? `#${memory.array}`;
    return memory.cells.size === 1 && index === 0 ? array : `${array}[${index}]`;
  }

  /** `s[0-31]`, or the first of several; each array once. */
  cells(touched: Touched[]): string {
    const byMemory = new Map<Memory, number[]>();
    for (const { memory, index } of touched) byMemory.set(memory, [...(byMemory.get(memory) ?? []), index]);
    const named = [...byMemory].map(([memory, indices]) => {
      const list = [...new Set(indices)].sort((a, b) => a - b);
      if (memory.array === undefined || list.length === 1) return `\`${this.cell(memory, list[0] as number)}\``;
      const text = numbers(list);
      const shown = text.length > 40 ? `${list[0]} ... ${list.at(-1)}` : text;
      return `\`${this.page.arrays[memory.array]}[${shown}]\``;
    });
    return named.slice(0, 3).join(", ") + (named.length > 3 ? " ..." : "");
  }

  /** What stands in the line of an event. */
  code(at: number): string {
    const place = this.model.line(at);
    const source = this.page.sources.find(({ path }) => path === place?.file);
    return source?.text.split("\n")[(place?.line ?? 0) - 1]?.trim() ?? "";
  }

  line(at: number): string | undefined {
    const place = this.model.line(at);
    return place && say("line", { line: place.line });
  }
}
