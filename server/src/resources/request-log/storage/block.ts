import { promisify } from "node:util";
import { constants, zstdCompress, zstdDecompress } from "node:zlib";
import { asKept, type CallOwner, type CallShape, type RequestLogEntry } from "../entry.ts";

/** So many calls fit into a block; with its id, a call's place in it makes the call's id. */
export const maxCallsInBlock = 4_096;
/** A block's calls came in within so long, so that a moment is looked for in few blocks. */
export const maxBlockSpanMs = 60_000;

/** Filled with spaces. */
const requestIdBytes = 36;

/**
 * Calls of one key on their way into the log. What they have in common is held once, the rest in flat columns, so that
 * thousands of calls a second leave next to nothing behind for the garbage collector, and little to write.
 */
export class LogBlock {
  readonly owner: CallOwner;
  readonly shapes: CallShape[] = [];
  calls = 0;
  /** Those that were refused or failed: status 400 and above. */
  refused = 0;
  firstMs = Number.POSITIVE_INFINITY;
  lastMs = Number.NEGATIVE_INFINITY;
  readonly #shapeIndexes = new Map<string, number>();
  #columns = columnsFor(16);

  constructor({ apiKeyId, userId, fromExplorer }: CallOwner) {
    this.owner = { apiKeyId, userId, fromExplorer };
  }

  /** False, and nothing is taken, where the block is full or the call too far from the others. */
  add(entry: RequestLogEntry): boolean {
    const timeMs = Math.floor(entry.timeMs);
    const firstMs = Math.min(this.firstMs, timeMs);
    const lastMs = Math.max(this.lastMs, timeMs);
    if (this.calls === maxCallsInBlock || lastMs - firstMs > maxBlockSpanMs) return false;
    if (this.calls === this.#columns.timesMs.length) this.#columns = grown(this.#columns);
    const { timesMs, durationsUs, shapeIndexes, requestIds } = this.#columns;
    timesMs[this.calls] = timeMs;
    durationsUs[this.calls] = Math.round(entry.durationMs * 1000);
    shapeIndexes[this.calls] = this.#shapeIndex(entry);
    requestIds.write(entry.requestId, this.calls * requestIdBytes, requestIdBytes, "latin1");
    this.firstMs = firstMs;
    this.lastMs = lastMs;
    if (entry.status >= 400) this.refused++;
    this.calls++;
    return true;
  }

  timeMs(index: number): number {
    return this.#columns.timesMs[index] ?? Number.NaN;
  }

  /** To the microsecond, as it is kept. */
  durationMs(index: number): number {
    return (this.#columns.durationsUs[index] ?? Number.NaN) / 1000;
  }

  /** Of `shapes`. */
  shapeIndex(index: number): number {
    return this.#columns.shapeIndexes[index] ?? 0;
  }

  /** What is stored; `openBlock` reads it. */
  async bytes(): Promise<Buffer> {
    const { calls } = this;
    const { timesMs, durationsUs, shapeIndexes, requestIds } = this.#columns;
    const head = Buffer.alloc(4);
    head.writeUInt32LE(calls);
    return packed([
      head,
      bytesOf(timesMs.subarray(0, calls)),
      bytesOf(durationsUs.subarray(0, calls)),
      bytesOf(shapeIndexes.subarray(0, calls)),
      requestIds.subarray(0, calls * requestIdBytes),
      Buffer.from(JSON.stringify(this.shapes.map(fieldsOf))),
    ]);
  }

  #shapeIndex(entry: RequestLogEntry): number {
    const key = shapeKey(entry);
    const known = this.#shapeIndexes.get(key);
    if (known !== undefined) return known;
    const index = this.shapes.push(asKept(entry)) - 1;
    this.#shapeIndexes.set(key, index);
    return index;
  }
}

/** A block out of the log. */
export interface OpenBlock {
  calls: number;
  /** Unix milliseconds, in no order. */
  timesMs: Float64Array;
  durationMs(index: number): number;
  shape(index: number): CallShape;
  /** Of `shapes`. */
  shapeIndexes: Uint16Array;
  shapes: CallShape[];
  requestId(index: number): string;
}

/** Reads what `LogBlock.bytes` made. */
export async function openBlock(stored: Uint8Array): Promise<OpenBlock> {
  const bytes = await unpacked(stored);
  const calls = bytes.readUInt32LE(0);
  let at = 4;
  // Copied, since a typed array begins at a multiple of what its elements take.
  const take = (length: number) => {
    at += length;
    return new Uint8Array(bytes.subarray(at - length, at)).buffer;
  };
  const timesMs = new Float64Array(take(calls * 8));
  const durationsUs = new Uint32Array(take(calls * 4));
  const shapeIndexes = new Uint16Array(take(calls * 2));
  const requestIds = bytes.toString("latin1", at, at + calls * requestIdBytes);
  const shapes = (JSON.parse(bytes.toString("utf8", at + calls * requestIdBytes)) as ShapeFields[]).map(shapeWith);
  return {
    calls,
    timesMs,
    shapeIndexes,
    shapes,
    durationMs: (index) => (durationsUs[index] ?? Number.NaN) / 1000,
    shape: (index) => shapes[shapeIndexes[index] ?? -1] as CallShape,
    requestId: (index) => requestIds.slice(index * requestIdBytes, (index + 1) * requestIdBytes).trimEnd(),
  };
}

/** In this order in what is stored: new ones go to the end, and an old block has none of them. */
type ShapeFields = ReturnType<typeof fieldsOf>;

// Written out, here and below: a block may hold 4,096 shapes, and this is most of what opening it takes.
const fieldsOf = (shape: CallShape) =>
  [
    shape.method,
    shape.path,
    shape.query,
    shape.operation,
    shape.status,
    shape.errorCode,
    shape.errorMessage,
    shape.errorDetails,
    shape.refusedBy,
    shape.headers,
    shape.body,
    shape.clientAddress,
    shape.userAgent,
  ] as const;

const shapeWith = (fields: ShapeFields): CallShape => ({
  method: fields[0],
  path: fields[1],
  query: fields[2],
  operation: fields[3],
  status: fields[4],
  errorCode: fields[5],
  errorMessage: fields[6],
  errorDetails: fields[7],
  refusedBy: fields[8],
  headers: fields[9],
  body: fields[10],
  clientAddress: fields[11],
  userAgent: fields[12],
});

/** The same for equal shapes alone. What callers choose has no line breaks, but for what is quoted. */
const shapeKey = (shape: CallShape): string =>
  `${shape.method} ${shape.status} ${shape.operation}\n${shape.path}\n${shape.query}\n${shape.clientAddress}\n${shape.userAgent}\n${shape.headers}${
    shape.errorCode === null && shape.body === null
      ? ""
      : JSON.stringify([shape.errorCode, shape.errorMessage, shape.errorDetails, shape.refusedBy, shape.body])
  }`;

interface Columns {
  timesMs: Float64Array;
  durationsUs: Uint32Array;
  shapeIndexes: Uint16Array;
  requestIds: Buffer;
}

const columnsFor = (calls: number): Columns => ({
  timesMs: new Float64Array(calls),
  durationsUs: new Uint32Array(calls),
  shapeIndexes: new Uint16Array(calls),
  requestIds: Buffer.alloc(calls * requestIdBytes, " "),
});

function grown(columns: Columns): Columns {
  const larger = columnsFor(columns.timesMs.length * 4);
  larger.timesMs.set(columns.timesMs);
  larger.durationsUs.set(columns.durationsUs);
  larger.shapeIndexes.set(columns.shapeIndexes);
  larger.requestIds.set(columns.requestIds);
  return larger;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float64Array | Uint32Array | Uint16Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** The first byte tells how the rest is stored. */
const plain = Buffer.from([0]);
const compressed = Buffer.from([1]);
/** Making a compressor ready takes 150 µs, which is not worth it for a few calls. */
const plainUpToBytes = 16_000;

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

async function packed(parts: Uint8Array[]): Promise<Buffer> {
  const bytes = Buffer.concat(parts);
  if (bytes.length <= plainUpToBytes) return Buffer.concat([plain, bytes]);
  const params = { [constants.ZSTD_c_compressionLevel]: 1 };
  return Buffer.concat([compressed, await compress(bytes, { params })]);
}

async function unpacked(stored: Uint8Array): Promise<Buffer> {
  const rest = stored.subarray(1);
  return stored[0] === compressed[0] ? decompress(rest) : Buffer.from(rest);
}
