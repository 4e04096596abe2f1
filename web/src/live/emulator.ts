// The emulator in a worker of its own, so that the page stays alive. One request is answered after the other.
//
// A kernel may never end, and the module may trap: then the worker is ended, whoever waits is told why, and the next request gets a
// fresh worker that has loaded the same recording.

import type { PageGame, Said } from "../page";
import type { Answer, Ran, Recording, Request, Run, Sources } from "./answer";
import { type Heard, type Message, script } from "./desk";

/** Milliseconds for one request. */
export const LIMIT = 20_000;

/** Why there is no answer: it took too long, the module trapped, it refused the request, or the page has ended it. */
export type Why = "limit" | "trap" | "refused" | "ended";

export class NoAnswer extends Error {
  constructor(
    readonly why: Why,
    message: string,
    /** The same in each language, where it is said in several. */
    readonly said: Said = { en: message, es: message },
  ) {
    super(message);
  }
}

/** One worker. */
export interface Line {
  post(message: Message): void;
  end(): void;
}

/** Starts a worker, which tells `hear` what it has to say. */
export type Connect = (hear: (heard: Heard) => void) => Line;

/** In a page: from a Blob, since a page from disk can start no other. */
export const inPage: Connect = (hear) => {
  const address = URL.createObjectURL(new Blob([script("self")], { type: "text/javascript" }));
  const worker = new Worker(address);
  worker.onmessage = ({ data }) => hear(data as Heard);
  worker.onerror = (event) => hear({ trap: event.message || "the worker does not start" });
  const end = () => {
    worker.terminate();
    URL.revokeObjectURL(address);
  };
  return { post: (message) => worker.postMessage(message), end };
};

interface Waiting {
  resolve(heard: Heard): void;
  reject(why: NoAnswer): void;
  timer: ReturnType<typeof setTimeout>;
}

export class Emulator {
  private line: Line | undefined;
  private waiting: Waiting | undefined;
  /** The last of those who wait for their turn. */
  private turn: Promise<unknown> = Promise.resolve();
  /** What a fresh worker is told first. */
  private loaded: string | undefined;

  constructor(
    private readonly module: Uint8Array,
    private readonly connect: Connect,
    private readonly limit = LIMIT,
  ) {}

  async load(recording: Recording, sources: Sources): Promise<void> {
    const request: Request = { do: "load", recording, sources };
    const text = JSON.stringify(request);
    await this.inTurn(text);
    this.loaded = text;
  }

  async run(run: Run): Promise<Ran> {
    const request: Request = { do: "run", ...run };
    const answer = await this.inTurn(JSON.stringify(request));
    if (answer.kind !== "ran") throw new NoAnswer("refused", "there is nothing to run");
    return answer;
  }

  /** Whoever waits now gets no answer; whoever asks later gets one. */
  end(): void {
    this.fail("ended", "the emulator was ended");
  }

  private inTurn(request: string): Promise<Answer> {
    const answer = this.turn.then(() => this.ask(request));
    this.turn = answer.catch(() => undefined);
    return answer;
  }

  private async ask(request: string): Promise<Answer> {
    if (!this.line) {
      this.start();
      await this.exchange(this.module);
      if (this.loaded !== undefined) await this.exchange(this.loaded);
    }
    const heard = await this.exchange(request);
    const answer = JSON.parse("said" in heard ? heard.said : "{}") as Answer;
    if (answer.kind === "error") throw new NoAnswer("refused", answer.error.en, answer.error);
    return answer;
  }

  private start(): void {
    const line: Line = this.connect((heard) => {
      // An ended worker's last words come too late.
      if (this.line !== line) return;
      if ("trap" in heard) this.fail("trap", heard.trap);
      else this.settled()?.resolve(heard);
    });
    this.line = line;
  }

  private exchange(message: Message): Promise<Heard> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.fail("limit", `no answer after ${this.limit / 1000} seconds`), this.limit);
      this.waiting = { resolve, reject, timer };
      this.line?.post(message);
    });
  }

  private fail(why: Why, message: string): void {
    this.line?.end();
    this.line = undefined;
    this.settled()?.reject(new NoAnswer(why, message));
  }

  private settled(): Waiting | undefined {
    const { waiting } = this;
    clearTimeout(waiting?.timer);
    this.waiting = undefined;
    return waiting;
  }
}

/** The emulator in a worker, with what a game needs. */
export async function loaded(packed: string, { recording, sources }: PageGame): Promise<Emulator> {
  const emulator = new Emulator(await unpacked(packed), inPage);
  await emulator.load(recording, sources);
  return emulator;
}

/** The module as a page carries it: gzip in base64. */
export async function unpacked(base64: string): Promise<Uint8Array> {
  const packed = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
