// The page's own words, in the language that the reader has chosen.

import type { Language, Said } from "./page";
import en from "./words/en.json";
import es from "./words/es.json";

export type Word = keyof typeof en;

const WORDS: Record<Language, Record<Word, string>> = { en, es };

let language: Language = "en";

export function speak(chosen: Language): void {
  language = chosen;
}

export const spoken = (): Language => language;

export const inWords = (said: Said): string => said[language];

/** `{name}` in the text is replaced by the value of that name. */
export function say(word: Word, values: Record<string, string | number> = {}): string {
  return WORDS[language][word].replace(/\{(\w+)\}/g, (whole, name: string) => `${values[name] ?? whole}`);
}
