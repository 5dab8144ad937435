import type { Clock } from "@beatmarket/foundation/clock.ts";
import { ApiError } from "@beatmarket/foundation/errors.ts";
import { formatBytes } from "@beatmarket/foundation/text/bytes.ts";

interface Disk {
  freeBytes: number;
  totalBytes: number;
}

/** A measurement is used for this long. */
const measurementValidMs = 1_000;

/** The space that uploads must not use, mainly for the database: a twentieth of the disk, at most 5 GB. */
const reserveOf = ({ totalBytes }: Disk): number => Math.min(totalBytes / 20, 5_000_000_000);

/** Refuses uploads while a disk to which they are written is nearly full. */
export class DiskRoom {
  readonly #folders: readonly string[];
  readonly #clock: Clock;
  readonly #readDisk: (folder: string) => Promise<Disk | null>;
  #measurement: Promise<number> | null = null;
  #validUntilMs = 0;

  constructor(parts: {
    folders: readonly string[];
    clock: Clock;
    /** Returns null for a folder whose disk cannot be measured. */
    readDisk: (folder: string) => Promise<Disk | null>;
  }) {
    this.#folders = parts.folders;
    this.#clock = parts.clock;
    this.#readDisk = parts.readDisk;
  }

  /** Throws 507 unless each disk has room for this many bytes in addition to its reserve. */
  async require(bytes: number): Promise<void> {
    const room = await this.#room();
    if (room >= bytes) return;
    throw new ApiError(
      507,
      "server_error",
      "Insufficient storage",
      room <= 0
        ? "The disk of the service is nearly full: uploads wait until there is room again. What has arrived is kept; send the rest later."
        : `The disk of the service is nearly full: it has no room for a file of ${formatBytes(bytes)} at the moment. Try again later.`,
      { headers: { "retry-after": "60" }, refusedBy: "overload" },
    );
  }

  /** Whether uploads of any size are refused. */
  async isFull(): Promise<boolean> {
    return (await this.#room()) <= 0;
  }

  /** The free bytes of the fullest disk, without the reserved space. */
  #room(): Promise<number> {
    const nowMs = this.#clock.monotonicMs();
    if (this.#measurement === null || nowMs >= this.#validUntilMs) {
      this.#validUntilMs = nowMs + measurementValidMs;
      this.#measurement = this.#measure();
    }
    return this.#measurement;
  }

  async #measure(): Promise<number> {
    const disks = await Promise.all(this.#folders.map((folder) => this.#readDisk(folder)));
    return Math.min(
      ...disks.map((disk) => (disk === null ? Number.POSITIVE_INFINITY : disk.freeBytes - reserveOf(disk))),
    );
  }
}
