// C2SP tlog-tiles: the paths and formats of a log's hashes and entries.

/** Number of hashes in a full tile, and of entries in a full bundle. */
export const tileWidth = 256;

/** A `width` below 256 means a partial tile. `level` counts tiles, each of which has eight levels of the tree. */
export const tilePath = (level: number, index: number, width: number): string =>
  `tile/${level}/${indexPath(index)}${width === tileWidth ? "" : `.p/${width}`}`;

export const entriesPath = (index: number, width: number): string =>
  `tile/entries/${indexPath(index)}${width === tileWidth ? "" : `.p/${width}`}`;

/** Whether a path is the canonical path of a tile or bundle, `tile/…`. */
export const isTilePath = (path: string): boolean =>
  /^tile\/(entries|[0-9]|[1-5][0-9]|6[0-3])\/(?:x[0-9]{3}\/)*[0-9]{3}(?:\.p\/(?:[1-9][0-9]?|1[0-9]{2}|2[0-4][0-9]|25[0-5]))?$/.test(
    path,
  );

/** Encodes a bundle of entries: each with its length in two bytes, big-endian. */
export const encodeEntries = (entries: readonly Uint8Array[]): Buffer =>
  Buffer.concat(
    entries.flatMap((entry) => {
      if (entry.length > 0xffff)
        throw new RangeError(`An entry has ${entry.length} bytes; at most 65,535 are possible.`);
      return [Buffer.of(entry.length >> 8, entry.length & 255), entry];
    }),
  );

/** Throws if the bundle ends within an entry. */
export function decodeEntries(bundle: Buffer): Buffer[] {
  const entries: Buffer[] = [];
  for (let offset = 0; offset < bundle.length; ) {
    const end = offset + 2 + bundle.readUInt16BE(offset);
    if (end > bundle.length) throw new RangeError("The bundle of entries ends within an entry.");
    entries.push(bundle.subarray(offset + 2, end));
    offset = end;
  }
  return entries;
}

/** Formats 1234067 as `x001/x234/067`. */
function indexPath(index: number): string {
  const digits = String(index);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, "0").match(/.{3}/g) ?? [];
  return groups.map((group, n) => (n === groups.length - 1 ? group : `x${group}`)).join("/");
}
