import { open } from "node:fs/promises";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { BlockReader } from "../vault/blocks.ts";
import { lsnValue } from "../wal/segments.ts";

const pageBytes = 8_192;
const segmentPages = 131_072;
const lanes = 32;
const rounds = pageBytes / (4 * lanes);
const prime = 16_777_619;
const checksumOffset = 8;

/** PostgreSQL's seeds of the 32 lanes (checksum_impl.h). */
const seeds = Uint32Array.of(
  0x5b1f36e9,
  0xb8525960,
  0x02ab50aa,
  0x1de66d2a,
  0x79ff467a,
  0x9bb9f8a3,
  0x217e7cd2,
  0x83e13d2c,
  0xf8d4474f,
  0xe39eb970,
  0x42c6ae16,
  0x993216fa,
  0x7b093b5d,
  0x98daff3c,
  0xf718902a,
  0x0b1c9cdb,
  0xe58f764b,
  0x187636bc,
  0x5d7b3bb1,
  0xe73de7de,
  0x92bec979,
  0xcca6c0b2,
  0x304a0979,
  0x85aa43d4,
  0x783125bb,
  0x6ca8eaa2,
  0xe407eac6,
  0x4b5cfc3e,
  0x9fbf8c76,
  0x15ca20be,
  0xf2ca9fd3,
  0x959bd756,
);

const words = new Uint32Array(pageBytes / 4);
const bytesOfWords = new Uint8Array(words.buffer);

/** Computes the checksum that PostgreSQL stores in a page's header; `block` is the page's number in its relation. */
function pageChecksum(page: Buffer, block: number): number {
  page.copy(bytesOfWords);
  // The lower half of the third word is the checksum itself.
  words[2] = ((words[2] as number) & 0xffff_0000) >>> 0;
  const sums = Uint32Array.from(seeds);
  const mix = (lane: number, word: number): void => {
    const mixed = ((sums[lane] as number) ^ word) >>> 0;
    sums[lane] = Math.imul(mixed, prime) ^ (mixed >>> 17);
  };
  for (let round = 0; round < rounds; round++)
    for (let lane = 0; lane < lanes; lane++) mix(lane, words[round * lanes + lane] as number);
  for (let round = 0; round < 2; round++) for (let lane = 0; lane < lanes; lane++) mix(lane, 0);
  let result = 0;
  for (const sum of sums) result ^= sum;
  return (((result ^ block) >>> 0) % 65_535) + 1;
}

/**
 * Compares pages with their checksums while a base backup reads them, so that a backup of damaged files does not
 * replace an intact one.
 */
export class PageCheck {
  readonly #startLsn: bigint;

  /**
   * `startLsn` is the start of the backup. Pages that were written later are not checked, since the log replaces them.
   */
  constructor(startLsn: string) {
    this.#startLsn = lsnValue(startLsn);
  }

  /**
   * Returns the check of the file at `path`, whose name in the cluster is `name`; null for a file without checksums.
   */
  file(path: string, name: string): { take(chunk: Buffer): Promise<void> } | null {
    const relation = /^(?:base\/\d+|global)\/\d+(?:_(?:fsm|vm|init))?(?:\.(\d+))?$/.exec(name);
    if (relation === null) return null;
    const first = Number(relation[1] ?? 0) * segmentPages;
    let block = 0;
    let pending: Buffer = Buffer.alloc(0);
    return {
      take: async (chunk) => {
        pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
        for (; pending.length >= pageBytes; pending = pending.subarray(pageBytes)) {
          const page = pending.subarray(0, pageBytes);
          // Reads the page a second time, because PostgreSQL may have been writing it.
          if (!this.#isIntact(page, first + block) && !this.#isIntact(await readPage(path, block), first + block))
            throw new OperatorError(
              `The database is damaged: block ${first + block} of ${name} has another checksum. Keep the backups that there are, and restore the newest one into another DATA_DIR with \`beatmarket backup restore\`.`,
            );
          block++;
        }
      },
    };
  }

  #isIntact(page: Buffer, block: number): boolean {
    if (page.length < pageBytes) return true; // PostgreSQL truncated the file.
    const isNew = page.readUInt16LE(14) === 0; // pd_upper
    const lsn = (BigInt(page.readUInt32LE(0)) << 32n) | BigInt(page.readUInt32LE(4));
    return isNew || lsn >= this.#startLsn || pageChecksum(page, block) === page.readUInt16LE(checksumOffset);
  }
}

async function readPage(path: string, block: number): Promise<Buffer> {
  const handle = await open(path);
  try {
    return await new BlockReader(
      handle.createReadStream({ start: block * pageBytes, end: (block + 1) * pageBytes - 1, autoClose: false }),
    ).readUpTo(pageBytes);
  } finally {
    await handle.close();
  }
}
