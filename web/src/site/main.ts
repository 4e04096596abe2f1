// A page of the site: its run is made in the page, by the emulator, which is a script that all pages share.

import { type Emulator, loaded } from "../live/emulator";
import { BOUND, inWordsOf } from "../live/shown";
import type { Language, Page } from "../page";
import { start } from "../start";
import { el } from "../view/dom";
import { say, speak, spoken } from "../words";
import { Puzzle, type PuzzleData } from "./puzzle";

declare global {
  var packedEmulator: string | undefined;
}

/** Where the player is, there is the emulator too. */
const HERE = (document.currentScript as HTMLScriptElement).src;

async function packed(): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    const script = el("script", { src: new URL("emulator.js", HERE).href });
    script.onload = () => resolve();
    script.onerror = () => reject(new Error(say("no-emulator")));
    document.head.append(script);
  });
  if (globalThis.packedEmulator === undefined) throw new Error(say("no-emulator"));
  return globalThis.packedEmulator;
}

const index = () => (spoken() === "es" ? "es.html" : "index.html");
const above = () => el("nav", {}, el("a", { href: new URL(index(), HERE).href }, `← ${say("all-lessons")}`));

/** Makes the page's run, and shows it. */
async function open(page: Page): Promise<void> {
  const { game, made } = page;
  if (!game || !made) {
    start(page, undefined, above);
    return;
  }
  const emulator = await loaded(await packed(), game);
  const { trace } = await emulator.run({ ...made, trace: BOUND });
  if (!trace) throw new Error("a run without a trace");
  start({ ...page, trace }, () => Promise.resolve(emulator), above);
}

/** An exercise: the emulator comes with the first try. */
function ask(data: PuzzleData, language: Language): void {
  let emulator: Promise<Emulator> | undefined;
  const { recording, sources } = data;
  const bring = () => (emulator ??= packed().then((module) => loaded(module, { recording, sources })));
  const puzzle = new Puzzle(data, language, bring, above);
  const other = language === "es" ? el("a", { href: "#en", lang: "en" }, "English") : el("a", { href: "#es", lang: "es" }, "Español");
  window.addEventListener("hashchange", () => location.reload());
  document.body.append(el("main", {}, above(), el("p", {}, other), puzzle.root));
  performance.mark("ready");
}

const exercise = document.getElementById("exercise")?.textContent;
if (exercise) {
  const language = location.hash === "#es" ? "es" : "en";
  speak(language);
  document.documentElement.lang = language;
  ask(JSON.parse(exercise) as PuzzleData, language);
}

const data = document.getElementById("run")?.textContent;
if (data) {
  const page = JSON.parse(data) as Page;
  // The index in Spanish links to pages in Spanish.
  if (location.hash === "#es") page.language = "es";
  speak(page.language);
  document.documentElement.lang = page.language;
  const wait = el("main", { class: "wait" }, el("p", { role: "status" }, say("run-comes")));
  document.body.append(above(), wait);
  open(page).catch((error: unknown) => {
    wait.replaceChildren(el("p", { class: "trouble", role: "alert" }, say("no-run", { why: inWordsOf(error) })));
  });
}
