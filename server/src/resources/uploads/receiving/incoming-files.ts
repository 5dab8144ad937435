import { type FileHandle, mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { ApiError } from "../../../errors.ts";

/** Chunks are gathered up to this size for one write. */
const writeBytes = 1_000_000;

/** The bytes of uploads until they are analysed and stored: a file for each in one folder, `DATA_DIR/uploads`. */
export class IncomingFiles {
  readonly folder: string;

  constructor(dataDir: string) {
    this.folder = join(dataDir, "uploads");
  }

  path(id: string): string {
    return join(this.folder, id);
  }

  /** Opens an upload's file to write on behind its first `offset` bytes; what a killed process wrote behind them is cut off. */
  async append(id: string, offset: number): Promise<IncomingFile> {
    return explainingFullDisk(async () => {
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      const handle = await open(this.path(id), offset === 0 ? "w" : "r+", 0o600);
      try {
        const { size } = await handle.stat();
        if (size < offset) throw missingBytes(id);
        if (size > offset) await handle.truncate(offset);
      } catch (error) {
        await handle.close();
        throw error;
      }
      return new IncomingFile(handle, offset);
    });
  }

  /** Succeeds where there is none. */
  async remove(id: string): Promise<void> {
    await rm(this.path(id), { force: true });
  }

  /** The names in the folder of files that nobody has written to since. */
  async untouchedSince(time: Date): Promise<string[]> {
    const names = await readdir(this.folder).catch(() => []);
    const old: string[] = [];
    for (const name of names) {
      const file = await stat(join(this.folder, name)).catch(() => null);
      if (file !== null && file.mtimeMs < time.getTime()) old.push(name);
    }
    return old;
  }
}

/** The file of an upload while bytes are written to its end. */
export class IncomingFile {
  readonly #handle: FileHandle;
  readonly #start: number;
  #written: number;
  #gathered: Buffer[] = [];
  #gatheredBytes = 0;

  constructor(handle: FileHandle, offset: number) {
    this.#handle = handle;
    this.#start = offset;
    this.#written = offset;
  }

  async write(chunk: Buffer): Promise<void> {
    this.#gathered.push(chunk);
    this.#gatheredBytes += chunk.length;
    if (this.#gatheredBytes >= writeBytes) await this.#flush();
  }

  /** Makes durable what was written. Returns the upload's offset, behind the last durable byte. */
  async sync(): Promise<number> {
    await this.#flush();
    await explainingFullDisk(() => this.#handle.datasync());
    return this.#written;
  }

  /** Cuts off what was written since the file was opened. */
  async discard(): Promise<void> {
    this.#gathered = [];
    this.#gatheredBytes = 0;
    this.#written = this.#start;
    await this.#handle.truncate(this.#start);
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.concat(this.#gathered);
    this.#gathered = [];
    this.#gatheredBytes = 0;
    await explainingFullDisk(async () => {
      for (let done = 0; done < bytes.length; ) {
        const { bytesWritten } = await this.#handle.write(bytes, done, bytes.length - done, this.#written);
        done += bytesWritten;
        this.#written += bytesWritten;
      }
    });
  }
}

/** The errors of a disk, quota or file that takes no more. */
const fullDisk = ["ENOSPC", "EDQUOT", "EFBIG"];

/** 507 where the disk is full. What was durable before stays. */
async function explainingFullDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!fullDisk.includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    throw new ApiError(
      507,
      "server_error",
      "Insufficient storage",
      "The service has no room for more of the file at the moment. What has arrived is kept; resume the upload later.",
      { headers: { "retry-after": "60" }, refusedBy: "overload", cause: error },
    );
  }
}

const missingBytes = (id: string): ApiError =>
  new ApiError(
    410,
    "not_found",
    "Gone",
    `Bytes of the upload ${id} that had arrived are lost. Delete it, and upload the file again.`,
  );
