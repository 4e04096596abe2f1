// A choice that is not about whose turn it is, in words: the question and its answers.

import { lanesOf, lanesText } from "../model/bits";
import { Model } from "../model/model";
import type { Page } from "../page";
import type { Event } from "../trace";
import { isOf } from "../trace";
import { Names } from "../view/names";
import { sentence } from "../view/sentence";
import { say, type Word } from "../words";
import type { Other } from "./answer";
import type { Also } from "./chooser";

/** What each switch is called. */
export const SWITCHES: [Also, Word][] = [
  ["values", "also-values"],
  ["stores", "also-stores"],
  ["lanes", "also-lanes"],
  ["copies", "also-copies"],
  ["grids", "also-grids"],
];

export interface Asked {
  question: string;
  /** What the thread does that it is about. */
  about: string;
  answers: string[];
}

/** `page` shows the run up to the question. */
export function asked(page: Page, { kind, answers, lanes }: Other): Asked {
  const model = new Model(page.trace);
  const names = new Names(model, page);
  const at = lastAccess(page.trace.events);
  const about = at !== undefined && (kind === "back" || kind === "behind") ? sentence(names, at, false) : "";
  const each = (answer: (number: number) => string) => Array.from({ length: answers }, (_, number) => answer(number));
  const yesOrNo = (no: Word, yes: Word) => [say(no), say(yes)];
  switch (kind) {
    case "back": {
      const event = at === undefined ? undefined : page.trace.events[at];
      const is_atomic = event !== undefined && isOf(event, "access") && event.does === "atomic";
      const values = at === undefined ? [] : older(model, names, at);
      const valued = (text: string, number: number) => (values[number] === undefined ? text : `${values[number]}: ${text}`);
      const answer = (number: number) =>
        valued(number === 0 ? say("back-latest") : say(is_atomic ? "back-older-nth" : "back-older", { number }), number);
      return { question: say(is_atomic ? "asks-found" : "asks-back"), about, answers: each(answer) };
    }
    case "behind":
      return {
        question: say("asks-behind"),
        about,
        answers: each((number) => (number === 0 ? say("behind-now") : say("behind-late", { number }))),
      };
    case "parts": {
      const all = lanesOf(lanes >>> 0);
      const half = all.length >> 1;
      const [low, high] = [all.slice(0, half), all.slice(half)].map((some) => maskText(some));
      const texts = [say("parts-none"), say("parts-first", { lanes: low ?? "" }), say("parts-first", { lanes: high ?? "" })];
      return { question: say("asks-parts"), about: say("lanes-short", { lanes: lanesText(lanes >>> 0) }), answers: texts };
    }
    case "converges":
      return { question: say("asks-joins"), about, answers: yesOrNo("joins-no", "joins-yes") };
    case "copy":
      return {
        question: say("asks-copy"),
        about,
        answers: each((number) => (number === 0 ? say("copy-none") : say("copy-nth", { number }))),
      };
    case "begins":
      return { question: say("asks-begins"), about, answers: yesOrNo("begins-no", "begins-yes") };
    default:
      return { question: say("asks-grid"), about, answers: each((number) => say("grid-nth", { number: number + 1 })) };
  }
}

const maskText = (lanes: number[]) => lanesText(lanes.reduce((all, lane) => (all | (1 << lane)) >>> 0, 0));

function lastAccess(events: Event[]): number | undefined {
  for (let at = events.length - 1; at >= 0; at--) if (events[at]?.kind === "access") return at;
  return undefined;
}

/** What a read may return, the latest first; where it is about one element that the trace knows. */
function older(model: Model, names: Names, at: number): (string | undefined)[] {
  const touched = model.touched(at);
  const [first] = touched;
  if (!first || touched.some(({ memory, index }) => memory !== first.memory || index !== first.index)) return [];
  const { memory, index } = first;
  const values = memory.cells.get(index)?.until(at) ?? [];
  const written = values.filter(({ writer, bits }) => writer !== undefined && bits !== undefined).reverse();
  return written.map(({ bits }) => names.value(memory, bits as bigint));
}
