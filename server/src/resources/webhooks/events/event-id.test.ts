import { expect, it, vi } from "vitest";
import { eventId, firstEventId, isTestEventId, testEventId } from "./event-types.ts";

const crypto = vi.hoisted(() => ({ bytes: [] as Buffer[] }));
vi.mock("node:crypto", async (original) => {
  const real = await original<typeof import("node:crypto")>();
  return { ...real, randomBytes: (count: number) => crypto.bytes.shift() ?? real.randomBytes(count) };
});

const atMs = Date.UTC(2026, 0, 1);

it("the id of a test event has the form of any other, sorts by its time, and is recognizable", () => {
  const id = testEventId(atMs);
  expect(id).toMatch(/^evt_[0-9A-HJKMNP-TV-Z]{26}$/);
  expect(id.startsWith(firstEventId(atMs))).toBe(true);
  expect(isTestEventId(id)).toBe(true);
  expect(isTestEventId(eventId(atMs))).toBe(false);
});

it("no other event gets such an id, not even by chance", () => {
  crypto.bytes = [Buffer.from([26, 14, 25, 26, ...Buffer.alloc(12)])];
  expect(isTestEventId(eventId(atMs))).toBe(false);
  expect(crypto.bytes).toEqual([]);
});
