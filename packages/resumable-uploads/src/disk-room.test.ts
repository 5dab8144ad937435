import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { expect, it } from "vitest";
import { DiskRoom } from "./disk-room.ts";

const gb = 1_000_000_000;
const clock = new FakeClock();
let free: Record<string, number | null> = {};
let measured = 0;
const totals: Record<string, number> = { large: 1_000 * gb, usual: 20 * gb, small: 4 * gb };
const room = (...folders: string[]) =>
  new DiskRoom({
    folders,
    clock,
    readDisk: async (folder) => {
      measured++;
      const freeBytes = free[folder];
      return freeBytes == null ? null : { freeBytes, totalBytes: totals[folder] ?? gb };
    },
  });

it.each([
  ["large", 5 * gb],
  ["usual", gb],
  ["small", gb / 5],
])("an upload to a %s disk gets 507 if it would use the reserved space", async (name, reserved) => {
  free = { [name]: reserved + 1_000 };
  await room(name).require(1_000);
  expect(await room(name).isFull()).toBe(false);
  await expect(room(name).require(1_001)).rejects.toMatchObject({
    status: 507,
    details: expect.stringContaining("no room for a file of 1 kB"),
    headers: { "retry-after": "60" },
  });
  free = { [name]: reserved - 1 };
  expect(await room(name).isFull()).toBe(true);
  await expect(room(name).require(0)).rejects.toMatchObject({
    status: 507,
    details: expect.stringContaining("uploads wait until there is room again"),
  });
});

it("the fullest disk decides; a disk that cannot be measured is ignored", async () => {
  free = { large: 500 * gb, small: null };
  await room("large", "small").require(100 * gb);
  free = { large: 500 * gb, small: gb };
  await expect(room("large", "small").require(100 * gb)).rejects.toMatchObject({ status: 507 });
});

it("a disk is measured once a second, for any number of requests", async () => {
  free = { usual: 10 * gb };
  measured = 0;
  const shared = room("usual");
  await Promise.all(Array.from({ length: 100 }, () => shared.require(1)));
  clock.advance(999);
  await shared.require(1);
  expect(measured).toBe(1);
  clock.advance(1);
  await shared.require(1);
  expect(measured).toBe(2);
});
