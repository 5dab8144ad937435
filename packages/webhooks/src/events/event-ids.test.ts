import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { eventId, firstEventId, isTestEventId, testEventId } from "./event-ids.ts";

const atMs = Date.UTC(2026, 0, 1);

it("the id of a test event has the form of every event id, sorts by its time, and is recognizable", () => {
  const id = testEventId(atMs, randomBytes);
  expect(id).toMatch(/^evt_[0-9A-HJKMNP-TV-Z]{26}$/);
  expect(id.startsWith(firstEventId(atMs))).toBe(true);
  expect(isTestEventId(id)).toBe(true);
  expect(isTestEventId(eventId(atMs, randomBytes))).toBe(false);
});

it("the random id of another event is never the id of a test event", () => {
  const chance = [Buffer.from([26, 14, 25, 26, ...Buffer.alloc(12)])];
  expect(isTestEventId(eventId(atMs, (count) => chance.shift() ?? randomBytes(count)))).toBe(false);
  expect(chance).toEqual([]);
});
