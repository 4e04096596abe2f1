// The kernel's source: which warp stands at which line, and what the finding says of its lines.

import { both, lanesOf, lanesText } from "../model/bits";
import type { Source } from "../page";
import { inWords, say } from "../words";
import type { App, Part } from "./app";
import { coloured } from "./colours";
import { button, el, rich } from "./dom";

/** Lines that are shown around those that matter. */
const AROUND = 1;
/** Letters that a line's chips have room for; the chips that do not fit are counted. */
const LETTERS = 12;

export class SourceView implements Part {
  readonly root = el("section", { class: "source", "aria-labelledby": "source-title" });
  private readonly rows = new Map<string, { row: HTMLElement; chips: HTMLElement }>();
  private readonly opened = new Set<string>();
  private marked: HTMLElement[] = [];

  constructor(private readonly app: App) {}

  reset(): void {
    this.rows.clear();
    this.marked = [];
    this.root.replaceChildren(el("h2", { id: "source-title" }, say("source")));
    for (const source of this.app.page.sources) this.root.append(this.file(source));
    this.show();
  }

  private file(source: Source): Element {
    const lines = source.text.replace(/\n$/, "").split("\n");
    const wanted = this.wanted(source, lines.length);
    const box = el("div", { class: "code", role: "group", tabindex: "0", "aria-label": source.path });
    const code = coloured(lines);
    let hidden: number[] = [];
    const flush = () => {
      const [first, last] = [hidden[0], hidden.at(-1)];
      if (first === undefined || last === undefined) return;
      const open = () => {
        for (let line = first; line <= last; line++) this.opened.add(`${source.path}:${line}`);
        this.reset();
      };
      const name = say("show-lines", { first, last });
      box.append(button(name, open, { class: "fold" }, name));
      hidden = [];
    };
    for (let line = 1; line <= lines.length; line++) {
      if (!wanted.has(line) && !this.opened.has(`${source.path}:${line}`)) {
        hidden.push(line);
        continue;
      }
      flush();
      const chips = el("span", { class: "chips" });
      const number = el("span", { class: "number" }, `${line}`);
      const row = el("div", { class: "line" }, chips, number, el("code", {}, ...(code[line - 1] ?? [])));
      this.rows.set(`${source.path}:${line}`, { row, chips });
      box.append(row);
      for (const mark of this.app.marks.filter((one) => one.file === source.path && one.line === line)) {
        const deed = this.app.said?.deeds[mark.number - 1];
        const text = el("span", {}, `(${mark.number}) `, ...(deed ? rich(inWords(deed)) : []));
        const indent = (lines[line - 1] ?? "").search(/\S/);
        const note = el(
          "div",
          { class: "note" },
          el("span", { class: "caret" }, `${" ".repeat(Math.max(0, indent))}^ `),
          text,
        );
        box.append(note);
        row.classList.add("found");
      }
    }
    flush();
    return el("div", {}, el("p", { class: "path" }, source.path), box);
  }

  /** The kernels that ran, and every line that was executed. */
  private wanted(source: Source, count: number): Set<number> {
    const wanted = new Set<number>();
    const add = (from: number, to: number) => {
      for (let line = Math.max(1, from); line <= Math.min(count, to); line++) wanted.add(line);
    };
    for (const [first, last] of source.kernels) add(first, last);
    for (const { location } of this.app.model.trace.sites) {
      if (location?.file === source.path) add(location.line - AROUND, location.line + AROUND);
    }
    for (const { file, line } of this.app.marks) if (file === source.path && line) add(line - AROUND, line + AROUND);
    return wanted;
  }

  show(): void {
    const { app } = this;
    for (const row of this.marked) {
      row.classList.remove("current", "taken");
      row.querySelector(".chips")?.replaceChildren();
    }
    this.marked = [];
    const now = app.model.line(app.at);
    for (const [key, names] of this.standing()) {
      const found = this.rows.get(key);
      if (!found) continue;
      const { row, chips } = found;
      row.classList.add("taken");
      let letters = 0;
      const shown = names.filter(({ text }, index) => {
        letters += text.length + 2;
        return index === 0 || letters <= LETTERS;
      });
      for (const { text, kind } of shown) chips.append(el("span", { class: `chip ${kind}` }, text));
      if (names.length > shown.length) {
        chips.append(el("span", { class: "chip" }, say("more", { count: names.length - shown.length })));
      }
      this.marked.push(row);
    }
    const current = now && this.rows.get(`${now.file}:${now.line}`)?.row;
    if (!current) return;
    current.classList.add("current");
    this.marked.push(current);
    follow(current);
  }

  /** Who stands at each line; warps side by side as one. */
  private standing(): Map<string, { text: string; kind: string }[]> {
    const { model, here, at, names } = this.app;
    const byLine = new Map<string, { block: number; warp: number; text: string; kind: string; is_whole: boolean }[]>();
    for (const warp of model.warps.all()) {
      if (warp.block !== here?.block) continue;
      const groups = (warp.groups.get(at) ?? []).filter((group) => group.state !== "done");
      // Groups of a warp at one line, by whether they wait.
      const together = new Map<string, { key: string; lanes: number; waits: boolean }>();
      for (const { site, state, lanes } of groups) {
        const place = model.trace.sites[site]?.location;
        if (!place) continue;
        const key = `${place.file}:${place.line}`;
        const waits = state === "waits";
        const known = together.get(`${key} ${waits}`)?.lanes ?? 0;
        together.set(`${key} ${waits}`, { key, lanes: both(known, lanes), waits });
      }
      for (const { key, lanes, waits } of together.values()) {
        const is_whole = together.size === 1;
        const name = names.chip(warp.block, warp.warp, at);
        const list = lanesText(lanes);
        const short = list.length > 6 ? say("lane-count", { count: lanesOf(lanes).length }) : list;
        const text = is_whole ? name : `${name}: ${short}`;
        const kind = waits ? "waits" : warp.warp === here.warp ? "here" : "";
        byLine.set(key, [...(byLine.get(key) ?? []), { block: warp.block, warp: warp.warp, text, kind, is_whole }]);
      }
    }
    const merged = new Map<string, { text: string; kind: string }[]>();
    for (const [key, all] of byLine) {
      const list: { text: string; kind: string; from: number; to: number; is_whole: boolean }[] = [];
      for (const one of all) {
        const last = list.at(-1);
        if (last?.is_whole && one.is_whole && last.kind === one.kind && last.to + 1 === one.warp) {
          last.to = one.warp;
          const first = names.chip(one.block, last.from, at);
          last.text = `${first}-${last.to}`;
        } else list.push({ ...one, from: one.warp, to: one.warp });
      }
      // A waiting warp says so in words too.
      merged.set(
        key,
        list.map(({ text, kind }) => ({ text: kind === "waits" ? `‖ ${text}` : text, kind })),
      );
    }
    return merged;
  }
}

/** Scrolls the box around a line, and never the page. Of the box the player may cover the end. */
function follow(row: HTMLElement): void {
  const box = row.parentElement;
  if (!box || box.scrollHeight <= box.clientHeight) return;
  const [top, bottom] = [row.offsetTop, row.offsetTop + row.offsetHeight];
  if (top < box.scrollTop + 20) box.scrollTop = Math.max(0, top - 40);
  const player = document.querySelector(".player")?.getBoundingClientRect().top ?? window.innerHeight;
  const room = Math.min(box.clientHeight, Math.max(80, player - box.getBoundingClientRect().top));
  if (bottom > box.scrollTop + room - 20) box.scrollTop = bottom - room + 40;
}
