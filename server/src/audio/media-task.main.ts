import { writeSync } from "node:fs";
import { type MediaTask, MediaTaskError } from "./media-task.ts";
import { performMediaTask } from "./perform-media-task.ts";
import type { MediaTaskAnswer } from "./run-media-task.ts";

// The child process of run-media-task.ts: the task is its parameter, the answer a line on file descriptor 3.

// Ends when the parent has ended.
process.stdin.once("end", () => process.exit(1)).resume();
const answer = await performMediaTask(JSON.parse(process.argv[2] ?? "") as MediaTask).then(
  (result): MediaTaskAnswer => ({ result }),
  (error: unknown): MediaTaskAnswer => {
    if (error instanceof MediaTaskError) return { reason: error.reason, isFinal: error.isFinal };
    throw error;
  },
);
writeSync(3, `${JSON.stringify(answer)}\n`);
process.exit(0);
