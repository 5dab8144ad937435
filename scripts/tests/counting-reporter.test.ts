import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import CountingReporter from "./counting-reporter.mjs";

const beats = { moduleId: "beats.test.ts", state: () => "passed" };
const testOf = (fullName: string, state: string) => ({ module: beats, fullName, result: () => ({ state }) });
const exits: number[] = [];
let file: string;
let reporter: CountingReporter;

beforeEach(async () => {
  file = join(await mkdtemp(join(tmpdir(), "beatmarket-counts-")), "counts.json");
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  exits.length = 0;
  reporter = new CountingReporter({ file, exit: (code) => exits.push(code) });
  reporter.onTestRunStart();
  reporter.onTestModuleStart(beats);
});
afterEach(() => {
  vi.useRealTimers();
});

const counts = async (): Promise<unknown> => JSON.parse(await readFile(file, "utf8"));

function run(fullName: string, state: string): void {
  const test = testOf(fullName, state);
  reporter.onTestCaseReady(test);
  reporter.onTestCaseResult(test);
}

test("every failed test is named with its file", async () => {
  run("a beat is published", "passed");
  run("a beat is sold", "failed");
  run("a beat is lent", "skipped");
  reporter.onTestModuleEnd({ ...beats, state: () => "failed" });
  reporter.onTestRunEnd([], []);
  expect(await counts()).toEqual({ passed: 1, failures: ["beats.test.ts: a beat is sold"] });
});

test("a file whose set-up fails is reported, although none of its tests failed", async () => {
  reporter.onTestModuleEnd({ ...beats, state: () => "failed" });
  reporter.onTestRunEnd([], []);
  expect(await counts()).toEqual({ passed: 0, failures: ["beats.test.ts"] });
});

test("an error outside of any test is a failure", async () => {
  run("a beat is published", "passed");
  reporter.onTestModuleEnd(beats);
  reporter.onTestRunEnd([], [{ message: "the connection is lost" }]);
  expect(await counts()).toEqual({ passed: 1, failures: ["Vitest: the connection is lost"] });
});

test("a run in which no test ends for 20 minutes is stopped, and the running tests are reported", async () => {
  run("a beat is published", "passed");
  reporter.onTestCaseReady(testOf("a beat is sold", "pending"));
  reporter.onTestModuleStart({ ...beats, moduleId: "orders.test.ts" });
  vi.advanceTimersByTime(1_190_000);
  expect(exits).toEqual([]);
  vi.advanceTimersByTime(10_000);
  expect(exits[0]).toBe(1);
  expect(await counts()).toMatchObject({
    passed: 1,
    failures: ["beats.test.ts: a beat is sold did not end", "orders.test.ts: its set-up or end did not end"],
  });
});
