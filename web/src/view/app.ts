// What all parts of the page share: the run, where the reader stands in it, and which finding they look at.

import { type Clue, cluesOf } from "../model/clues";
import { History } from "../model/history";
import { isRace, type Mark, marksOf } from "../model/marks";
import type { Model } from "../model/model";
import type { FindingSaid, Page } from "../page";
import type { Found } from "../trace";
import { whoOf } from "../trace";
import type { Names } from "./names";

/** A part of the page. */
export interface Part {
  root: Element;
  /** The language or the finding has changed. */
  reset(): void;
  /** The position has changed. */
  show(): void;
}

export interface Here {
  block: number;
  warp: number;
}

export class App {
  at = 0;
  found: Found | undefined;
  said: FindingSaid | undefined;
  marks: Mark[] = [];
  /** What the finding is about besides its accesses. */
  clues: Clue[] = [];
  /** Warps that have acted where the reader was, since this finding is shown. */
  readonly met = new Set<string>();
  /** Who acted last, by event. */
  private readonly actors = new History<Here>();

  constructor(
    readonly model: Model,
    readonly page: Page,
    readonly names: Names,
    /** Goes to an event. */
    readonly go: (at: number) => void,
    readonly choose: (finding: number) => void,
    /** The page shows a game: all who may be chosen are of interest. */
    readonly is_game: boolean,
  ) {
    model.trace.events.forEach((event, at) => {
      const who = whoOf(event);
      const last = this.actors.last();
      if (who && (who.block !== last?.block || who.warp !== last.warp)) {
        this.actors.set(at, { block: who.block, warp: who.warp });
      }
    });
  }

  look(finding: number | undefined): void {
    this.found = finding === undefined ? undefined : this.model.trace.findings[finding];
    this.said = finding === undefined ? undefined : this.page.findings[finding];
    this.marks = this.found ? marksOf(this.model, this.found) : [];
    this.clues = this.found ? cluesOf(this.model, this.found, this.marks) : [];
    this.met.clear();
  }

  /** The warp that acts, or that acted last. */
  get here(): Here | undefined {
    return this.actors.get(this.at);
  }

  /** The marks at an event. */
  marksAt(at: number): Mark[] {
    return this.marks.filter((mark) => mark.at === at);
  }

  /** Events that always have a column, in order. */
  get marked(): number[] {
    const all = [...this.marks, ...this.clues].map(({ at }) => at).filter((at) => at !== undefined);
    return [...new Set(all)].sort((a, b) => a - b);
  }

  get is_race(): boolean {
    return this.found !== undefined && isRace(this.found);
  }
}
