// The same as examples/answer.rs by way of WebAssembly: node answer.mjs MODULE.wasm < requests > answers
import { readFileSync, writeSync } from "node:fs";

const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]), {});
const { memory, room, answer, text } = instance.exports;

for (const request of readFileSync(0, "utf8").split("\n").filter((line) => line !== "")) {
    const bytes = new TextEncoder().encode(request);
    const place = room(bytes.length) >>> 0;
    new Uint8Array(memory.buffer, place, bytes.length).set(bytes);
    const length = answer() >>> 0;
    const said = Buffer.from(memory.buffer, text() >>> 0, length);
    for (let done = 0; done < length; ) done += writeSync(1, said, done);
    writeSync(1, "\n");
}

// It never shrinks. Small machines and phones have no more to give to a page.
const MOST = 512 * 2 ** 20;
const taken = memory.buffer.byteLength;
console.error(`${(taken / 2 ** 20).toFixed(0)} MiB of memory at most`);
if (taken > MOST) throw new Error(`it took ${taken} bytes of memory, more than ${MOST}`);
