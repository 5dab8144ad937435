import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type GrowthBench, measureSize, type SizeFigures } from "./measure-size.ts";
import { growthPicture } from "./picture.ts";

const pictureFile = fileURLToPath(new URL("../../../docs/images/growth.svg", import.meta.url));

/** Measures catalogues of growing sizes, prints a line for each, and draws them as docs/images/growth.svg. */
export async function growth(bench: GrowthBench, sizes: readonly number[]): Promise<SizeFigures[]> {
  const figures: SizeFigures[] = [];
  for (const beats of sizes) {
    const size = await measureSize(bench, beats);
    figures.push(size);
    bench.say(lineOf(size));
    // The picture is written after each size, so that an interrupted run has a picture too.
    await writeFile(pictureFile, growthPicture(figures));
  }
  return figures;
}

const rounded = (value: number): string => Math.round(value).toLocaleString("en");

/** A row of the table in docs/benchmarks.md. */
const lineOf = (size: SizeFigures): string =>
  `| ${[
    rounded(size.beats),
    rounded(size.byIdRate),
    rounded(size.filterRate),
    rounded(size.searchRate),
    rounded(size.peakMegabytes),
    size.startSeconds.toFixed(2),
    size.firstStartSeconds.toFixed(1),
    rounded(size.importRate),
  ].join(" | ")} |`;
