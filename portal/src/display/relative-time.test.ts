import "../../test/english.ts";
import { expect, test } from "vitest";
import { relativePast, relativeTime } from "./relative-time.tsx";

const nowMs = Date.UTC(2026, 10, 21, 12);
const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

test.each([
  [-2 * second, "just now"],
  [2 * second, "in a few seconds"],
  [-30 * second, "30 seconds ago"],
  [-100 * second, "2 minutes ago"],
  [45 * minute, "in 45 minutes"],
  [-3 * hour, "3 hours ago"],
  [-day, "yesterday"],
  [day, "tomorrow"],
  [-50 * day, "2 months ago"],
  [-400 * day, "last year"],
])("%d ms from now is %s", (distanceMs, text) => {
  expect(relativeTime(new Date(nowMs + distanceMs), nowMs)).toBe(text);
});

test.each([
  [2 * second, "just now"],
  [45 * minute, "just now"],
  [-30 * second, "30 seconds ago"],
])("the time of a past event, %d ms from now by this clock, is shown as %s", (distanceMs, text) => {
  expect(relativePast(new Date(nowMs + distanceMs), nowMs)).toBe(text);
});
