// What opens below the editor: the failing run, what a kind of finding is, or an answer that works.

import { button, el } from "../view/dom";
import { runAddress } from "./api";
import { say } from "./words";

export class Below {
  readonly root = el("div", { class: "below" });
  private before: Element | null = null;

  /** The run has no origin of its own: it can neither ask the server nor read this page. */
  run(name: string, version: string): void {
    const address = runAddress(name, version);
    const frame = el("iframe", { src: address, sandbox: "allow-scripts", title: say("run") });
    const link = el("a", { href: address, target: "_blank", rel: "noopener" }, say("own-window"));
    this.open(say("run"), el("p", {}, link), frame);
  }

  explain(kind: string, text: string): void {
    this.text(say("explanation", { kind }), text);
  }

  text(title: string, text: string): void {
    this.open(title, el("pre", { tabindex: "0", "aria-label": title }, text));
  }

  close(): void {
    const isIn = this.root.contains(document.activeElement);
    this.root.replaceChildren();
    if (isIn && this.before instanceof HTMLElement && this.before.isConnected) this.before.focus();
  }

  private open(title: string, ...parts: HTMLElement[]): void {
    this.before = document.activeElement;
    const heading = el("h2", { tabindex: "-1" }, title);
    const close = button(say("close"), () => this.close(), {}, say("close"));
    this.root.replaceChildren(el("section", { "aria-label": title }, el("div", { class: "top" }, heading, close), ...parts));
    heading.focus();
    this.root.scrollIntoView({ block: "nearest" });
  }
}
