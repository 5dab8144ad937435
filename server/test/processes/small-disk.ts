import { execFileSync } from "node:child_process";

/**
 * Mounts an empty disk of this size on a folder. Returns whether the mount succeeded: it needs root, and fails in most
 * containers.
 */
export function mountSmallDisk(folder: string, megabytes: number): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=0755`, "tmpfs", folder], { stdio: "ignore" });
    return true;
  } catch {
    return false; // A container may forbid it even to root.
  }
}
