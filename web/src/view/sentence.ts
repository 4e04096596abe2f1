// One event as a sentence.

import { has, lanesText, mask, value } from "../model/bits";
import type { Touched } from "../model/cells";
import type { Event, EventOf } from "../trace";
import { isOf, whoOf } from "../trace";
import { say, type Word } from "../words";
import type { Names } from "./names";

export function sentence(names: Names, at: number, withValues = true): string {
  const event = names.model.event(at);
  const who = whoOf(event);
  const line = names.line(at);
  const subject = who ? names.lanes(who.block, who.warp, mask(who.lanes), at) : "";
  const told = told_of(names, at, event, withValues);
  const text = subject ? `${subject} ${told}` : told;
  return line ? `${line}: ${text}` : text;
}

function told_of(names: Names, at: number, event: Event, withValues: boolean): string {
  switch (event.kind) {
    case "access":
      return access(names, at, event, withValues);
    case "split":
      return say(event.at_branch ? "parts-at-branch" : "goes-on-without", { others: lanesText(mask(event.others)) });
    case "join":
      return say("join", { groups: event.groups.map((lanes) => lanesText(mask(lanes))).join(" + ") });
    case "arrives":
      return say(event.waits ? "arrives" : "arrives-only");
    case "opens":
      return opens(names, at, event);
    case "fence":
      return say("fence", { scope: say(scopeWord(event.scope)) });
    case "meets":
      return say("meets", { function: event.function });
    case "active-mask":
      return say("active-mask", { mask: event.lanes, lanes: lanesText(mask(event.lanes)) });
    case "exits":
      return say("exits");
    case "launches":
      return say("launches", { grid: event.grid });
    case "grid-begins":
      return say("grid-begins", { grid: event.grid });
    case "grid-ends":
      return say("grid-ends", { grid: event.grid });
    case "copied":
      return say("copied", { bytes: event.bytes });
    case "phase-completes":
      return say("phase-completes");
    case "host":
      return say(event.writes ? "host-writes" : "host-reads", { bytes: event.bytes });
    case "block-begins":
      return say("block-begins", { block: names.block(event.in_block, at) });
    case "turn":
      return say("turn");
    case "step":
      return say("step");
    default:
      return "";
  }
}

/** For an operation's letter in the lanes and its verb in a sentence. */
export const VERBS: Record<EventOf<"access">["does"], Word> = {
  load: "reads",
  store: "writes",
  atomic: "updates",
  "copy-from": "copies-from",
  "copy-to": "copies-to",
  "use-object": "uses-object",
};

function access(names: Names, at: number, event: EventOf<"access">, withValues: boolean): string {
  const touched = names.model.touched(at);
  const cells = names.cells(touched);
  const values = withValues ? valuesOf(names, touched) : undefined;
  if (event.does === "atomic") {
    const operation = FUNCTIONS[event.operation ?? ""] ?? event.operation ?? "";
    return say("updates", { cells, operation });
  }
  const whole = say(VERBS[event.does], { cells });
  const told = values === undefined ? whole : `${whole}: ${values}`;
  const count = Math.max(0, ...event.by_lane.map(({ back }) => back ?? 0));
  return count === 0 ? told : say(event.does === "load" ? "older" : "late", { told, count });
}

/** The value, if all lanes have one. */
function valuesOf(names: Names, touched: Touched[]): string | undefined {
  const [first] = touched;
  if (first?.bits === undefined || touched.some((one) => one.bits !== first.bits)) return undefined;
  return names.value(first.memory, first.bits);
}

const FUNCTIONS: Record<string, string> = {
  add: "atomicAdd",
  and: "atomicAnd",
  or: "atomicOr",
  xor: "atomicXor",
  exchange: "atomicExch",
  "compare-exchange": "atomicCAS",
  increment: "atomicInc",
  decrement: "atomicDec",
  min: "atomicMin",
  max: "atomicMax",
};

function opens(names: Names, at: number, event: EventOf<"opens">): string {
  const warps = event.released.map(({ warp }) => warp);
  const where = names.hasBlocks(at) ? names.block(event.in_block, at) : "";
  const list = warps.length > 6 ? `${warps[0]}-${warps.at(-1)}` : warps.join(", ");
  return say(where ? "opens-in" : "opens", { where, warps: list });
}

function scopeWord(scope: string): Word {
  return scope === "block"
    ? "scope-block"
    : scope === "system"
      ? "scope-system"
      : scope === "cluster"
        ? "scope-cluster"
        : "scope-device";
}

/** What a lane does in this event, in a few characters. */
export function laneValue(names: Names, at: number, lane: number): { what: string; is_in: boolean } {
  const event = names.model.event(at);
  const who = whoOf(event);
  const is_in = who !== undefined && ((mask(who.lanes) >>> lane) & 1) === 1;
  if (isOf(event, "access")) {
    const touched = names.model.touched(at).filter((one) => one.lane === lane);
    const value_of = ({ bits, found, memory }: Touched) => {
      const shown = event.does === "atomic" ? found : bits;
      return shown === undefined ? "?" : names.value(memory, shown);
    };
    const values = touched.map(value_of);
    const [first] = touched;
    if (!first) return { what: "", is_in };
    const sign = event.does === "load" ? "→" : event.does === "store" ? "←" : "";
    const text = event.does === "atomic" ? say("was", { value: values.join(",") }) : `${sign} ${values.join(",")}`;
    return { what: `${names.cell(first.memory, first.index)} ${text}`, is_in };
  }
  if (isOf(event, "meets")) {
    const exchange = event.exchanges.find((one) => one.lane === lane);
    if (!exchange) return { what: "", is_in };
    const short = (bits: string) => exchanged(BigInt(bits), event.function);
    // What an absent lane gives is nobody's value.
    if (exchange.from !== undefined && !has(mask(event.lanes), exchange.from)) {
      return { what: say("from-absent", { lane: exchange.from }), is_in };
    }
    const from = exchange.from === undefined ? "" : say("from-lane", { lane: exchange.from });
    return { what: `${short(exchange.gets)} ${from}`.trim(), is_in };
  }
  return { what: "", is_in };
}

/** A shuffle's value is a number, or the bits of one with a point; a vote's is a mask. */
function exchanged(bits: bigint, name: string): string {
  if (!name.includes("shfl")) return value(bits, name.includes("ballot") || name.includes("match") ? "other" : "b32");
  const number = BigInt.asIntN(32, bits);
  return value(bits, number > -(1n << 20n) && number < 1n << 20n ? "b32" : "f32");
}
