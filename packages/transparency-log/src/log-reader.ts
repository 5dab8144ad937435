import { hashBytes, leafHash, nodeHash } from "./hashing.ts";
import { decodeEntries, entriesPath, tilePath, tileWidth } from "./tiles.ts";
import type { NodeReader } from "./tree.ts";

/** Reads a file of the log by its path; null if it does not exist. */
export type ReadFile = (path: string) => Promise<Buffer | null>;

/** Files of a log are missing or damaged, or two copies of a log differ. */
export class LogFault extends Error {}

const tileHeight = 8;

/** About half a megabyte. A walk along the leaves needs one tile of each level at a time. */
const maxCachedTiles = 64;

/** Reads the nodes of a log of `size` leaves from its tiles. Caches the last used tiles. */
export function nodesOfTiles(size: number, readFile: ReadFile): NodeReader {
  const tiles = new Map<string, Promise<Buffer>>();
  return async (level, index) => {
    const tileLevel = Math.floor(level / tileHeight);
    const below = level % tileHeight;
    const first = index * 2 ** below;
    const tileIndex = Math.floor(first / tileWidth);
    const inLevel = Math.floor(size / 2 ** (tileHeight * tileLevel));
    const width = Math.min(tileWidth, inLevel - tileIndex * tileWidth);
    const path = tilePath(tileLevel, tileIndex, width);
    const tile = tiles.get(path) ?? readRequired([path, tilePath(tileLevel, tileIndex, tileWidth)], readFile);
    // Moves the tile to the end of the map; tiles are evicted from its beginning.
    tiles.delete(path);
    tiles.set(path, tile);
    if (tiles.size > maxCachedTiles) tiles.delete(tiles.keys().next().value ?? "");
    const from = (first % tileWidth) * hashBytes;
    const hashes = (await tile).subarray(from, from + 2 ** below * hashBytes);
    if (hashes.length !== 2 ** below * hashBytes) throw new LogFault(`The tile ${path} is too short.`);
    return rootOf(hashes);
  };
}

/** Yields the entries from index `begin` to the end of a log of `size` leaves. */
export async function* readEntries(begin: number, size: number, readFile: ReadFile): AsyncGenerator<Buffer> {
  for (let tile = Math.floor(begin / tileWidth); tile * tileWidth < size; tile++) {
    const width = Math.min(tileWidth, size - tile * tileWidth);
    const path = entriesPath(tile, width);
    const entries = entriesOf(path, await readRequired([path, entriesPath(tile, tileWidth)], readFile));
    if (entries.length !== width && entries.length !== tileWidth)
      throw new LogFault(`The bundle ${path} has ${entries.length} entries instead of ${width}.`);
    yield* entries.slice(Math.max(0, begin - tile * tileWidth), width);
  }
}

/** Decodes a bundle. Throws LogFault, with the bundle's path, if the bundle is damaged. */
export function entriesOf(path: string, bundle: Buffer): Buffer[] {
  try {
    return decodeEntries(bundle);
  } catch (cause) {
    throw new LogFault(`The bundle ${path} is damaged.`, { cause });
  }
}

/** The nodes of a tree whose entries are all in memory. */
export function nodesOfEntries(entries: readonly Uint8Array[]): NodeReader {
  const levels = [entries.map(leafHash)];
  return async (level, index) => {
    for (let up = levels.length; up <= level; up++) {
      const below = levels[up - 1] ?? [];
      levels.push(
        Array.from({ length: Math.floor(below.length / 2) }, (_, n) =>
          nodeHash(below[2 * n] as Buffer, below[2 * n + 1] as Buffer),
        ),
      );
    }
    const node = levels[level]?.[index];
    if (node === undefined) throw new RangeError(`There is no complete subtree ${index} at level ${level}.`);
    return node;
  };
}

/** Reads the first existing file: a partial tile is deleted when the full tile is written. */
async function readRequired(paths: readonly [string, string], readFile: ReadFile): Promise<Buffer> {
  for (const path of new Set(paths)) {
    const file = await readFile(path);
    if (file !== null) return file;
  }
  throw new LogFault(`The log has no file ${paths[0]}.`);
}

/** The root of `2 ** n` concatenated hashes. */
export function rootOf(hashes: Buffer): Buffer {
  if (hashes.length === hashBytes) return hashes;
  const middle = hashes.length / 2;
  return nodeHash(rootOf(hashes.subarray(0, middle)), rootOf(hashes.subarray(middle)));
}
