import { expect, test, vi } from "vitest";
import { mayLeave, useLeaveQuestion, useUnsavedWork } from "./unsaved-work.ts";

// Replaces React's hooks with plain functions: an effect runs immediately, and a store is read once.
vi.mock("react", () => ({
  createContext: () => null,
  useContext: () => null,
  useEffect: (effect: () => void) => effect(),
  useSyncExternalStore: (_: unknown, read: () => unknown) => read(),
}));

test("a second question answers the first with no, and waits for an answer", async () => {
  useUnsavedWork(true);
  const first = mayLeave();
  const second = mayLeave();
  expect(await first).toBe(false);
  const answer = useLeaveQuestion();
  expect(answer).not.toBe(null);
  answer?.(true);
  expect(await second).toBe(true);
  expect(useLeaveQuestion()).toBe(null);
  // No unsaved input is left, so the answer is immediate.
  expect(await mayLeave()).toBe(true);
});
