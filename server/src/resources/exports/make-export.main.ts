import { constants, setPriority } from "node:os";
import { type MakeJob, makeExport } from "./make-export.ts";

// The process that makes one export, and ends (making.ts).

/** The last message of a process that failed. */
export interface Failure {
  message: string;
  code?: string | undefined;
}

/** What the server says of itself while the export is made. */
export interface Load {
  /** The share of the time in which its event loop is busy, 0 to 1. */
  busyShare: number;
}

// Where both want the processor, the API goes first. The threads that compress inherit it.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
// The server has ended.
process.once("disconnect", () => process.exit(1));
let busyShare = 0;
process.once("message", async (job: MakeJob) => {
  process.on("message", (load: Load) => {
    busyShare = load.busyShare;
  });
  try {
    await makeExport(
      job,
      (progress) => process.send?.(progress),
      () => busyShare,
    );
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    process.send?.({ message, code } satisfies Failure);
  }
  process.removeAllListeners("disconnect");
  process.disconnect?.();
});
