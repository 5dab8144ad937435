import { expect, it } from "vitest";
import { Sightings } from "./doorkeeper.ts";

it("tells what was seen before from what was not", () => {
  const sightings = new Sightings();
  const keys = Array.from({ length: 5_000 }, (_, number) => `reference/v1/beats?page=${number}`);
  expect(keys.filter((key) => sightings.again(key))).toEqual([]);
  // Some have taken the place of others.
  expect(keys.filter((key) => sightings.again(key)).length).toBeGreaterThan(4_500);
});

it("forgets what was seen long ago, in memory that does not grow", () => {
  const sightings = new Sightings();
  sightings.again("/v1/beats");
  for (let number = 0; number < 1_000_000; number++) sightings.again(`/v1/beats/${number}`);
  expect(sightings.again("/v1/beats")).toBe(false);
  expect(sightings.again("/v1/beats")).toBe(true);
});
