import { createHash } from "node:crypto";
import { constants, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { type LoopBeat, renderLoop } from "./loop.ts";

// The thread that renders loops, one after the other (loop-renderer.ts).

/** A request to the thread. */
export interface RenderJob {
  id: number;
  beat: LoopBeat;
}

/** The thread's result: the file and the SHA-1 of its bytes in base64url, or the error. */
export type RenderResult = { id: number; file: Uint8Array<ArrayBuffer>; sha1: string } | { id: number; error: string };

// On Linux this sets the priority of this thread, so that API calls get the processor first.
if (process.platform === "linux") setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

parentPort?.on("message", ({ id, beat }: RenderJob) => {
  try {
    const file = renderLoop(beat);
    const sha1 = createHash("sha1").update(file).digest("base64url");
    const bytes = new Uint8Array(file.buffer as ArrayBuffer);
    parentPort?.postMessage({ id, file: bytes, sha1 } satisfies RenderResult, [bytes.buffer]);
  } catch (error) {
    parentPort?.postMessage({ id, error: String(error) } satisfies RenderResult);
  }
});
