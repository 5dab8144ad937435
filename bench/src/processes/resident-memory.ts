import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);
const everyMs = 500;

/** Resident memory of a process in megabytes (2^20 bytes), as `ps` reports it. */
async function residentMegabytes(processId: number): Promise<number> {
  const { stdout } = await run("ps", ["-o", "rss=", "-p", String(processId)]);
  return Number(stdout) / 1024;
}

/** The peak resident memory of a process while `work` runs, in megabytes, sampled twice a second. */
export async function peakMemory(processId: number, work: () => Promise<unknown>): Promise<number> {
  let peak = await residentMegabytes(processId);
  const sample = async () => {
    peak = Math.max(peak, await residentMegabytes(processId));
  };
  const timer = setInterval(() => void sample().catch(() => {}), everyMs);
  try {
    await work();
    await sample();
    return peak;
  } finally {
    clearInterval(timer);
  }
}
