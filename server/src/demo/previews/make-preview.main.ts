import { writeFile } from "node:fs/promises";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import type { Analysis } from "@beatmarket/audio/media-task.ts";
import { performMediaTask } from "@beatmarket/audio/perform-media-task.ts";
import { type LoopBeat, renderLoop } from "../loop/loop.ts";

// The child process of preview-process.ts. It makes one preview after the other, so that Node and the codecs start once. The
// loops are our own, so it needs no sandbox.

/** A request to the child. */
export interface PreviewRequest {
  beat: LoopBeat;
  /** Where it writes its files. */
  folder: string;
}

/** The child's result: what analysis found in the loop, or the error. */
export type PreviewResult = { analysis: Analysis } | { error: string };

setPriority(constants.priority.PRIORITY_LOW);
process.once("disconnect", () => process.exit());
process.on("message", async ({ beat, folder }: PreviewRequest) => {
  const result = await make(beat, folder).catch((error): PreviewResult => ({ error: String(error) }));
  process.send?.(result);
});

async function make(beat: LoopBeat, outDir: string): Promise<PreviewResult> {
  const input = join(outDir, "master.wav");
  await writeFile(input, renderLoop(beat));
  const analysis = await performMediaTask({ kind: "analyse", input, outDir, genre: beat.genreName });
  await performMediaTask({ kind: "preview", input, outDir, tag: "default" });
  return { analysis: analysis as Analysis };
}
