// What runs in the worker: the emulator's module, asked by messages. The worker gets this function as text, so it uses nothing
// from outside but what it is given.

/** First the module's bytes, then requests. */
export type Message = Uint8Array | string;

/** What comes back: the module is ready, an answer, or why there is none and will be none. */
export type Heard = { ready: true } | { said: string } | { trap: string };

interface Port {
  postMessage: (heard: Heard) => void;
  onmessage: ((event: { data: Message }) => void) | null;
}

interface Exports {
  memory: WebAssembly.Memory;
  /** Room for a request, its answer's length, and where that is. */
  room: (bytes: number) => number;
  answer: () => number;
  text: () => number;
}

function desk(port: Port): void {
  let exports: Exports;
  const prepared = async (module: Uint8Array): Promise<Heard> => {
    const { instance } = await WebAssembly.instantiate(module as BufferSource, {});
    exports = instance.exports as unknown as Exports;
    return { ready: true };
  };
  const answered = (request: string): Heard => {
    const { memory, room, answer, text } = exports;
    const bytes = new TextEncoder().encode(request);
    const place = room(bytes.length) >>> 0;
    new Uint8Array(memory.buffer, place, bytes.length).set(bytes);
    const length = answer() >>> 0;
    return { said: new TextDecoder().decode(new Uint8Array(memory.buffer, text() >>> 0, length)) };
  };
  const said = async (message: Message): Promise<Heard> => {
    try {
      return typeof message === "string" ? answered(message) : await prepared(message);
    } catch (error) {
      return { trap: String(error) };
    }
  };
  port.onmessage = ({ data }) => void said(data).then((heard) => port.postMessage(heard));
}

/** The worker's script; `port` is what it calls its side of the messages. */
export const script = (port: string): string => `(${desk.toString()})(${port});`;
