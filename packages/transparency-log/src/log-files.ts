import { readAll } from "@beatmarket/storage/whole.ts";
import { type Checkpoint, parseCheckpoint, signCheckpoint } from "./checkpoint.ts";
import { emptyRoot, leafHash } from "./hashing.ts";
import { entriesOf, LogFault, nodesOfTiles, type ReadFile, readEntries, rootOf } from "./log-reader.ts";
import type { NoteSigner } from "./note.ts";
import { encodeEntries, entriesPath, tilePath, tileWidth } from "./tiles.ts";
import { consistencyProof, treeRoot } from "./tree.ts";
import { isConsistent } from "./verify.ts";

/** Files by key, for example in a storage or a backup vault. Writes are atomic. */
interface LogPlace {
  get(key: string): Promise<AsyncIterable<Buffer> | null>;
  put(key: string, content: AsyncIterable<Buffer>): Promise<void>;
  list(prefix: string): AsyncIterable<{ key: string }>;
  delete(key: string): Promise<void>;
}

/**
 * The number of leaves that a copy writes at once: a multiple of the width of a tile, so that only the last write has a
 * partial tile.
 */
const copyBatchSize = 8 * tileWidth;

/** A log's static files below a prefix of a place. Only one process at a time may append. */
export class LogFiles {
  readonly #files: LogPlace;
  readonly #prefix: string;

  constructor(files: LogPlace, prefix: string) {
    this.#files = files;
    this.#prefix = prefix;
  }

  /** Reads a file of the log by its path, `checkpoint` or `tile/…`; null if it does not exist. */
  readonly read: ReadFile = async (path) => {
    const content = await this.#files.get(`${this.#prefix}/${path}`);
    return content === null ? null : readAll(content);
  };

  /** Returns the published checkpoint; null before the first checkpoint. Throws if the file is damaged. */
  async checkpoint(): Promise<Checkpoint | null> {
    const note = await this.read("checkpoint");
    if (note === null) return null;
    const checkpoint = parseCheckpoint(note.toString());
    if (checkpoint === null)
      throw new LogFault("The log's file `checkpoint` is damaged; restore it from a witness or a backup.");
    return checkpoint;
  }

  /**
   * Appends entries: writes their tiles, and the checkpoint last. After a kill the old checkpoint is valid, and a
   * repeated append writes the same files again.
   */
  async append(origin: string, entries: readonly Buffer[], signers: readonly NoteSigner[]): Promise<Checkpoint> {
    const before = (await this.checkpoint())?.size ?? 0;
    const size = before + entries.length;
    await this.#write(before, entries);
    const published = { origin, size, root: await treeRoot(size, nodesOfTiles(size, this.read)) };
    await this.#put("checkpoint", Buffer.from(signCheckpoint(published, signers)));
    await this.#deletePartial(before, size);
    return published;
  }

  /**
   * Adds signature lines to the checkpoint. Returns false if `note` is no longer the checkpoint. Only one process at a
   * time may call it.
   */
  async addSignatures(note: string, lines: string): Promise<boolean> {
    if ((await this.read("checkpoint"))?.toString() !== note) return false;
    await this.#put("checkpoint", Buffer.from(`${note}${lines}`));
    return true;
  }

  /**
   * Copies missing leaves and the signed checkpoint from another copy of this log; the checkpoint last. Copies nothing
   * from a shorter copy. Throws LogFault if neither copy begins with the leaves of the other, or if files are missing
   * or damaged.
   */
  async copyFrom(read: ReadFile): Promise<void> {
    const note = await read("checkpoint");
    if (note === null || (await this.read("checkpoint"))?.equals(note) === true) return;
    const theirs = parseCheckpoint(note.toString());
    if (theirs === null) throw new LogFault("The checkpoint of the log's copy is damaged.");
    const checkpoint = (await this.checkpoint()) ?? { size: 0, root: emptyRoot };
    const isShorter = theirs.size < checkpoint.size;
    await requireContinued(
      isShorter ? theirs : checkpoint,
      isShorter ? checkpoint : theirs,
      isShorter ? this.read : read,
    );
    if (isShorter) return;
    // Begins with a whole tile, so that all written tiles come from the other copy.
    let size = checkpoint.size - (checkpoint.size % tileWidth);
    let entries: Buffer[] = [];
    const write = async () => {
      await this.#write(size, entries);
      await this.#deletePartial(size, size + entries.length);
      size += entries.length;
      entries = [];
    };
    for await (const entry of readEntries(size, theirs.size, read))
      if (entries.push(entry) === copyBatchSize) await write();
    await write();
    if (!(await treeRoot(size, nodesOfTiles(size, this.read))).equals(theirs.root))
      throw new LogFault("The leaves of the log's copy do not lead to its checkpoint.");
    await this.#put("checkpoint", note);
  }

  async #write(before: number, entries: readonly Buffer[]): Promise<void> {
    await this.#writeEntries(before, entries);
    let hashes = entries.map(leafHash);
    for (let level = 0, from = before; hashes.length > 0; level++) {
      hashes = await this.#writeTiles(level, from, hashes);
      from = Math.floor(from / tileWidth);
    }
  }

  async #writeEntries(before: number, entries: readonly Buffer[]): Promise<void> {
    const first = Math.floor(before / tileWidth);
    const present = before % tileWidth;
    const path = entriesPath(first, present);
    const existingEntries = present === 0 ? [] : entriesOf(path, await this.#required(path));
    const allEntries = [...existingEntries, ...entries];
    for (let n = 0; n * tileWidth < allEntries.length; n++) {
      const bundle = allEntries.slice(n * tileWidth, (n + 1) * tileWidth);
      await this.#put(entriesPath(first + n, bundle.length), encodeEntries(bundle));
    }
  }

  /**
   * Writes the hashes of a level of tiles from index `from`. Returns the hashes of the next level: one for each full
   * tile.
   */
  async #writeTiles(level: number, from: number, hashes: readonly Buffer[]): Promise<Buffer[]> {
    const first = Math.floor(from / tileWidth);
    const present = from % tileWidth;
    const existingTile = present === 0 ? [] : [await this.#required(tilePath(level, first, present))];
    const allHashes = Buffer.concat([...existingTile, ...hashes]);
    const bytes = tileWidth * 32;
    const above: Buffer[] = [];
    for (let n = 0; n * bytes < allHashes.length; n++) {
      const tile = allHashes.subarray(n * bytes, (n + 1) * bytes);
      await this.#put(tilePath(level, first + n, tile.length / 32), tile);
      if (tile.length === bytes) above.push(rootOf(tile));
    }
    return above;
  }

  /** Deletes the partial tiles of tiles that became full. Readers of an older checkpoint use the full tiles. */
  async #deletePartial(before: number, size: number): Promise<void> {
    let from = before;
    let to = size;
    for (let level = 0; to > 0; level++) {
      [from, to] = [Math.floor(from / tileWidth), Math.floor(to / tileWidth)];
      // Only the first tile can have a partial tile: the others became full within this append.
      if (from === to) continue;
      const paths = [tilePath(level, from, tileWidth), ...(level === 0 ? [entriesPath(from, tileWidth)] : [])];
      for (const path of paths)
        for await (const { key } of this.#files.list(`${this.#prefix}/${path}.p/`)) await this.#files.delete(key);
    }
  }

  async #required(path: string): Promise<Buffer> {
    const file = await this.read(path);
    if (file === null) throw new LogFault(`The log has no file ${path}, though its checkpoint needs it.`);
    return file;
  }

  async #put(path: string, bytes: Buffer): Promise<void> {
    await this.#files.put(
      `${this.#prefix}/${path}`,
      (async function* () {
        yield bytes;
      })(),
    );
  }
}

/** Throws LogFault unless the longer copy, which `read` reads, begins with the leaves of the shorter copy. */
async function requireContinued(shorter: Tree, longer: Tree, read: ReadFile): Promise<void> {
  const proof = await consistencyProof(shorter.size, longer.size, nodesOfTiles(longer.size, read));
  if (!isConsistent(shorter.size, shorter.root, longer.size, longer.root, proof))
    throw new LogFault(
      `The log forked: its copies of ${shorter.size} and ${longer.size} leaves do not begin with the same leaves.`,
    );
}

type Tree = Pick<Checkpoint, "size" | "root">;
