import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { flac, wav } from "../testing/audio-files.ts";
import { mediaFile, mediaFolder } from "../testing/files.ts";
import { goodFiles } from "../testing/good-files.ts";
import { malformed } from "../testing/malformed.ts";
import { beat } from "../testing/signals.ts";
import { openAudio } from "./formats/open-audio.ts";
import { type MediaTask, MediaTaskError } from "./media-task.ts";
import { performMediaTask } from "./perform-media-task.ts";

// A sample. `npm run faults -- --only media` runs hundreds of files, each in a separate process.

const perFormat = 24;

describe("a malformed file ends with a reason or a result", () => {
  // The decoders write errors to the console.
  beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => {}));
  afterEach(() => void vi.restoreAllMocks());

  test.each(Object.entries(goodFiles))("%s", async (_format, { kind, make }) => {
    const files = malformed(await make(), perFormat, 1);
    const outcomes: string[] = [];
    for (const { what, bytes } of files) {
      const failure: unknown = await perform(kind, await mediaFile(bytes)).then(
        () => null,
        (error) => error,
      );
      if (failure !== null && !(failure instanceof MediaTaskError)) throw new Error(what, { cause: failure });
      if (failure !== null) expect(failure.reason, what).toMatch(/^The .+\.$/);
      outcomes.push(failure === null ? "result" : "reason");
    }
    expect(outcomes.length).toBe(perFormat);
    expect(outcomes).toContain("reason");
  });

  test("the same seed creates the same files", () => {
    const good = flac(beat(0.1));
    expect(malformed(good, 16, 3)).toEqual(malformed(good, 16, 3));
    expect(malformed(good, 16, 3)).not.toEqual(malformed(good, 16, 4));
    expect(malformed(wav(beat(0.1)), 8, 3).map(({ what }) => what.replace(/ \(.*/, ""))).toHaveLength(8);
  });
});

/** Only decodes audio, since only the decoding reads its bytes. */
async function perform(kind: MediaTask["kind"], input: string): Promise<void> {
  if (kind === "cover" || kind === "stems") await performMediaTask({ kind, input, outDir: await mediaFolder() });
  else for await (const _ of (await openAudio(input)).blocks);
}
