// Lines in the swim lanes: what nothing orders in red and dashed, what is ordered as a thin arrow.

import { type Order, orderOf } from "../model/order";
import { whoOf } from "../trace";
import { say, type Word } from "../words";
import type { App } from "./app";
import { svg } from "./dom";
import { BOX, type Layout } from "./lanes";

interface Point {
  x: number;
  y: number;
}

export function arrows(app: App, layout: Layout): SVGGElement {
  const group = svg("g", { class: "arrows" });
  const [first, second] = app.marks;
  if (app.is_race && first?.at !== undefined && second?.at !== undefined && first.at !== second.at) {
    const ends = [middle(app, layout, first.at), middle(app, layout, second.at)];
    if (ends[0] && ends[1]) group.append(missing(ends[0], ends[1], layout));
  }
  const order = origin(app);
  const [from, to] = order ? [middle(app, layout, order.from), middle(app, layout, app.at)] : [];
  if (order && from && to) group.append(ordered(from, to, order.word));
  return group;
}

function middle({ model }: App, layout: Layout, at: number): Point | undefined {
  const who = whoOf(model.event(at));
  const [x, y] = [layout.x(at), who && layout.y(who.block, who.warp)];
  return x === undefined || y === undefined ? undefined : { x: x + layout.step / 2 - 2, y: y + BOX.height / 2 };
}

/** Around the boxes, so that it crosses neither. No head: there is no order. */
function missing(from: Point, to: Point, layout: Layout): SVGGElement {
  const is_level = Math.abs(from.y - to.y) < 1;
  const down = to.y > from.y;
  const half = BOX.height / 2;
  const start = { x: from.x, y: from.y + (is_level ? -half : down ? half : -half) };
  const end = { x: to.x, y: to.y + (is_level ? -half : down ? -half : half) };
  const bend = is_level ? -22 : 0;
  const path = `M ${start.x} ${start.y} C ${start.x} ${mix(start.y, end.y) + bend}, ${end.x} ${mix(start.y, end.y) + bend}, ${end.x} ${end.y}`;
  // The words stand beside the arrow, where there is room.
  const text = say("no-order");
  const width = text.length * 7.4 + 16;
  const right = Math.max(start.x, end.x) + 14;
  const left = Math.min(start.x, end.x) - 14 - width;
  const x = is_level ? mix(start.x, end.x) - width / 2 : right + width < layout.width ? right : Math.max(0, left);
  const y = is_level ? 11 : mix(start.y, end.y);
  return svg(
    "g",
    { class: "missing" },
    svg("path", { d: path }),
    svg("rect", { x, y: y - 10, width, height: 20, rx: 10 }),
    svg("text", { x: x + width / 2, y: y + 4 }, text),
  );
}

const mix = (a: number, b: number) => (a + b) / 2;

function ordered(from: Point, to: Point, text: string): SVGGElement {
  const down = to.y > from.y;
  const [y1, y2] = [from.y + (down ? 20 : -20), to.y + (down ? -20 : 20)];
  const tip = down ? -7 : 7;
  const d = `M ${from.x} ${y1} C ${from.x} ${mix(y1, y2)}, ${to.x} ${mix(y1, y2)}, ${to.x} ${y2}`;
  return svg(
    "g",
    { class: "ordered" },
    svg("title", {}, text),
    svg("path", { class: "near", d }),
    svg("path", { d }),
    svg("path", { class: "head", d: `M ${to.x} ${y2} l -4 ${tip} h 8 z` }),
  );
}

const WORDS: Record<Order, Word> = {
  barrier: "barrier-orders",
  fences: "fences-order",
  launch: "launch-orders",
  other: "other-orders",
};

/** Where another warp wrote what this event reads, if something orders that write before it. */
export function origin({ model, at, marks }: App): { from: number; word: string } | undefined {
  if (marks.some((mark) => mark.at === at)) return undefined;
  const who = whoOf(model.event(at));
  for (const { memory, index } of model.touched(at)) {
    const writer = memory.cells.get(index)?.get(at - 1)?.writer;
    if (!writer || !who || (writer.block === who.block && writer.warp === who.warp)) continue;
    const order = orderOf(model, writer, at);
    if (order) return { from: writer.at, word: say(WORDS[order]) };
  }
  return undefined;
}
