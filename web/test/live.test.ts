import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import type { Recording } from "../src/live/answer";
import { asked } from "../src/live/asked";
import { ALSO, type Also, Game, Misfit } from "../src/live/chooser";
import type { Message } from "../src/live/desk";
import { type Connect, Emulator, NoAnswer, unpacked } from "../src/live/emulator";
import { runToken } from "../src/live/token";
import { isWrong, policies, type Result, summary, survey } from "../src/live/survey";
import type { Page } from "../src/page";
import { pageOfGame, pageOfSchedule } from "../src/live/shown";
import { fixture, inNode, loaded, module } from "./play";

const PAGE = { version: 1, language: "en", lesson: "lesson", kernel: "kernel", command: "again", sources: [] };

/** Goes on with whoever `pick` says, up to the end. */
async function play(game: Game, pick: (game: Game) => number, most = 400): Promise<void> {
  for (let step = 0; game.state.question; step++) {
    assert.ok(step < most, "a game without an end");
    await game.choose(pick(game));
  }
}

/** Numbers from 0 to `below`, the same in each run of the test. */
function coin(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Any of the answers, whatever is asked. */
const any = (next: (below: number) => number) => (game: Game) => next(game.state.question?.answers ?? 1);

const ALL = Object.keys(ALSO) as Also[];

const options = (game: Game) => game.state.question?.options ?? [];
const slugs = (game: Game) => game.state.errors.map(({ finding }) => finding.slug);

test("one warp before the other makes the broken kernel wrong, and it is reported at the step that shows it", async (t) => {
  const { emulator, expected } = await loaded(t, "reverse_broken");
  const game = new Game(emulator, expected);
  await game.begin();
  // Warp 0 reads what warp 1 has not written yet; then warp 1 writes it.
  for (const pick of [0, 0, 0, 1]) {
    await game.choose(pick);
    assert.deepEqual([slugs(game), game.state.fresh.length], [[], 0]);
  }
  await game.choose(1);
  assert.deepEqual(slugs(game), ["race-shared"]);
  assert.equal(game.state.fresh.length, 1);
  const [error] = game.state.errors;
  assert.match(error?.report.en ?? "", /cuda\/lesson02\/reverse.cu:17/);
  assert.match(error?.message.es ?? "", /condición de carrera/);
  assert.equal(error?.deeds.length, 2);
  assert.ok(game.state.ran.arrays.includes("d"), game.state.ran.arrays.join());
  await play(game, () => 0);
  assert.equal(game.state.end, "wrong");
  assert.deepEqual([slugs(game), game.state.fresh], [["race-shared"], []]);
});

test("both warps in step make the broken kernel right, and it is reported all the same", async (t) => {
  const { emulator, expected } = await loaded(t, "reverse_broken");
  const game = new Game(emulator, expected);
  await game.begin();
  // Whoever stands at the earlier line.
  await play(game, () => {
    const lines = options(game).map(({ groups }) => groups[0]?.ptx_line ?? 0);
    return lines.indexOf(Math.min(...lines));
  });
  assert.equal(game.state.end, "right");
  assert.deepEqual(slugs(game), ["race-shared"]);
});

test("the correct kernel cannot lose in 300 random games", async (t) => {
  const { emulator, expected } = await loaded(t, "reverse_correct");
  const game = new Game(emulator, expected);
  const seen = new Set<string>();
  for (let round = 0; round < 300; round++) {
    const next = coin(round);
    await game.begin();
    await play(game, () => next(options(game).length));
    assert.deepEqual([game.state.end, slugs(game)], ["right", []], `game ${round}`);
    seen.add(JSON.stringify(game.state.choices));
  }
  assert.ok(seen.size > 10, `${seen.size} different games`);
});

test("back is the same as one less, and can be done again", async (t) => {
  const { emulator, expected } = await loaded(t, "reverse_broken");
  const game = new Game(emulator, expected);
  const states = [await game.begin()];
  while (game.state.question) states.push(await game.choose(states.length % options(game).length));
  const last = states.length - 1;
  for (let at = last - 1; at >= 0; at--) assert.deepEqual(content(await game.back()), content(states[at]));
  assert.equal(game.canGoBack, false);
  assert.throws(() => game.back());
  for (let at = 1; at <= last; at++) assert.deepEqual(await game.redo(), states[at]);
  assert.equal(game.canGoOn, false);
  // Another choice: what was taken back is forgotten.
  await game.back();
  await game.back();
  await game.choose(0);
  assert.equal(game.canGoOn, false);
});

/** All but what is new in comparison with the step before. */
const content = (state: object | undefined) => ({ ...state, fresh: undefined });

test("the rest can be left to the emulator, from anywhere", async (t) => {
  const { emulator, expected } = await loaded(t, "reverse_broken");
  const game = new Game(emulator, expected);
  await game.begin();
  await game.choose(1);
  const before = game.state;
  const ends = new Set<string>();
  for (const seed of [undefined, 1, 2, 3, 4, 5]) {
    await game.finish(seed);
    assert.equal(game.state.question, undefined);
    assert.deepEqual(game.state.choices.slice(0, before.choices.length), before.choices);
    ends.add(JSON.stringify(game.state.choices));
    const again = new Game(emulator, expected);
    // Whoever makes the same choices by hand gets the same run.
    assert.equal((await again.begin(game.state.choices)).end, game.state.end);
    assert.deepEqual(content(await game.back()), content(before));
  }
  assert.ok(ends.size > 2, `${ends.size} different ends`);
});

test("a game goes on from the choices of an earlier one, and one of another kernel is refused", async (t) => {
  const { emulator, expected } = await loaded(t, "reverse_broken");
  const game = new Game(emulator, expected);
  await game.begin();
  await game.choose(1);
  await game.choose(0);
  const { choices } = game.state;
  const again = new Game(emulator, expected);
  assert.deepEqual(content(await again.begin(choices)), content(game.state));
  const of_others = choices.map((choice, at) => (at === 1 ? { ...choice, answers: 3, pick: 2 } : choice));
  const before = again.state;
  await assert.rejects(again.begin(of_others), (error) => error instanceof Misfit && error.place === 1);
  assert.equal(again.state, before);
  await assert.rejects(async () => again.choose(2), /no option 2/);
});

test("lanes that go on without the others make the mask wrong, and lanes that wait do not", async (t) => {
  const { emulator, expected } = await loaded(t, "activemask_sum_broken");
  const game = new Game(emulator, expected);
  const lines = () => options(game).map(({ groups }) => groups[0]?.location?.line ?? 0);
  await game.begin();
  // Those who are still in the loop go first.
  await play(game, () => lines().indexOf(Math.min(...lines())));
  assert.deepEqual([game.state.end, slugs(game)], ["right", []]);
  await game.begin();
  await play(game, () => lines().indexOf(Math.max(...lines())));
  assert.equal(game.state.end, "wrong");
  assert.ok(slugs(game).includes("absent-lane"), slugs(game).join());
});

test("two threads that each hold a lock of the other never end, and that is reported", async (t) => {
  const { emulator, expected } = await loaded(t, "lock_order_broken");
  const game = new Game(emulator, expected, 1 << 14);
  await game.begin();
  await game.choose(0);
  await game.finish();
  assert.equal(game.state.end, "stopped");
  assert.deepEqual(slugs(game), ["livelock"]);
});

/** Counts for ever. */
const ENDLESS: Recording = {
  programs: [
    [
      `.version 7.0
.target sm_70
.address_size 64
.visible .entry endless() {
  .reg .b32 %r<2>;
  mov.u32 %r1, 0;
again:
  add.u32 %r1, %r1, 1;
  bra again;
}`,
    ],
  ],
  next: 2 ** 48,
  commands: [
    { do: "module", program: 0, addresses: [] },
    {
      do: "launch",
      module: 0,
      kernel: 0,
      config: { grid: [1, 1, 1], block: [32, 1, 1], dynamic_shared: 0, cooperative: false },
      parameters: "",
      order: { agent: 1, clock: [1, 1, 0] },
    },
  ],
};

test("a kernel that takes too long ends at the limit with a word, and the next request gets an answer", async (t) => {
  const emulator = new Emulator(module(), inNode, 1500);
  t.after(() => emulator.end());
  await emulator.load(ENDLESS, {});
  const endless = new Game(emulator, undefined, Number.MAX_SAFE_INTEGER);
  await assert.rejects(endless.begin(), (error) => {
    return error instanceof NoAnswer && error.why === "limit" && error.message === "no answer after 1.5 seconds";
  });
  const game = new Game(emulator, undefined, 1 << 14);
  await game.begin();
  assert.equal(game.state.end, "stopped");
  assert.deepEqual(slugs(game), ["livelock"]);
});

test("a trap ends the worker, and the next request gets a fresh one", async (t) => {
  // A module without anything in it: there is nothing to call.
  const empty = new Emulator(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]), inNode, 5000);
  t.after(() => empty.end());
  for (let round = 0; round < 2; round++) {
    await assert.rejects(empty.run({ policy: { kind: "steps" } }), (error) => {
      return error instanceof NoAnswer && error.why === "trap" && /TypeError/.test(error.message);
    });
  }
});

test("what cannot be run is refused in words", async (t) => {
  const { emulator, recording } = await loaded(t, "reverse_broken");
  const commands = recording.commands.filter((command) => command.do !== "allocate");
  await emulator.load({ ...recording, commands }, {});
  await assert.rejects(emulator.run({ policy: { kind: "steps" } }), (error) => {
    return error instanceof NoAnswer && error.why === "refused";
  });
});

test("whoever waits is told when the emulator is ended", async () => {
  const emulator = new Emulator(module(), inNode);
  await emulator.load(ENDLESS, {});
  const endless = emulator.run({ policy: { kind: "in-order" }, fuel: Number.MAX_SAFE_INTEGER });
  setTimeout(() => emulator.end(), 200);
  await assert.rejects(endless, (error) => error instanceof NoAnswer && error.why === "ended");
});

test("a survey tells how many schedules go wrong, one after the other, and can be stopped", async (t) => {
  const broken = await loaded(t, "reverse_broken");
  const results: Result[] = [];
  for await (const result of survey(broken.emulator, 100, broken.expected)) results.push(result);
  const { runs, wrong, reported } = summary(results);
  assert.deepEqual([runs, reported], [100, 100]);
  assert.ok(wrong > 0 && wrong < 100, `${wrong}`);
  assert.equal(new Set(results.map(({ policy }) => JSON.stringify(policy))).size, 100);
  assert.deepEqual(
    results.map(({ policy }) => policy),
    policies(100),
  );
  // What a survey says of a schedule is what that schedule does.
  const [first] = results.filter(isWrong);
  const { reads } = await broken.emulator.run({ policy: first?.policy ?? { kind: "steps" } });
  assert.notDeepEqual(reads, broken.expected);

  const correct = await loaded(t, "reverse_correct");
  const stop = new AbortController();
  let seen = 0;
  for await (const { end, reported } of survey(correct.emulator, 100, correct.expected, stop.signal)) {
    assert.deepEqual([end, reported], ["right", []]);
    if (++seen === 30) stop.abort();
  }
  assert.equal(seen, 30);
});

test("a survey survives schedules that take too long", async () => {
  let workers = 0;
  const slow: Connect = (hear) => {
    workers++;
    const post = (message: Message) => typeof message === "string" || queueMicrotask(() => hear({ ready: true }));
    return { post, end: () => {} };
  };
  const results: Result[] = [];
  for await (const result of survey(new Emulator(new Uint8Array(), slow, 20), 3, undefined)) results.push(result);
  assert.deepEqual(
    results.map(({ end }) => end),
    ["none", "none", "none"],
  );
  assert.equal(workers, 3);
  assert.equal(summary(results).wrong, 3);
});

test("a run is shown with its findings' words, and says in both languages how it ended", async (t) => {
  const { emulator, expected } = await loaded(t, "reverse_broken");
  const game = new Game(emulator, expected);
  await game.begin();
  const page = { ...PAGE, game: { ...fixture("reverse_broken"), expected } } as unknown as Page;
  const begun = pageOfGame(page, game.state, 0);
  assert.deepEqual([begun.title?.en, begun.findings, begun.command], ["Nothing was found in this game so far", [], undefined]);
  assert.equal(begun.answer.said.es, "la ejecución no ha terminado");
  await play(game, () => 0);
  const ended = pageOfGame(page, game.state, game.length);
  assert.deepEqual([ended.answer.is_right, ended.answer.said.en], [false, "the answer is wrong"]);
  assert.equal(ended.findings.length, ended.trace.findings.length);
  assert.match(ended.findings[0]?.message.en ?? "", /data race on `s\[32\]`/);
  const policy = { kind: "random", seed: 3 } as const;
  const ran = await emulator.run({ policy, trace: { events: 1000, bytes: 1 << 20 } });
  assert.equal(pageOfSchedule(page, ran, policy).run.en, "One run: schedule `random 3`.");
});

test("the module is unpacked as a page carries it", async () => {
  const packed = readFileSync("dist/emulator.wasm.gz").toString("base64");
  assert.deepEqual(await unpacked(packed), new Uint8Array(module()));
});

/** The page's array that the last access is about. */
function lastArray({ state: { ran } }: Game): string | null | undefined {
  const last = ran.trace?.events.filter((event) => event.kind === "access").at(-1);
  return last?.kind === "access" ? ran.arrays[last.by_lane[0]?.array ?? -1] : undefined;
}

test("turns alone cannot make a flag without fences wrong", async (t) => {
  const { emulator, expected } = await loaded(t, "flag_broken");
  const game = new Game(emulator, expected);
  for (let round = 0; round < 20; round++) {
    await game.begin();
    await play(game, any(coin(round)));
    assert.equal(game.state.end, "right");
    assert.ok(slugs(game).includes("race-global"));
  }
});

test("who may have an older value read makes a flag without fences wrong, and its token has that choice", async (t) => {
  const { emulator, expected } = await loaded(t, "flag_broken");
  const game = new Game(emulator, expected);
  await game.ask(["values"]);
  const next = coin(7);
  const questions: string[] = [];
  await play(game, () => {
    const { question } = game.state;
    if (!question?.other) return next(question?.answers ?? 1);
    const page = pageOfGame(PAGE as unknown as Page, game.state, game.length);
    const { question: text, about, answers } = asked(page, question.other);
    assert.equal(answers.length, question.answers);
    questions.push([text, about, ...answers].join("\n"));
    return lastArray(game) === "message" ? 1 : 0;
  });
  assert.equal(game.state.end, "wrong");
  assert.ok(slugs(game).includes("race-global"));
  const ofMessage = questions.find((text) => text.includes("reads `message`")) ?? "";
  assert.match(ofMessage, /^Which value does this read return\?\nLine 39: .*reads `message`\n51529: the latest value\nan older value/);
  const token = runToken({ policy: { kind: "free-steps" }, choices: game.state.choices });
  assert.match(token, /^free-steps\/0@.*\bo2\.1\b/);
  // The same choices are the same run, and without the switch they are refused.
  const again = new Game(emulator, expected);
  await again.ask(ALL);
  await again.begin(game.state.choices);
  assert.equal(again.state.end, "wrong");
  await again.ask([]);
  await assert.rejects(again.begin(game.state.choices), Misfit);
});

test("a correct flag cannot lose, whatever is chosen", async (t) => {
  const { emulator, expected } = await loaded(t, "flag_correct");
  const game = new Game(emulator, expected);
  await game.ask(ALL);
  const kinds = new Set<string>();
  for (let round = 0; round < 20; round++) {
    const next = coin(round);
    await game.begin();
    await play(
      game,
      () => {
        const kind = game.state.question?.kind ?? "";
        kinds.add(kind);
        // Lanes part now and then: who parts them at every turn never comes to an end.
        return kind === "parts" && next(8) > 0 ? 0 : any(next)(game);
      },
      1000,
    );
    assert.deepEqual([game.state.end, slugs(game)], ["right", []], `game ${round}`);
  }
  for (const kind of ["block", "warp", "group", "parts", "converges", "back"]) assert.ok(kinds.has(kind), kind);
});

test("lanes that part are a person's choice, and other switches go on with the same game", async (t) => {
  const { emulator, expected } = await loaded(t, "reverse_correct");
  const game = new Game(emulator, expected);
  await game.ask(["lanes"]);
  await game.choose(0);
  assert.equal(game.state.question?.kind, "parts");
  assert.equal(game.state.question.answers, 3);
  await game.choose(1);
  const page = pageOfGame(PAGE as unknown as Page, game.state, game.length);
  const half = (event: { kind: string; lanes?: string }) => event.kind === "access" && event.lanes === "0x0000ffff";
  assert.ok(page.trace.events.some(half), "the lower half reads by itself");
  const { choices } = game.state;
  await game.ask(["lanes", "values"]);
  assert.deepEqual(game.state.choices, choices);
  await play(game, () => 0);
  assert.equal(game.state.end, "right");
  await game.ask([]);
  assert.deepEqual([game.state.choices, game.length], [[], 0]);
});
