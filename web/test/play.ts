// The emulator as the page has it, in node's worker in place of a browser's; and recorded programs to play with.

import { readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { gunzipSync } from "node:zlib";
import type { Recording, Sources } from "../src/live/answer";
import { script } from "../src/live/desk";
import { type Connect, Emulator } from "../src/live/emulator";
import type { Expected } from "../src/live/outcome";

interface Fixture {
  recording: Recording;
  sources: Sources;
  expected: Expected;
}

export const module = (): Uint8Array => gunzipSync(readFileSync("dist/emulator.wasm.gz"));

export const inNode: Connect = (hear) => {
  const worker = new Worker(script('require("node:worker_threads").parentPort'), { eval: true });
  worker.on("message", hear);
  worker.on("error", (error) => hear({ trap: `${error}` }));
  return { post: (message) => worker.postMessage(message), end: () => void worker.terminate() };
};

export function fixture(name: string): Fixture {
  return JSON.parse(readFileSync(`test/fixtures/${name}.json`, "utf8")) as Fixture;
}

/** An emulator that has loaded a program and is ended with the test. */
export async function loaded(test: { after(end: () => void): void }, name: string, limit?: number) {
  const emulator = new Emulator(module(), inNode, limit);
  test.after(() => emulator.end());
  const { recording, sources, expected } = fixture(name);
  await emulator.load(recording, sources);
  return { emulator, expected, recording };
}
