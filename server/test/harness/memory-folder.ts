import { readFileSync, statfsSync } from "node:fs";
import { freemem } from "node:os";

/** The folder of Linux's file system in memory. */
const folder = "/dev/shm";
/** Several times the size of the tests' databases and vaults at any moment. */
const neededBytes = 8 * 2 ** 30;

/**
 * A folder in memory for short-lived test data. Tests create hundreds of databases of a thousand small files each,
 * whose disk writes would take most of a run. Undefined if there is no such folder, or if it forbids programs or
 * is too small, like the 64 MB of a container.
 */
export function memoryFolder({ mounts = readMounts(), freeBytes = freeBytesIn(folder) } = {}): string | undefined {
  const mount = mounts
    .split("\n")
    .map((line) => line.split(" "))
    .findLast(([, path]) => path === folder);
  if (mount === undefined) return undefined;
  const [, , type, options = ""] = mount;
  const runsPrograms = !options.split(",").includes("noexec");
  return type === "tmpfs" && runsPrograms && freeBytes >= neededBytes ? folder : undefined;
}

/** The mounted file systems (proc_mounts(5)). Only Linux has this file. */
function readMounts(): string {
  try {
    return readFileSync("/proc/mounts", "utf8");
  } catch {
    return "";
  }
}

/** The free bytes of the folder, limited by the free memory of the machine. */
function freeBytesIn(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(path);
    return Math.min(bavail * bsize, freemem());
  } catch {
    return 0;
  }
}
