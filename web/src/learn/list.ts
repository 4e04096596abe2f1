// All exercises, topic by topic, and what is done.

import { el } from "../view/dom";
import type { Item, List } from "./api";
import { say } from "./words";

export class ListView {
  private readonly summary = el("summary");
  private readonly topics = el("div", { class: "topics" });
  readonly root = el("details", { class: "list" }, this.summary, el("nav", {}, this.topics));

  constructor() {
    this.root.querySelector("nav")?.setAttribute("aria-label", say("exercises"));
  }

  show(list: List, current: string): void {
    this.summary.textContent = say("exercises-of", { standing: list.standing });
    const topics = list.topics.map((topic) =>
      el(
        "section",
        {},
        el("h2", {}, topic.title),
        el("ul", {}, ...topic.exercises.map((item) => el("li", {}, ...entry(item, current)))),
      ),
    );
    this.topics.replaceChildren(...topics);
  }

  close(): void {
    this.root.open = false;
  }
}

function entry(item: Item, current: string): (Node | string)[] {
  const { name, title, is_solved, is_blocked } = item;
  const mark = is_solved ? "✓" : "·";
  const more = [say(`kind-${item.kind}`), say("minutes", { minutes: item.minutes })];
  if (is_solved) more.push(say("solved"));
  else if (is_blocked) more.push(say("needs-compiler"));
  const here = name === current ? "page" : undefined;
  return [
    el("span", { "aria-hidden": "true", class: is_solved ? "good" : "" }, mark),
    " ",
    el("a", { href: `#${name}`, "aria-current": here }, title),
    " ",
    el("span", { class: "told" }, more.join(", ")),
  ];
}
