import { expect, test } from "vitest";
import { pauseMs } from "./make-export.ts";

test("an export runs at full speed next to an idle server, pauses next to a busy one, and always makes progress", () => {
  expect(pauseMs(100, 0.1)).toBe(0);
  expect(pauseMs(100, 0.5)).toBe(100);
  expect(pauseMs(100, 0.99)).toBe(700);
  expect(pauseMs(100, 1)).toBe(700);
  expect(pauseMs(60_000, 1)).toBe(2_000);
});
