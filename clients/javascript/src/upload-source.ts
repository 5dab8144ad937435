import { BeatMarketError } from "./errors.ts";

/** What is uploaded: the path of a file (on Node, Deno and Bun), a `Blob` or `File`, or bytes. */
export type Uploadable = string | Blob | Uint8Array;

/** A file to read parts of. */
export interface UploadSource {
  /** Undefined for bytes without a name. */
  name: string | undefined;
  bytes: number;
  /** The bytes from `offset`, at most `count`. */
  read(offset: number, count: number): Promise<Uint8Array<ArrayBuffer>>;
  close(): Promise<void>;
}

/** Opens what is uploaded. Rejects with a BeatMarketError if the file cannot be read. */
export async function openSource(file: Uploadable): Promise<UploadSource> {
  if (typeof file === "string") return openFile(file);
  if (file instanceof Uint8Array)
    return {
      name: undefined,
      bytes: file.length,
      read: async (offset, count) => file.slice(offset, offset + count) as Uint8Array<ArrayBuffer>,
      close: async () => {},
    };
  return {
    name: (file as { name?: string }).name,
    bytes: file.size,
    read: async (offset, count) => new Uint8Array(await file.slice(offset, offset + count).arrayBuffer()),
    close: async () => {},
  };
}

async function openFile(path: string): Promise<UploadSource> {
  const unreadable = (cause: unknown) => new BeatMarketError(`The file ${path} cannot be read.`, { cause });
  const [{ open }, { basename }] = await Promise.all([import("node:fs/promises"), import("node:path")]);
  const file = await open(path, "r").catch((cause) => {
    throw unreadable(cause);
  });
  const { size: bytes } = await file.stat();
  return {
    name: basename(path),
    bytes,
    read: async (offset, count) => {
      const part = new Uint8Array(Math.min(count, bytes - offset));
      for (let at = 0; at < part.length; ) {
        const { bytesRead } = await file.read(part, at, part.length - at, offset + at).catch((cause) => {
          throw unreadable(cause);
        });
        if (bytesRead === 0)
          throw new BeatMarketError(`The file ${path} became shorter while it was uploaded; upload it again.`);
        at += bytesRead;
      }
      return part;
    },
    close: () => file.close(),
  };
}
