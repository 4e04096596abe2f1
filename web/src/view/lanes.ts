// Swim lanes: a row for each warp, a column for each event. The two accesses of a race, and the order that is missing.

import { lanesOf, mask, numbers } from "../model/bits";
import { blocksNotBegun } from "../model/clues";
import type { Warp } from "../model/warps";
import { type Event, isOf, whoOf } from "../trace";
import { say } from "../words";
import type { App, Part } from "./app";
import { arrows, origin } from "./arrows";
import { button, el, svg } from "./dom";
import { legend } from "./legend";
import { type Column, fold } from "./fold";
import { rowsOf } from "./rows";
import { sentence } from "./sentence";

export const BOX = { least: 46, tight: 38, most: 84, height: 40, row: 58, apart: 86, top: 34, gap: 34, ghost: 30 };

/** Warps that have a row at first, and when the reader asks for more. */
const SHORT = 4;
const LONG = 32;
/** Rows of blocks that never begin. */
const GHOSTS = 3;

/** Where things are in the picture. */
export interface Layout {
  columns: Column[];
  /** The left edge of an event's column. */
  x(at: number): number | undefined;
  /** The top edge of a warp's box. */
  y(block: number, warp: number): number | undefined;
  /** From one column to the next. */
  step: number;
  /** What a gap takes. */
  gap: number;
  /** The middle of the first row of a block that has not begun. */
  ghosts: number;
  height: number;
  width: number;
}

export class LanesView implements Part {
  readonly root = el("section", { class: "lanes", "aria-labelledby": "lanes-title" });
  private readonly picture = el("div", { class: "picture" });
  private readonly key = el("p", { class: "key" });
  private readonly foot = el("p", { class: "left" });

  private is_long = false;

  constructor(private readonly app: App) {
    this.picture.addEventListener("click", (event) => {
      const column = event.target instanceof Element ? event.target.closest("[data-at]") : undefined;
      if (column) app.go(Number(column.getAttribute("data-at")));
    });
  }

  reset(): void {
    this.root.replaceChildren(el("h2", { id: "lanes-title" }, say("lanes")), this.picture, this.key, this.foot);
    this.show();
  }

  show(): void {
    const { app } = this;
    const is_narrow = document.documentElement.clientWidth < 700;
    const { shown, left } = rowsOf(app, this.is_long ? LONG : SHORT, this.is_long);
    const label = is_narrow ? 64 : 110;
    const width = Math.max(300, this.picture.clientWidth || 1000);
    const room = Math.max(5, Math.floor((width - label - 8) / BOX.least));
    const all = left === 0 ? app.model.stops : this.stopsOf(shown);
    // Both ends of the thin arrow have a column.
    const from = origin(app)?.from;
    const marked = from === undefined ? app.marked : [...app.marked, from];
    const columns = fold(all, marked, app.at, room);
    const gaps = columns.filter((column) => "skipped" in column).length;
    const gap = is_narrow ? BOX.gap / 2 : BOX.gap;
    const each = Math.floor((width - label - 8 - gap * gaps) / Math.max(1, columns.length - gaps));
    const step = Math.min(BOX.most, Math.max(is_narrow ? BOX.tight : BOX.least, each));
    // A race's arrow and its words stand between the rows.
    const pitch = app.is_race && shown.length <= SHORT && this.areNeighbours(shown) ? BOX.apart : BOX.row;
    const waiting = app.found && !app.is_race && !app.is_game ? blocksNotBegun(app.model, app.at) : [];
    const ghosts = waiting.slice(0, GHOSTS);
    const layout = lay(shown, columns, { label, step, pitch, width, gap, ghosts: ghosts.length });
    this.picture.replaceChildren(this.draw(layout, shown, ghosts));
    const drawn = columns.filter((one) => "at" in one).map(({ at }) => app.model.event(at));
    const isParted = drawn.some((event) => this.isParted(event));
    const line = app.model.line(app.at)?.line;
    this.key.replaceChildren(...legend(drawn, { line, isParted, hasGaps: columns.length > drawn.length }));
    const more = () => {
      this.is_long = !this.is_long;
      this.show();
    };
    const text = [
      waiting.length > 0 ? say("not-begun-blocks", { blocks: numbers(waiting) }) : "",
      left > 0 ? say("more-warps", { count: left }) : "",
    ].join(" ");
    const name = say(this.is_long ? "fewer-rows" : "more-rows");
    const is_cut = left > 0 || this.is_long;
    this.foot.replaceChildren(
      text,
      " ",
      ...(is_cut ? [button(name, more, { "aria-expanded": `${this.is_long}` }, name)] : []),
    );
  }

  /** Whether the first two accesses are in rows side by side. */
  private areNeighbours(shown: Warp[]): boolean {
    const [first, second] = this.app.marks.map(({ at }) => {
      const who = at === undefined ? undefined : whoOf(this.app.model.event(at));
      return shown.findIndex((one) => one.block === who?.block && one.warp === who.warp);
    });
    return first !== undefined && second !== undefined && Math.abs(first - second) === 1;
  }

  /** The events that rows on the page have a part in. */
  private stopsOf(shown: Warp[]): number[] {
    const rows = new Set(shown.map(({ block, warp }) => `${block}/${warp}`));
    const blocks = new Set(shown.map(({ block }) => block));
    const { model, at } = this.app;
    return model.stops.filter((stop) => {
      const event = model.event(stop);
      const who = whoOf(event);
      if (stop === at) return true;
      if (who) return rows.has(`${who.block}/${who.warp}`);
      return !("in_block" in event) || blocks.has(event.in_block);
    });
  }

  private draw(layout: Layout, shown: Warp[], ghosts: number[]): SVGSVGElement {
    const { app } = this;
    const { width } = layout;
    const order = origin(app)?.word;
    const picture = svg("svg", {
      viewBox: `0 0 ${width} ${layout.height}`,
      width,
      height: layout.height,
      role: "img",
      "aria-label": sentence(app.names, app.at) + (order ? `. ${order}.` : ""),
    });
    const here = layout.x(app.at);
    if (here !== undefined) {
      picture.append(
        svg("rect", { class: "now", x: here - 2, y: 0, width: layout.step, height: layout.height, rx: 6 }),
      );
    }
    for (const warp of shown) this.rail(picture, layout, warp);
    ghosts.forEach((block, index) => this.ghost(picture, layout, block, index));
    for (const column of layout.columns) this.column(picture, layout, column, shown);
    picture.append(arrows(app, layout));
    return picture;
  }

  /** A warp's name, and the line along which its events stand. */
  private rail(picture: SVGSVGElement, layout: Layout, { block, warp, first, last }: Warp): void {
    const { names, at, here } = this.app;
    const y = layout.y(block, warp);
    if (y === undefined) return;
    const is_here = here?.block === block && here.warp === warp;
    const middle = y + BOX.height / 2;
    const name = svg(
      "text",
      { class: is_here ? "name here" : "name", x: 4, y: middle + 5 },
      names.chip(block, warp, at),
    );
    const ends = layout.columns.filter(
      (one): one is { at: number } => "at" in one && one.at >= first && one.at <= last,
    );
    const [from, to] = [ends[0], ends.at(-1)];
    const [start, stop] = [from && layout.x(from.at), to && layout.x(to.at)];
    if (start !== undefined && stop !== undefined) {
      picture.append(svg("line", { class: "rail", x1: start, x2: stop + layout.step - 4, y1: middle, y2: middle }));
    }
    picture.append(name);
  }

  /** A block that has not begun: it waits for a place. */
  private ghost(picture: SVGSVGElement, layout: Layout, block: number, index: number): void {
    const y = layout.ghosts + index * BOX.ghost;
    const x = 110;
    picture.append(
      svg("text", { class: "name", x: 4, y: y + 5 }, `b${block}`),
      svg("line", { class: "skipped", x1: x, x2: layout.width - 8, y1: y, y2: y }),
      svg("text", { class: "ghost", x: x + 6, y: y - 5 }, say("not-begun", { block: this.app.names.block(block, this.app.at) })),
    );
  }

  private column(picture: SVGSVGElement, layout: Layout, column: Column, shown: Warp[]): void {
    if ("skipped" in column) {
      const x = layout.x(-column.next - 1) ?? 0;
      const middle = x + layout.gap / 2 - 2;
      const word = layout.gap < BOX.gap ? "⋯" : `⋯${column.skipped}`;
      const text = svg("text", { class: "skipped", x: middle, y: 20 }, word);
      const gap = svg("line", { class: "skipped", x1: middle, x2: middle, y1: BOX.top - 6, y2: layout.height - 6 });
      picture.append(
        svg("g", { "data-at": column.next }, svg("title", {}, say("skipped", { count: column.skipped })), gap, text),
      );
      return;
    }
    const event = this.app.model.event(column.at);
    const x = layout.x(column.at) ?? 0;
    if (this.startsLaunch(layout, column)) {
      const kernel = this.app.model.trace.launches[this.app.model.launchOf(column.at)]?.kernel ?? "";
      const line = svg("line", { class: "launch", x1: x - 3, x2: x - 3, y1: 4, y2: layout.height });
      picture.append(line, svg("text", { class: "launch", x: x + 2, y: 12 }, kernel));
    }
    const who = whoOf(event);
    const group = svg("g", { "data-at": column.at, class: column.at > this.app.at ? "later" : "" });
    group.append(svg("title", {}, sentence(this.app.names, column.at)));
    const y = who && layout.y(who.block, who.warp);
    if (who && y !== undefined) this.box(group, column.at, event, x, y, layout.step - 4);
    else if (isOf(event, "opens")) this.bar(group, event.in_block, event.released, layout, x, shown);
    else group.append(svg("text", { class: "lone", x: x + layout.step / 2 - 2, y: 20 }, loneWord(event)));
    picture.append(group);
  }

  /** Where there are several launches, each begins with its kernel's name. */
  private startsLaunch({ columns }: Layout, column: { at: number }): boolean {
    const { model } = this.app;
    if (model.trace.launches.length < 2) return false;
    const before = columns[columns.indexOf(column) - 1];
    if (!before) return true;
    const last = "at" in before ? before.at : before.next;
    return model.launchOf(last) !== model.launchOf(column.at);
  }

  /** Not all lanes of the warp take part. */
  private isParted(event: Event): boolean {
    const who = whoOf(event);
    return who !== undefined && mask(who.lanes) !== this.app.model.warps.get(who.block, who.warp)?.lanes;
  }

  private box(group: SVGGElement, at: number, event: Event, x: number, y: number, width: number): void {
    const { model, names } = this.app;
    const lanes = mask(whoOf(event)?.lanes ?? "0x0");
    const marks = this.app.marksAt(at);
    const kind = isOf(event, "access") ? event.does : event.kind;
    const clue = this.app.clues.find((one) => one.at === at);
    const rest = marks.length > 0 ? " found" : clue ? " clue" : "";
    group.append(svg("rect", { class: `box ${kind}${rest}`, x, y, width, height: BOX.height, rx: 5 }));
    group.append(svg("text", { class: "at", x: x + width / 2, y: y + 13 }, `${model.line(at)?.line ?? ""}`));
    group.append(svg("text", { class: "does", x: x + width / 2, y: y + 28 }, short(names, at, event, width)));
    if (clue) {
      const word = say(clue.is === "sets" ? "clue-sets-short" : "clue-sees-short");
      group.append(svg("text", { class: "clue", x: x + width / 2, y: y + BOX.height + 13 }, word));
    }
    if (this.isParted(event)) group.append(strip(lanes, x + width / 2 - 16, y + BOX.height - 7));
    marks.forEach((mark, index) => {
      const [cx, cy] = [x + 4 + 20 * index, y - 2];
      const circle = svg("circle", { class: "mark", cx, cy, r: 9 });
      group.append(circle, svg("text", { class: "mark", x: cx, y: cy + 4 }, `${mark.number}`));
    });
  }

  /** A barrier that opens, through all warps that it releases. */
  private bar(
    group: SVGGElement,
    block: number,
    released: { warp: number }[],
    layout: Layout,
    x: number,
    shown: Warp[],
  ): void {
    const own = shown.filter((one) => one.block === block && released.some(({ warp }) => warp === one.warp));
    const tops = own.map(({ warp }) => layout.y(block, warp)).filter((y) => y !== undefined);
    const [top, bottom] = [Math.min(...tops), Math.max(...tops) + BOX.height];
    if (tops.length === 0) return;
    const middle = x + layout.step / 2 - 2;
    group.append(svg("rect", { class: "bar", x: middle - 4, y: top - 4, width: 8, height: bottom - top + 8, rx: 3 }));
    group.append(svg("text", { class: "lone", x: middle, y: top - 9 }, say("barrier")));
  }
}

interface Sizes {
  label: number;
  step: number;
  pitch: number;
  width: number;
  gap: number;
  ghosts: number;
}

/** Columns and rows of fixed size. Gaps have a place of their own, by the event that follows in them. */
function lay(
  shown: Warp[],
  columns: Column[],
  { label, step, pitch, width, gap, ghosts }: Sizes,
): Layout {
  const places = new Map<number, number>();
  let x = label;
  for (const column of columns) {
    if ("at" in column) places.set(column.at, x);
    else places.set(-column.next - 1, x);
    x += "at" in column ? step : gap;
  }
  const tops = new Map(shown.map(({ block, warp }, index) => [`${block}/${warp}`, BOX.top + index * pitch]));
  const rows = BOX.top + (shown.length - 1) * pitch + BOX.row - 2;
  return {
    columns,
    x: (at) => places.get(at),
    y: (block, warp) => tops.get(`${block}/${warp}`),
    step,
    gap,
    width,
    ghosts: rows + BOX.ghost / 2 + 6,
    height: rows + ghosts * BOX.ghost,
  };
}

/** Which lanes take part: one pixel each. */
function strip(lanes: number, x: number, y: number): SVGGElement {
  const group = svg("g", {}, svg("rect", { class: "strip", x, y, width: 32, height: 4 }));
  for (const lane of lanesOf(lanes)) group.append(svg("rect", { class: "lane", x: x + lane, y, width: 1, height: 4 }));
  return group;
}

const loneWord = (event: Event): string =>
  event.kind === "host" ? say("host") : event.kind.startsWith("grid") ? say("grid") : "…";

/** What an event is, in a box. */
function short(names: App["names"], at: number, event: Event, width: number): string {
  switch (event.kind) {
    case "access": {
      const [first] = names.model.touched(at);
      const name = first?.memory.array === undefined ? "" : names.array(first.memory);
      const letter = { load: "R", store: "W", atomic: "A", "copy-from": "C", "copy-to": "C", "use-object": "B" }[
        event.does
      ];
      const room = Math.floor(width / 6.9) - 2;
      const known = valued(names, at);
      return `${letter} ${known !== undefined && known.length <= room ? known : cut(name, room)}`;
    }
    case "arrives":
      return event.waits ? "‖" : "›";
    case "split":
      return say("split-short");
    case "join":
      return say("join-short");
    case "fence":
      return say("fence-short");
    case "meets":
      return cut(event.function.replace(/^__|_sync(\(\))?$/g, ""), Math.floor(width / 6.2));
    case "active-mask":
      return "mask";
    case "step":
      // No event of its own: the code says what it is.
      return cut(names.code(at), Math.floor(width / 6.2));
    case "exits":
      return "■";
    case "launches":
      return "▷";
    default:
      return "";
  }
}

/** `flag=1`, where all lanes have one value in one element. */
function valued(names: App["names"], at: number): string | undefined {
  const [first, ...others] = names.model.touched(at);
  if (first?.bits === undefined || first.memory.array === undefined) return undefined;
  if (others.some((one) => one.memory !== first.memory || one.index !== first.index || one.bits !== first.bits)) return undefined;
  const event = names.model.event(at);
  if (event.kind === "access" && event.does !== "load" && event.does !== "store") return undefined;
  return `${names.cell(first.memory, first.index)}=${names.value(first.memory, first.bits)}`;
}

const cut = (text: string, most: number) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

/** The buttons that jump to the accesses of the finding. */
export function markButtons(app: App): Element[] {
  const placed = app.marks.filter((mark) => mark.at !== undefined).slice(0, 6);
  return placed.map(({ number, at }) => {
    const name = say("go-to", { number });
    const [words, sign] = name.split(/ (?=\()/);
    // A phone has room for the number alone.
    const text = [el("span", { class: "wide" }, `${words} `), sign];
    return button(name, () => app.go(at as number), { class: "mark" }, ...text);
  });
}
