// What orders a write before a read of another warp. A trace has no clocks: but a run with all checks reports each race, so two
// accesses of which one is weak are ordered unless a race of their lines was found. What orders them is seen in the events between.

import { type Found, isOf } from "../trace";
import type { Writer } from "./cells";
import { isRace } from "./marks";
import type { Model } from "./model";

/** A barrier of their block, fences on both sides, the launch of a grid by a kernel, or something that the trace has no event for. */
export type Order = "barrier" | "fences" | "launch" | "other";

export function orderOf(model: Model, writer: Writer, at: number): Order | undefined {
  const read = model.event(at);
  const write = model.event(writer.at);
  if (!isOf(read, "access") || !isOf(write, "access")) return undefined;
  if (model.barrierBetween(writer, at) !== undefined) return "barrier";
  if (model.launchOf(writer.at) !== model.launchOf(at)) return undefined;
  // Two strong accesses never race, and may be unordered.
  if (read.scope !== null && write.scope !== null) return undefined;
  if (model.trace.findings.some((found) => isRace(found) && isAbout(model, found, writer.at, at))) return undefined;
  const [from, to] = [model.blockOf(writer.block, writer.at)?.grid, model.blockOf(read.block, at)?.grid];
  if (from !== to) return "launch";
  const fenced = (block: number, first: number, last: number) =>
    model.fences.some((fence) => fence.at > first && fence.at < last && fence.block === block);
  return fenced(write.block, writer.at, at) && fenced(read.block, writer.at, at) ? "fences" : "other";
}

/** Whether the finding is about the lines of both events. */
function isAbout(model: Model, { finding }: Found, one: number, other: number): boolean {
  const lines = finding.accesses.map(({ location }) => `${location?.file}:${location?.line}`);
  return [one, other].every((at) => {
    const place = model.line(at);
    return lines.includes(`${place?.file}:${place?.line}`);
  });
}
