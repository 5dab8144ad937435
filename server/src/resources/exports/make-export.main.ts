import { constants, setPriority } from "node:os";
import { type MakeJob, makeExport } from "./make-export.ts";

// The process that writes one export (exports.ts starts it), and then ends.

/** The last message of a process that failed. */
export interface Failure {
  message: string;
  code?: string | undefined;
}

/** The load of the server, which it sends during the export. */
export interface Load {
  /** The share of time in which the server's event loop is busy, 0 to 1. */
  busyShare: number;
}

// The API has precedence for the processor. The threads that compress inherit the priority.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
// The server has ended, so the export is not needed.
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
