import { promisify } from "node:util";
import { constants, zstdCompress, zstdDecompress } from "node:zlib";
import { type CallOwner, type CallShape, type RequestLogEntry, redacted } from "../entry.ts";

/** The longest span of admission times that one block can encode. */
export const maxAdmittedSpanMs = 65_535;

const baseBytes = 8;

/**
 * Encodes Unix milliseconds that span at most `maxAdmittedSpanMs`: the earliest time as a float64, then the distance of
 * each time from the earliest one in two bytes, little-endian. Empty without times.
 */
export function encodeTimes(timesMs: readonly number[]): Buffer {
  if (timesMs.length === 0) return Buffer.alloc(0);
  const earliestMs = timesMs.reduce((earliest, timeMs) => Math.min(earliest, timeMs));
  const bytes = Buffer.alloc(baseBytes + 2 * timesMs.length);
  bytes.writeDoubleLE(earliestMs);
  for (const [index, timeMs] of timesMs.entries()) bytes.writeUInt16LE(timeMs - earliestMs, baseBytes + 2 * index);
  return bytes;
}

/** Decodes the bytes of `encodeTimes`. */
export function decodeTimes(bytes: Buffer): number[] {
  if (bytes.length === 0) return [];
  const earliestMs = bytes.readDoubleLE();
  return Array.from(
    { length: (bytes.length - baseBytes) / 2 },
    (_, index) => earliestMs + bytes.readUInt16LE(baseBytes + 2 * index),
  );
}

/** Never change this value: ids of calls depend on it. */
export const maxCallsInBlock = 4_096;
/** Limits the time between a block's calls, so that few blocks overlap in time. */
export const maxBlockSpanMs = 60_000;

/** Shorter ids are padded with spaces. */
const requestIdBytes = 36;

/**
 * The calls of one key that wait to be written. Stores each distinct shape once (dictionary encoding) and the other
 * fields in typed arrays, so that thousands of calls a second cause little garbage and few bytes to write.
 */
export class LogBlock {
  readonly owner: CallOwner;
  readonly shapes: CallShape[] = [];
  calls = 0;
  /** The number of calls with status 400 and above. */
  refused = 0;
  firstMs = Number.POSITIVE_INFINITY;
  lastMs = Number.NEGATIVE_INFINITY;
  readonly #shapeIndexes = new Map<string, number>();
  #firstAdmittedMs = Number.POSITIVE_INFINITY;
  #lastAdmittedMs = Number.NEGATIVE_INFINITY;
  #columns = columnsFor(16);

  constructor({ apiKeyId, userId, fromExplorer }: CallOwner) {
    this.owner = { apiKeyId, userId, fromExplorer };
  }

  /** Returns false, without adding the call, if the block is full or would span too much time. */
  add(entry: RequestLogEntry): boolean {
    const timeMs = Math.floor(entry.timeMs);
    const firstMs = Math.min(this.firstMs, timeMs);
    const lastMs = Math.max(this.lastMs, timeMs);
    if (this.calls === maxCallsInBlock || lastMs - firstMs > maxBlockSpanMs) return false;
    // Rounded up, so that no rate limit frees a request too early after a restart.
    const admittedMs = entry.admittedMs === null ? Number.NaN : Math.ceil(entry.admittedMs);
    if (!this.#extendAdmittedSpan(admittedMs)) return false;
    if (this.calls === this.#columns.timesMs.length) this.#columns = growColumns(this.#columns);
    const { timesMs, admittedMs: allAdmittedMs, durationsUs, shapeIndexes, requestIds } = this.#columns;
    timesMs[this.calls] = timeMs;
    allAdmittedMs[this.calls] = admittedMs;
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

  /** When the rate limit admitted the call; null if no limit counts it. */
  admittedMs(index: number): number | null {
    const admittedMs = this.#columns.admittedMs[index] ?? Number.NaN;
    return Number.isNaN(admittedMs) ? null : admittedMs;
  }

  requestId(index: number): string {
    return this.#columns.requestIds.toString("latin1", index * requestIdBytes, (index + 1) * requestIdBytes).trimEnd();
  }

  /** Rounded to microseconds. */
  durationMs(index: number): number {
    return (this.#columns.durationsUs[index] ?? Number.NaN) / 1000;
  }

  /** An index into `shapes`. */
  shapeIndex(index: number): number {
    return this.#columns.shapeIndexes[index] ?? 0;
  }

  /** The stored form, which `openBlock` decodes. */
  async bytes(): Promise<Buffer> {
    const { calls } = this;
    const { timesMs, durationsUs, shapeIndexes, requestIds } = this.#columns;
    const head = Buffer.alloc(4);
    head.writeUInt32LE(calls);
    return compressParts([
      head,
      bytesOf(timesMs.subarray(0, calls)),
      bytesOf(durationsUs.subarray(0, calls)),
      bytesOf(shapeIndexes.subarray(0, calls)),
      requestIds.subarray(0, calls * requestIdBytes),
      Buffer.from(JSON.stringify(this.shapes.map(fieldsOf))),
    ]);
  }

  /** The times of the admitted calls, which `decodeTimes` decodes. */
  admittedTimes(): Buffer {
    const times = this.#columns.admittedMs.subarray(0, this.calls);
    return encodeTimes(Array.from(times).filter((timeMs) => !Number.isNaN(timeMs)));
  }

  /** Extends the span of the admitted times by a time. Returns false if the span would be too long. */
  #extendAdmittedSpan(timeMs: number): boolean {
    if (Number.isNaN(timeMs)) return true;
    const firstMs = Math.min(this.#firstAdmittedMs, timeMs);
    const lastMs = Math.max(this.#lastAdmittedMs, timeMs);
    if (lastMs - firstMs > maxAdmittedSpanMs) return false;
    this.#firstAdmittedMs = firstMs;
    this.#lastAdmittedMs = lastMs;
    return true;
  }

  #shapeIndex(entry: RequestLogEntry): number {
    const key = shapeKey(entry);
    const shapeIndex = this.#shapeIndexes.get(key);
    if (shapeIndex !== undefined) return shapeIndex;
    const index = this.shapes.push(redacted(entry)) - 1;
    this.#shapeIndexes.set(key, index);
    return index;
  }
}

/** A decoded block. */
export interface OpenBlock {
  calls: number;
  /** Unix milliseconds, unordered. */
  timesMs: Float64Array;
  durationMs(index: number): number;
  shape(index: number): CallShape;
  /** Indexes into `shapes`. */
  shapeIndexes: Uint16Array;
  shapes: CallShape[];
  requestId(index: number): string;
}

/** Decodes the bytes of `LogBlock.bytes`. */
export async function openBlock(storedBytes: Uint8Array): Promise<OpenBlock> {
  const bytes = await decompressBlock(storedBytes);
  const calls = bytes.readUInt32LE(0);
  let offset = 4;
  // Copied, because a typed array needs an offset that is aligned to its element size.
  const nextColumn = (length: number) => {
    offset += length;
    return new Uint8Array(bytes.subarray(offset - length, offset)).buffer;
  };
  const timesMs = new Float64Array(nextColumn(calls * 8));
  const durationsUs = new Uint32Array(nextColumn(calls * 4));
  const shapeIndexes = new Uint16Array(nextColumn(calls * 2));
  const requestIds = bytes.toString("latin1", offset, offset + calls * requestIdBytes);
  const shapes = (JSON.parse(bytes.toString("utf8", offset + calls * requestIdBytes)) as ShapeFields[]).map(shapeWith);
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

/** The stored order. Append new fields; old blocks lack them. */
type ShapeFields = ReturnType<typeof fieldsOf>;

// The fields are listed, here and below, because a loop over their names would dominate the time to decode 4,096
// shapes.
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
    shape.version,
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
  // Blocks of earlier releases have no version.
  version: fields[13] ?? null,
});

/** Unique per shape: the unquoted fields cannot contain line breaks. */
const shapeKey = (shape: CallShape): string =>
  `${shape.method} ${shape.status} ${shape.operation} ${shape.version}\n${shape.path}\n${shape.query}\n${shape.clientAddress}\n${shape.userAgent}\n${shape.headers}${
    shape.errorCode === null && shape.body === null
      ? ""
      : JSON.stringify([shape.errorCode, shape.errorMessage, shape.errorDetails, shape.refusedBy, shape.body])
  }`;

type Columns = ReturnType<typeof columnsFor>;

const columnsFor = (calls: number) => ({
  timesMs: new Float64Array(calls),
  /** NaN for calls that no limit counts. */
  admittedMs: new Float64Array(calls),
  durationsUs: new Uint32Array(calls),
  shapeIndexes: new Uint16Array(calls),
  requestIds: Buffer.alloc(calls * requestIdBytes, " "),
});

function growColumns(columns: Columns): Columns {
  const larger = columnsFor(columns.timesMs.length * 4);
  larger.timesMs.set(columns.timesMs);
  larger.admittedMs.set(columns.admittedMs);
  larger.durationsUs.set(columns.durationsUs);
  larger.shapeIndexes.set(columns.shapeIndexes);
  larger.requestIds.set(columns.requestIds);
  return larger;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float64Array | Uint32Array | Uint16Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** The first byte: the encoding of the rest. */
const plain = Buffer.from([0]);
const zstd = Buffer.from([1]);
/** Smaller blocks are not compressed, because the set-up of zstd takes 150 µs. */
const maxPlainBytes = 16_000;

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

async function compressParts(parts: Uint8Array[]): Promise<Buffer> {
  const bytes = Buffer.concat(parts);
  if (bytes.length <= maxPlainBytes) return Buffer.concat([plain, bytes]);
  const params = { [constants.ZSTD_c_compressionLevel]: 1 };
  return Buffer.concat([zstd, await compress(bytes, { params })]);
}

async function decompressBlock(storedBytes: Uint8Array): Promise<Buffer> {
  const payload = storedBytes.subarray(1);
  return storedBytes[0] === zstd[0] ? decompress(payload) : Buffer.from(payload);
}
