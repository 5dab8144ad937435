import { expect, test } from "vitest";
import { memoryFolder } from "./memory-folder.ts";

const disk = "/dev/sda / ext4 rw,relatime 0 0";
const gibibyte = 2 ** 30;

test.each([
  ["a large folder", "tmpfs /dev/shm tmpfs rw,nosuid,nodev 0 0", 8 * gibibyte, "/dev/shm"],
  ["a container's 64 MB", "shm /dev/shm tmpfs rw,nosuid,nodev 0 0", 67_108_864, undefined],
  ["a folder that runs no programs", "shm /dev/shm tmpfs rw,nosuid,nodev,noexec 0 0", 8 * gibibyte, undefined],
  ["a disk at this path", "/dev/sdb /dev/shm ext4 rw 0 0", 8 * gibibyte, undefined],
  ["no such folder", "", 8 * gibibyte, undefined],
])(
  "tests write to the folder in memory only if it is large and runs programs: %s",
  (_name, mount, freeBytes, folder) => {
    expect(memoryFolder({ mounts: `${disk}\n${mount}\n`, freeBytes })).toBe(folder);
  },
);
