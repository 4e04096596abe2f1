// The warp that acts, lane by lane: which take part, and what each reads, writes or gets.

import { WARP } from "../model/bits";
import { say } from "../words";
import type { App, Part } from "./app";
import { el, put } from "./dom";
import { laneValue } from "./sentence";

export class NowView implements Part {
  readonly root = el("section", { class: "warp", "aria-labelledby": "warp-title" });
  private readonly title = el("h2", { id: "warp-title" });
  private readonly cells = Array.from({ length: WARP }, (_, lane) => {
    const what = el("span", { class: "what" });
    return el("li", {}, el("span", { class: "number" }, `${lane}`), what);
  });

  constructor(private readonly app: App) {
    this.root.append(this.title, el("ol", { start: 0 }, ...this.cells));
  }

  reset(): void {
    this.show();
  }

  show(): void {
    const { names, at, here, marks } = this.app;
    const block = here && names.hasBlocks(at) ? `, ${names.block(here.block, at)}` : "";
    this.title.textContent = here ? `${say("lanes-of", { warp: here.warp })}${block}` : say("lanes-of-none");
    const found = marks.filter((mark) => mark.at === at).map((mark) => mark.lane);
    this.cells.forEach((cell, lane) => {
      const { what, is_in } = laneValue(names, at, lane);
      put(cell, "class", `${is_in ? "in" : "out"}${found.includes(lane) ? " found" : ""}`);
      const text = cell.lastElementChild as HTMLElement;
      if (text.textContent !== what) text.textContent = what;
    });
  }
}
