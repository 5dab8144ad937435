import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { openFileBytes } from "@beatmarket/tabular-files/file-bytes.ts";
import { expect, test } from "vitest";
import { mapped, plainHeader, temporaryFolder } from "../../../test/harness/imports.ts";
import { dryRun, EvenSample } from "./dry-run.ts";
import { readMapping } from "./mapping.ts";

async function dryRunOf(content: string, fields: object = {}) {
  const folder = join(await temporaryFolder(), "files");
  await mkdir(folder);
  await writeFile(join(folder, "beats.csv"), content);
  const file = await openFileBytes(join(folder, "beats.csv"));
  const outcome = await dryRun({
    file,
    mapping: readMapping(JSON.stringify(mapped(fields)), "the mapping"),
    openJoined: openFileBytes,
    clock: new FakeClock(),
  });
  file.close();
  expect(await readdir(folder)).toEqual(["beats.csv"]);
  return outcome;
}

test("a dry run counts the rows that an import would accept, reject and repair, and of the accepted ones the repeated, with reasons and lines", async () => {
  const rows =
    "1,A,Ana,Trap,90,\n1,Again,Ana,Trap,90,\n2,,Ana,Trap,90,\n3,C,Ana,Trap,fast,\n4,D\u0007,Ana,Trap,0.5,\n5,,Bo,,90,\n";
  expect(await dryRunOf(plainHeader + rows)).toMatchObject({
    rows: 6,
    accepted: 3,
    repeated: 1,
    rejected: 3,
    stoppedBecause: null,
    rejections: [
      { kind: "title: empty", times: 2, firstLines: [4, 7] },
      { kind: "tempo: not a number", times: 1, firstLines: [5] },
    ],
    repairs: [{ kind: "title: control characters", times: 1, firstLines: [6] }],
  });
});

test("a dry run returns beats as an import would create them", async () => {
  const { sample } = await dryRunOf(`${plainHeader}1,Night,Ana B,Trap,92.5,C#m\n`, { popularity: { value: 66 } });
  expect(sample).toEqual([
    {
      line: 2,
      source: "test",
      external_id: "1",
      title: "Night",
      producer_name: "Ana B",
      genre_name: "Trap",
      tempo: 92.5,
      key: "C# minor",
      duration_seconds: 0,
      popularity: 66,
      play_count: 0,
      download_count: 0,
      price_cents: 3999,
      premium_price_cents: 7999,
      unlimited_price_cents: 19_999,
      exclusive_price_cents: 79_999,
      audio_url: null,
      cover_image: null,
      description: "",
      tags: [],
      created_at: new FakeClock().now(),
    },
  ]);
});

test("the sample has at most ten beats, from the whole file", async () => {
  const rows = Array.from({ length: 1000 }, (_, n) => `${n},Beat ${n},Ana,Trap,90,\n`).join("");
  const { sample } = await dryRunOf(plainHeader + rows);
  expect(sample.length).toBeGreaterThanOrEqual(5);
  expect(sample.length).toBeLessThanOrEqual(10);
  expect(sample.at(-1)?.line).toBeGreaterThan(700);
});

test.each([0, 1, 9, 10, 11, 19, 20, 21, 39, 1000])(
  "a sample from %i items has at most ten, at even distances",
  (count) => {
    const sample = new EvenSample<number>(10);
    for (let item = 0; item < count; item++) sample.offer(() => item);
    const items = sample.chosen();
    expect(items.length).toBeGreaterThanOrEqual(Math.min(count, 5));
    expect(items.length).toBeLessThanOrEqual(10);
    expect(new Set(items.slice(1).map((item, place) => item - (items[place] ?? 0))).size).toBeLessThanOrEqual(1);
  },
);
