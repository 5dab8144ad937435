import { expect, test } from "vitest";
import { growthPicture } from "./picture.ts";

const size = (beats: number, each: number) => ({
  beats,
  importRate: each,
  firstStartSeconds: each / 100,
  startSeconds: each / 1_000,
  byIdRate: each,
  filterRate: each,
  searchRate: each,
  peakMegabytes: each,
});

test("the picture has logarithmic axes: on an axis of two decades, ten times the value is half an axis further", () => {
  const picture = growthPicture([size(10_000, 100), size(100_000, 1_000), size(1_000_000, 10_000)]);
  const [line] = picture.match(/(?<=polyline points=")[^"]*/g) ?? [];
  expect(line).toBe("56,176 200,108 344,40");
  expect(picture.match(/<polyline/g)).toHaveLength(7);
  expect(picture).not.toContain("NaN");
});
