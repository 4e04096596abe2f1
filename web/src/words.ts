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

type Values = Record<string, string | number>;

/** `{name}` in the text is replaced by the value of that name. */
export const say = (word: Word, values: Values = {}): string => inLanguage(language, word, values);

/** The same in each language. */
export const said = (word: Word, values: Values = {}): Said => ({
  en: inLanguage("en", word, values),
  es: inLanguage("es", word, values),
});

function inLanguage(language: Language, word: Word, values: Values): string {
  return WORDS[language][word].replace(/\{(\w+)\}/g, (whole, name: string) => `${values[name] ?? whole}`);
}
