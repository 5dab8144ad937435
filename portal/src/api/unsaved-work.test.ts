import { expect, test, vi } from "vitest";
import { mayLeave, useLeaveQuestion, useUnsavedWork } from "./unsaved-work.ts";

// Hooks as plain functions: an effect runs immediately, a store is read once.
vi.mock("react", () => ({
  createContext: () => null,
  useContext: () => null,
  useEffect: (effect: () => void) => effect(),
  useSyncExternalStore: (_: unknown, read: () => unknown) => read(),
}));

test("a second question answers the first with no, and can be answered itself", async () => {
  useUnsavedWork(true);
  const first = mayLeave();
  const second = mayLeave();
  expect(await first).toBe(false);
  const answer = useLeaveQuestion();
  expect(answer).not.toBe(null);
  answer?.(true);
  expect(await second).toBe(true);
  expect(useLeaveQuestion()).toBe(null);
  // Nothing is left to ask about.
  expect(await mayLeave()).toBe(true);
});
