import { afterEach, expect, test } from "vitest";
import { noChange } from "../src/entry.ts";
import { EngineProgram } from "./engine-program.ts";

/**
 * Answers a list with the number of beats that it received, and a search with the question as the only hit; without
 * hits if the question has a tempo, unless its text is "trap".
 */
const program = `
  let beats = 0;
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const [[method, question]] = Object.entries(JSON.parse(line));
    if (method === "rows") beats += question.beats.length;
    const isAnswerable = method !== "search" || question.filters.bpm === undefined || question.text === "trap";
    const result = { list: { ids: [], total: beats }, search: { hits: isAnswerable ? [question] : [] } }[method] ?? null;
    console.log(JSON.stringify({ result, cpuSeconds: 0.25 }));
  });`;
const query = { kinds: ["beats"], interpret: true, filters: {}, offset: 0, limit: 5 } as const;
let engine: EngineProgram | undefined;
afterEach(() => engine?.close());
const start = (code: string) => {
  engine = new EngineProgram([process.execPath, "-e", code]);
  return engine;
};

test("all rows reach the program, and the CPU time of its answers adds up", async () => {
  const engine = start(program);
  await engine.load({ ...noChange, beats: Array.from({ length: 20_001 }, () => ({})) as never });
  const { total } = await engine.list({ filters: {}, sort: "newest", offset: 0, limit: 1 });
  expect(total).toBe(20_001);
  expect(engine.cpuSeconds).toBe(0.25 * 5);
});

test("a tempo in the text is a filter, unless nothing has it", async () => {
  const engine = start(program);
  expect((await engine.search({ ...query, text: "trap 140 bpm" })).hits).toMatchObject([
    { text: "trap", filters: { bpm: [{ min: 140, max: 140 }] } },
  ]);
  expect((await engine.search({ ...query, text: "drill 140 bpm" })).hits).toEqual([
    { ...query, text: "drill 140 bpm" },
  ]);
});

test.each([
  ["that ends", [process.execPath, "-e", "process.exit(0)"]],
  ["that does not exist", ["no-such-program"]],
])("a question to a program %s fails with an error that names the program", async (_, command) => {
  engine = new EngineProgram(command);
  await expect(engine.list({ filters: {}, sort: "newest", offset: 0, limit: 1 })).rejects.toThrow(
    `The engine ${command[0]} did not start, or ended before its answer.`,
  );
});
