import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import learnEn from "../src/learn/words/en.json";
import learnEs from "../src/learn/words/es.json";
import en from "../src/words/en.json";
import es from "../src/words/es.json";

type Words = Record<string, string>;

/** The words of each page, and which of the sources are its own. */
const PAGES: [string, Words, Words, (file: string) => boolean][] = [
  ["player", en, es, (file) => !file.startsWith("learn/")],
  ["learn", learnEn, learnEs, (file) => file.startsWith("learn/")],
];

const values = (text = "") => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

for (const [page, en, es, isOf] of PAGES) {
  test(`${page}: each language has the same words, with the same values`, () => {
    assert.deepEqual(Object.keys(es), Object.keys(en));
    for (const key of Object.keys(en)) assert.deepEqual(values(es[key]), values(en[key]), key);
  });

  test(`${page}: no word is idle`, () => {
    const all = readdirSync("src", { recursive: true, encoding: "utf8" });
    const files = all.filter((name) => name.endsWith(".ts") && isOf(name));
    const code = files.map((name) => readFileSync(`src/${name}`, "utf8")).join("\n");
    // `kind-${kind}`: one for each kind of exercise.
    const idle = Object.keys(en).filter((key) => !key.startsWith("kind-") && !code.includes(`"${key}"`));
    assert.deepEqual(idle, []);
  });

  test(`${page}: a sentence is short`, () => {
    for (const [words, most] of [
      [en, 25],
      [es, 30],
    ] as const) {
      for (const text of Object.values(words)) {
        for (const sentence of text.split(/[.:] /)) assert.ok(sentence.split(/\s+/).length <= most, sentence);
      }
    }
  });
}
