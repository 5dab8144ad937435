import { writeSync } from "node:fs";
import { type MediaTask, MediaTaskError } from "./media-task.ts";
import { performMediaTask } from "./perform-media-task.ts";
import type { MediaTaskResult } from "./run-media-task.ts";

// The child process of run-media-task.ts. Its argument is the task. Writes the result as a line to file descriptor 3.

// Standard input closes when the parent process ends.
process.stdin.once("end", () => process.exit(1)).resume();
const result = await performMediaTask(JSON.parse(process.argv[2] ?? "") as MediaTask).then(
  (result): MediaTaskResult => ({ result }),
  (error: unknown): MediaTaskResult => {
    if (error instanceof MediaTaskError) return { reason: error.reason, isFinal: error.isFinal };
    throw error;
  },
);
writeSync(3, `${JSON.stringify(result)}\n`);
process.exit(0);
