import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import en from "../src/words/en.json";
import es from "../src/words/es.json";

const values = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

test("each language has the same words, with the same values", () => {
  assert.deepEqual(Object.keys(es), Object.keys(en));
  for (const key of Object.keys(en) as (keyof typeof en)[]) assert.deepEqual(values(es[key]), values(en[key]), key);
});

test("no word is idle", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  const code = files.map((name) => readFileSync(`src/${name}`, "utf8")).join("\n");
  const idle = Object.keys(en).filter((key) => !code.includes(`"${key}"`));
  assert.deepEqual(idle, []);
});

test("a sentence is short", () => {
  for (const [words, most] of [
    [en, 25],
    [es, 30],
  ] as const) {
    for (const text of Object.values(words)) {
      for (const sentence of text.split(/[.:] /)) assert.ok(sentence.split(/\s+/).length <= most, sentence);
    }
  }
});
