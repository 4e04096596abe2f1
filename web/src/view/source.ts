// The kernel's source: which warp stands at which line, and what the finding says of its lines.

import { both, lanesOf, lanesText } from "../model/bits";
import type { Source } from "../page";
import { inWords, say } from "../words";
import type { App, Part } from "./app";
import { coloured } from "./colours";
import { button, el, rich } from "./dom";

/** Lines that are shown around those that matter. */
const AROUND = 1;
/** Spaces that the rest of a line that is too long stands further in. */
const HANG = 4;
/** Letters that a line's chips have room for; the chips that do not fit are counted. */
const LETTERS = 11;

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
    const whole = source.text.replace(/\n$/, "").split("\n");
    // A phone has no room for half of the spaces.
    const lines = isNarrow() ? whole.map((line) => line.replace(/^ +/, (all) => all.slice(all.length / 2))) : whole;
    const wanted = this.wanted(source, lines.length);
    const box = el("div", { class: "code", role: "group", tabindex: "0", "aria-label": source.path });
    const code = coloured(lines);
    let hidden: number[] = [];
    const flush = () => {
      const [first, last] = [hidden[0], hidden.at(-1)];
      // One line takes no more room than the button.
      if (first !== undefined && first === last) {
        hidden = [];
        row(first);
      }
      if (first === undefined || last === undefined || hidden.length === 0) return;
      const open = () => {
        for (let line = first; line <= last; line++) this.opened.add(`${source.path}:${line}`);
        this.reset();
      };
      const name = say("show-lines", { first, last });
      box.append(button(name, open, { class: "fold" }, name));
      hidden = [];
    };
    const row = (line: number) => {
      const chips = el("span", { class: "chips" });
      const number = el("span", { class: "number" }, `${line}`);
      const indent = Math.max(0, (lines[line - 1] ?? "").search(/\S/));
      const text = el("code", {}, ...(code[line - 1] ?? []));
      text.style.setProperty("--hang", `${indent + HANG}ch`);
      const made = el("div", { class: "line" }, chips, number, text);
      this.rows.set(`${source.path}:${line}`, { row: made, chips });
      box.append(made);
      for (const mark of this.app.marks.filter((one) => one.file === source.path && one.line === line)) {
        const deed = this.app.said?.deeds[mark.number - 1];
        const text = el("span", {}, `(${mark.number}) `, ...(deed ? rich(inWords(deed)) : []));
        box.append(noted(indent, text, "note"));
        made.classList.add("found");
      }
      for (const clue of this.app.clues.filter((one) => one.file === source.path && one.line === line)) {
        const lacks = clue.lacks ? el("b", {}, ` ${say(clue.is === "sets" ? "clue-sets-lacks" : "clue-sees-lacks")}`) : "";
        box.append(noted(indent, el("span", {}, say(clue.is === "sets" ? "clue-sets" : "clue-sees"), lacks), "note clue"));
        made.classList.add("found");
      }
    };
    for (let line = 1; line <= lines.length; line++) {
      if (!wanted.has(line) && !this.opened.has(`${source.path}:${line}`)) {
        hidden.push(line);
        continue;
      }
      flush();
      row(line);
    }
    flush();
    return el("div", { class: "file" }, el("p", { class: "path" }, source.path), box);
  }

  /** Lines of the finding, of all files. */
  private get found(): { file: string; line: number }[] {
    const all = [...this.app.marks, ...this.app.clues];
    return all.flatMap(({ file, line }) => (file !== undefined && line !== undefined ? [{ file, line }] : []));
  }

  /** The kernels that ran, and every line that was executed. */
  private wanted(source: Source, count: number): Set<number> {
    const wanted = new Set<number>();
    const found = this.found.filter(({ file }) => file === source.path);
    // On a phone the finding's lines come first; the others when they are needed.
    if (isNarrow() && this.found.length > 0) {
      for (const { line } of found) wanted.add(line);
      return wanted;
    }
    const add = (from: number, to: number) => {
      for (let line = Math.max(1, from); line <= Math.min(count, to); line++) wanted.add(line);
    };
    for (const [first, last] of source.kernels) add(first, last);
    for (const { location } of this.app.model.trace.sites) {
      if (location?.file === source.path) add(location.line - AROUND, location.line + AROUND);
    }
    for (const { line } of found) add(line - AROUND, line + AROUND);
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
    const key = now && `${now.file}:${now.line}`;
    if (key && !this.rows.has(key) && !this.opened.has(key) && this.has(now)) {
      this.opened.add(key);
      this.reset();
      return;
    }
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
    const current = key === undefined ? undefined : this.rows.get(key)?.row;
    if (!current) return;
    current.classList.add("current");
    this.marked.push(current);
    follow(current);
  }

  private has({ file, line }: { file: string; line: number }): boolean {
    const source = this.app.page.sources.find(({ path }) => path === file);
    return source !== undefined && line <= source.text.split("\n").length;
  }

  /** Once the page is there: the finding's first line is at the top of its box. */
  placed(): void {
    this.fit();
    const [first] = this.found.map(({ file, line }) => this.rows.get(`${file}:${line}`)?.row).filter(Boolean);
    const box = first?.parentElement;
    if (first && box) box.scrollTop = Math.max(0, first.offsetTop - 48);
    this.show();
  }

  /** The source goes down to the window's end, where it is beside the rest. */
  private fit(): void {
    const boxes = [...this.root.querySelectorAll<HTMLElement>(".code")];
    const [first] = boxes;
    if (!first || isNarrow()) return;
    const top = first.getBoundingClientRect().top + window.scrollY;
    const room = Math.max(260, window.innerHeight - top - 28);
    for (const box of boxes) box.style.setProperty("max-height", `${Math.floor(room)}px`);
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

const isNarrow = () => document.documentElement.clientWidth < 700;

function noted(indent: number, text: Element, kind: string): Element {
  return el("div", { class: kind }, el("span", { class: "caret" }, `${" ".repeat(indent)}^ `), text);
}

/** Scrolls the box around a line, and never the page. Of the box the player may cover the end. */
function follow(row: HTMLElement): void {
  const box = row.parentElement;
  if (!box || box.scrollHeight <= box.clientHeight) return;
  const [top, bottom] = [row.offsetTop, row.offsetTop + row.offsetHeight];
  if (top < box.scrollTop + 20) box.scrollTop = Math.max(0, top - 40);
  const player = document.querySelector(".player")?.getBoundingClientRect().top ?? window.innerHeight;
  const above = player - box.getBoundingClientRect().top;
  const room = above < 0 ? box.clientHeight : Math.min(box.clientHeight, Math.max(80, above));
  if (bottom > box.scrollTop + room - 20) box.scrollTop = bottom - room + 40;
}
