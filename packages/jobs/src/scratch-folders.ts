import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { makeInDataFolder } from "@beatmarket/postgres/embedded/data-folder.ts";

/** Longer than any job. Older folders belong to killed workers. */
const maxAgeMs = 2 * 3_600_000;

/** Temporary folders: one for each attempt at a job. */
export class ScratchFolders {
  readonly #root: string;

  /** `root` is the absolute path of a folder in DATA_DIR. It is created with the first temporary folder. */
  constructor(root: string) {
    this.#root = root;
  }

  /** Runs `work` with an empty folder, which is deleted afterwards. */
  async use<T>(work: (folder: string) => Promise<T>): Promise<T> {
    await makeInDataFolder(dirname(this.#root), basename(this.#root));
    const folder = await mkdtemp(join(this.#root, "job-"));
    try {
      return await work(folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Deletes the folders of killed workers. */
  async sweep(now: Date): Promise<void> {
    const names = await readdir(this.#root).catch(() => []);
    for (const name of names) {
      const folder = join(this.#root, name);
      const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
      if (mtimeMs < now.getTime() - maxAgeMs) await rm(folder, { recursive: true, force: true });
    }
  }
}
