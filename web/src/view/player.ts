// Walks through the run: buttons, a slider, keys; and says what happens now.

import { inWords, say } from "../words";
import type { App, Part } from "./app";
import { button, capital, el, put, rich } from "./dom";
import { markButtons } from "./lanes";
import { sentence } from "./sentence";

/** Milliseconds from one event to the next. */
const PACE = 900;

export class PlayerView implements Part {
  readonly root = el("section", { class: "player" });
  private readonly said = el("p", { class: "said", role: "status", "aria-live": "polite" });
  private readonly count = el("span", { class: "count" });
  private readonly slider = el("input", { type: "range", min: 0, step: 1 });
  private play = el("button");
  private timer: number | undefined;

  constructor(
    private readonly app: App,
    /** Says when another run takes this one's place. */
    ended: AbortSignal,
  ) {
    this.slider.max = `${app.model.stops.length - 1}`;
    this.slider.addEventListener("input", () => {
      this.stop();
      this.to(Number(this.slider.value));
    });
    document.addEventListener("keydown", (event) => this.key(event), { signal: ended });
    ended.addEventListener("abort", () => this.stop());
  }

  reset(): void {
    const by = (step: number) => () => {
      this.stop();
      this.by(step);
    };
    const last = this.app.model.stops.length - 1;
    this.play = button("", () => this.toggle(), { class: "play" });
    put(this.root, "aria-label", say("player"));
    put(this.slider, "aria-label", say("position"));
    this.root.replaceChildren(
      el(
        "div",
        { class: "buttons" },
        button(say("first"), by(-last), { class: "far" }, "|◀"),
        button(say("back"), by(-1), {}, "◀"),
        this.play,
        button(say("next"), by(1), {}, "▶"),
        button(say("last"), by(last), { class: "far" }, "▶|"),
        this.slider,
        this.count,
        ...markButtons(this.app),
      ),
      this.said,
    );
    this.show();
  }

  show(): void {
    const { app } = this;
    const { stops } = app.model;
    const name = say(this.timer === undefined ? "play" : "pause");
    put(this.play, "aria-label", name);
    put(this.play, "title", name);
    this.play.textContent = this.timer === undefined ? `▶ ${name}` : `‖ ${name}`;
    const place = app.model.stopAt(app.at);
    if (stops.length === 0) {
      this.said.textContent = say("no-events");
      return;
    }
    this.slider.value = `${place}`;
    put(this.slider, "aria-valuetext", say("step-of", { step: place + 1, count: stops.length }));
    this.count.textContent = `${place + 1} / ${stops.length}`;
    const deeds = app.marksAt(app.at).map(({ number }) => {
      const deed = app.said?.deeds[number - 1];
      return el("b", {}, `(${number}) `, ...(deed ? rich(capital(inWords(deed))) : []), ". ");
    });
    // What the finding says of an event needs no second sentence.
    const line = app.names.line(app.at);
    const rest = deeds.length > 0 ? (line ? `${line}.` : "") : `${sentence(app.names, app.at)}.`;
    this.said.replaceChildren(...deeds, ...rich(rest));
  }

  private to(place: number): void {
    const { stops } = this.app.model;
    const at = stops[Math.min(stops.length - 1, Math.max(0, place))];
    if (at !== undefined) this.app.go(at);
  }

  private by(step: number): void {
    this.to(this.app.model.stopAt(this.app.at) + step);
  }

  private toggle(): void {
    if (this.timer !== undefined) {
      this.stop();
      return;
    }
    const { model } = this.app;
    const ended = () => model.stopAt(this.app.at) === model.stops.length - 1;
    // At the end it begins again.
    if (ended()) this.to(0);
    this.timer = window.setInterval(() => {
      this.by(1);
      if (ended()) this.stop();
    }, PACE);
    this.show();
  }

  private stop(): void {
    if (this.timer === undefined) return;
    window.clearInterval(this.timer);
    this.timer = undefined;
    this.show();
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    const on = event.target instanceof Element ? event.target : undefined;
    // These have a use for keys themselves.
    if (on?.matches("input, [role=gridcell]") || (event.key === " " && on?.matches("button, summary"))) return;
    const last = this.app.model.stops.length - 1;
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -last, End: last }[event.key];
    if (step === undefined && event.key !== " ") return;
    event.preventDefault();
    if (step === undefined) {
      this.toggle();
    } else {
      this.stop();
      this.by(step);
    }
  }
}
