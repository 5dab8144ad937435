import { expect, test } from "vitest";
import { stopSignal } from "./run.ts";

test("commands in one process share the listeners for signals", () => {
  const listeners = () => ["SIGINT", "SIGTERM", "SIGHUP"].map((signal) => process.listenerCount(signal));
  const first = stopSignal();
  const before = listeners();
  expect(stopSignal()).toBe(first);
  expect(listeners()).toEqual(before);
});
