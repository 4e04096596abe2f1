// Memory by array: a grid of cells with their values, and of one cell who wrote it last.

import type { Cell, Memory, Touched } from "../model/cells";
import { isOf } from "../trace";
import { say } from "../words";
import type { App, Part } from "./app";
import { el, put, rich } from "./dom";

/** Arrays that are shown at once; rows of one, and of the one that the finding is about. */
const ARRAYS = 6;
const ROWS = 4;
const MORE_ROWS = 8;

interface Shown {
  memory: Memory;
  root: HTMLElement;
  grid: HTMLElement;
  told: HTMLElement;
  columns: number;
  /** Rows on the page, by the index of their first cell. */
  rows: Map<number, HTMLElement[]>;
}

export class MemoryView implements Part {
  readonly root = el("section", { class: "memory", "aria-labelledby": "memory-title" });
  private readonly list = el("div", { class: "arrays" });
  private shown = new Map<string, Shown>();
  /** The cell that the reader has pointed at. */
  private pointed: { key: string; index: number } | undefined;

  constructor(private readonly app: App) {}

  reset(): void {
    this.shown.clear();
    this.list.replaceChildren();
    const key = el(
      "p",
      { class: "key" },
      el("span", { class: "cell never" }),
      say("key-never"),
      el("span", { class: "cell read" }),
      say("key-read"),
      el("span", { class: "cell write" }),
      say("key-write"),
    );
    if (this.app.marks.some((mark) => mark.cells.length > 0)) {
      key.append(el("span", { class: "cell race" }), say("key-race"));
    }
    const isUsed = this.app.model.cells.memories.size > 0;
    const none = el("p", {}, say("no-memory"));
    this.root.replaceChildren(el("h2", { id: "memory-title" }, say("memory")), isUsed ? key : none, this.list);
    this.show();
  }

  show(): void {
    const { model, at } = this.app;
    const touched = model.touched(at);
    const wanted = this.wanted(touched);
    const views = wanted.map((memory) => this.shown.get(memory.key) ?? this.array(memory));
    this.shown = new Map(views.map((view) => [view.memory.key, view]));
    const roots = views.map((view) => view.root);
    const left = model.cells.memories.size - views.length;
    if (
      this.list.childElementCount !== roots.length ||
      roots.some((root, index) => this.list.children[index] !== root)
    ) {
      const more = left > 0 ? [el("p", { class: "left" }, say("more-arrays", { count: left }))] : [];
      this.list.replaceChildren(...roots, ...more);
    }
    for (const view of views) this.fill(view, touched);
  }

  /** Those of the finding, those of this event, then the others; of shared memory the block's that acts. */
  private wanted(touched: Touched[]): Memory[] {
    const { model, marks, here, at } = this.app;
    const launch = model.launchOf(at);
    const all = [...model.cells.memories.values()];
    const first = [...new Set(marks.flatMap((mark) => mark.cells.map((cell) => cell.memory)))];
    const now = touched.map((one) => one.memory);
    const mine = all.filter((one) => one.block === undefined || (one.block === here?.block && one.launch === launch));
    const some = [...new Set([...first.slice(0, 2), ...now, ...mine])].slice(0, ARRAYS);
    // In one order, whoever acts: nothing jumps.
    const rank = (memory: Memory) => (first.includes(memory) ? -1 : (memory.array ?? 1e9));
    return some.sort((a, b) => rank(a) - rank(b) || (a.block ?? 0) - (b.block ?? 0));
  }

  private array(memory: Memory): Shown {
    const { names, at } = this.app;
    const owner = memory.block === undefined ? "" : names.hasBlocks(at) ? `, ${names.block(memory.block, at)}` : "";
    const name = names.array(memory);
    const kind = `${say(memory.space === "shared" ? "shared" : "global")}${owner}`;
    const title = el("h3", {}, el("code", {}, name), ...rich(` ${kind} ${names.owner(memory)}`));
    const grid = el("div", { class: "cells", role: "grid", "aria-label": say("cells-of", { name }) });
    const told = el("p", { class: "told" });
    const root = el("div", { class: "array" }, title, grid, told);
    const view = { memory, root, grid, told, columns: this.columns(memory), rows: new Map() };
    const point = (target: EventTarget | null) => {
      const cell = target instanceof Element ? target.closest<HTMLElement>("[data-index]") : undefined;
      if (!cell) return;
      this.pointed = { key: memory.key, index: Number(cell.dataset["index"]) };
      this.tell(view);
    };
    grid.addEventListener("pointerover", (event) => point(event.target));
    grid.addEventListener("focusin", (event) => point(event.target));
    grid.addEventListener("click", (event) => point(event.target));
    grid.addEventListener("keydown", (event) => this.move(view, event));
    return view;
  }

  /** As many cells in a row as their longest value leaves room for. */
  private columns(memory: Memory): number {
    let longest = 1;
    for (const history of memory.cells.values()) {
      const last = history.last();
      if (last?.bits !== undefined) longest = Math.max(longest, this.app.names.value(memory, last.bits).length);
    }
    const wide = longest <= 3 ? 16 : longest <= 6 ? 8 : 4;
    return document.documentElement.clientWidth < 700 && wide === 16 ? 8 : wide;
  }

  private fill(view: Shown, touched: Touched[]): void {
    const { memory, columns } = view;
    const mine = touched.filter((one) => one.memory === memory);
    const firsts = this.rowsOf(view, mine);
    if (firsts.some((first) => !view.rows.has(first)) || firsts.length !== view.rows.size) {
      this.build(view, firsts);
    }
    const event = this.app.model.event(this.app.at);
    const kind = isOf(event, "access") ? (event.does === "load" || event.does === "copy-from" ? "read" : "write") : "";
    const now = new Set(mine.map((one) => one.index));
    for (const [first, cells] of view.rows) {
      cells.forEach((cell, offset) => {
        this.draw(view, cell, first + offset, now.has(first + offset) ? kind : "");
      });
    }
    put(view.grid, "data-columns", `${columns}`);
    this.tell(view);
  }

  /** Rows around this access and the finding's cells first, then from the start. */
  private rowsOf({ memory, columns }: Shown, mine: Touched[]): number[] {
    const row = (index: number) => Math.floor(index / columns) * columns;
    const all = [...new Set([...memory.cells.keys()].map(row))].sort((a, b) => a - b);
    const found = this.app.marks.flatMap((mark) => mark.cells.filter((cell) => cell.memory === memory));
    const most = found.length > 0 || this.app.model.cells.memories.size === 1 ? MORE_ROWS : ROWS;
    if (all.length <= most) return all;
    const first = [...found, ...mine].map((one) => row(one.index));
    return [...new Set([...first, ...all])].slice(0, most).sort((a, b) => a - b);
  }

  private build(view: Shown, firsts: number[]): void {
    const { memory, columns, grid, rows } = view;
    rows.clear();
    const children: Element[] = [];
    const all = [...memory.cells.keys()];
    let next: number | undefined;
    for (const first of firsts) {
      const skipped =
        next !== undefined && first > next && all.some((index) => index >= (next as number) && index < first);
      if (skipped) children.push(el("div", { class: "gap", role: "presentation" }, "⋮"));
      next = first + columns;
      const name = memory.array === undefined ? undefined : `${first}`;
      const header = el("span", { class: "first", role: name ? "rowheader" : "presentation" }, name);
      const cells = Array.from({ length: columns }, (_, offset) => {
        const value = el("span", { class: "value" });
        const index = first + offset;
        if (!memory.cells.has(index)) return el("span", { class: "cell none", role: "gridcell" });
        return el("span", { class: "cell", role: "gridcell", tabindex: "-1", "data-index": index }, value);
      });
      rows.set(first, cells);
      children.push(el("div", { class: "row", role: "row" }, header, ...cells));
    }
    const left = all.filter((index) => !firsts.includes(Math.floor(index / columns) * columns)).length;
    grid.replaceChildren(...children);
    grid.querySelector("[data-index]")?.setAttribute("tabindex", "0");
    view.root.querySelector(".left")?.remove();
    if (left > 0) grid.after(el("p", { class: "left" }, say("more-cells", { count: left })));
  }

  private draw({ memory }: Shown, element: HTMLElement, index: number, kind: string): void {
    const history = memory.cells.get(index);
    if (!history) return;
    const { names, at, marks } = this.app;
    const cell = history.get(at);
    const is_found = marks.some((mark) => mark.cells.some((one) => one.memory === memory && one.index === index));
    const is_known = cell !== undefined && (cell.bits !== undefined || cell.writer !== undefined);
    const writer = cell?.writer;
    const classes = [
      "cell",
      kind,
      is_found ? "race" : "",
      is_known ? "" : "never",
      writer ? `warp-${writer.warp % 8}` : "",
    ];
    put(element, "class", classes.filter(Boolean).join(" "));
    const text = element.firstElementChild as HTMLElement;
    const shown = cell?.bits === undefined ? (is_known ? "?" : "") : names.value(memory, cell.bits);
    if (text.textContent !== shown) text.textContent = shown;
    const name = writer ? `w${writer.warp}` : "";
    put(element, "data-writer", name);
    put(
      element,
      "aria-label",
      `${names.cell(memory, index)}: ${shown || say("not-written")}${writer ? `, w${writer.warp}` : ""}`,
    );
  }

  private tell(view: Shown): void {
    const { app, pointed } = this;
    const { memory } = view;
    const marked = app.marks.flatMap((mark) => mark.cells).find((cell) => cell.memory === memory);
    const index = pointed?.key === memory.key ? pointed.index : marked?.index;
    const about = index === undefined ? "" : this.about(memory, index, memory.cells.get(index)?.get(app.at));
    const text = [about, index === undefined ? "" : this.older(memory, index)].filter(Boolean).join(". ");
    if (view.told.textContent !== text) view.told.textContent = text;
  }

  /** What this step reads there, where that is an older value. */
  private older(memory: Memory, index: number): string {
    const { app } = this;
    const event = app.model.trace.events[app.at];
    if (event?.kind !== "access" || event.does !== "load") return "";
    const read = app.model.touched(app.at).find((one) => one.memory === memory && one.index === index);
    const lane = event.by_lane.find((one) => one.lane === read?.lane);
    if (read?.bits === undefined || !lane?.back) return "";
    return say("cell-older", { value: app.names.value(memory, read.bits) });
  }

  private about(memory: Memory, index: number, cell: Cell | undefined): string {
    const { names, model } = this.app;
    const name = names.cell(memory, index);
    if (!cell || (cell.bits === undefined && !cell.writer)) return say("cell-never", { name });
    const bits = cell.bits === undefined ? "?" : names.value(memory, cell.bits);
    if (!cell.writer) return say("cell-from-start", { name, value: bits });
    const step = model.stopAt(cell.writer.at) + 1;
    const line = model.line(cell.writer.at)?.line ?? "?";
    return say("cell-written", { name, value: bits, thread: names.thread(cell.writer), line, step });
  }

  /** Arrow keys move among the cells that have the focus. */
  private move({ grid, columns }: Shown, event: KeyboardEvent): void {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[event.key];
    const focused = document.activeElement;
    if (step === undefined || !(focused instanceof HTMLElement) || !grid.contains(focused)) return;
    event.preventDefault();
    event.stopPropagation();
    const next = grid.querySelector<HTMLElement>(`[data-index="${Number(focused.dataset["index"]) + step}"]`);
    if (!next) return;
    focused.setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
  }
}
