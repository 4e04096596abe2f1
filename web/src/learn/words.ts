// The words of the page of `cargo learn web`. The server says in which language.

import en from "./words/en.json";
import es from "./words/es.json";

export type Word = keyof typeof en;
export type Language = "en" | "es";

const WORDS: Record<Language, Record<Word, string>> = { en, es };

let language: Language = "en";

export function speak(chosen: Language): void {
  language = chosen;
  document.documentElement.lang = chosen;
}

/** `{name}` in the text is replaced by the value of that name. */
export function say(word: Word, values: Record<string, string | number> = {}): string {
  return WORDS[language][word].replace(/\{(\w+)\}/g, (whole, name: string) => `${values[name] ?? whole}`);
}
