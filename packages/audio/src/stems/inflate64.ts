// Decodes Deflate64 (PKWARE APPNOTE.TXT 4.4.5, method 9), which Windows uses for files of more than 2 GB: RFC 1951 with
// a window of 64 kB, matches up to 65,538 bytes, and two more distance codes. zlib does not support it.

const windowBytes = 65_536;
const flushBytes = 4 * windowBytes;
const maxCodeBits = 15;
const endOfBlock = 256;
/** More than the longest header of a block. */
const lookaheadBytes = 1024;
/** Code 285 has base 3 and 16 extra bits in Deflate64 (RFC 1951: 258 and none). */
const lengthBases = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 3,
];
const lengthBits = [...Array.from({ length: 28 }, (_, code) => (code < 4 ? 0 : (code >> 2) - 1)), 16];
const distanceBits = Array.from({ length: 32 }, (_, code) => (code < 2 ? 0 : (code >> 1) - 1));
const distanceBases = distanceBits.map((bits, code) => (code < 2 ? code + 1 : (2 + (code & 1)) * 2 ** bits + 1));
const codeLengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** Unpacks a Deflate64 stream. @throws {Error} if the stream is invalid or incomplete */
export async function* inflate64(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const input = new BitReader(source);
  const output = new Output();
  for (let isLast = false; !isLast; ) {
    await input.fill();
    isLast = input.readBits(1) === 1;
    const type = input.readBits(2);
    if (type === 0) yield* storedBlock(input, output);
    else if (type === 3) throw new Error("unknown block type");
    else yield* compressedBlock(input, output, type === 1 ? fixedCodes() : readCodes(input));
  }
  yield output.flush();
}

async function* storedBlock(input: BitReader, output: Output): AsyncGenerator<Uint8Array> {
  input.dropToByte();
  let length = input.readBits(16);
  if ((input.readBits(16) ^ length) !== 0xffff) throw new Error("the length of a stored block is damaged");
  for (; length > 0; length--) {
    if (input.isLow) await input.fill();
    output.literal(input.readBits(8));
    if (output.isFull) yield output.flush();
  }
}

async function* compressedBlock(
  input: BitReader,
  output: Output,
  { lengths, distances }: Codes,
): AsyncGenerator<Uint8Array> {
  for (;;) {
    if (input.isLow) await input.fill();
    const symbol = input.decode(lengths);
    if (symbol < endOfBlock) output.literal(symbol);
    else if (symbol === endOfBlock) return;
    else {
      const code = symbol - endOfBlock - 1;
      const base = lengthBases[code];
      if (base === undefined) throw new Error("undefined length code");
      const length = base + input.readBits(lengthBits[code] as number);
      const distanceCode = input.decode(distances);
      output.copy(
        length,
        (distanceBases[distanceCode] as number) + input.readBits(distanceBits[distanceCode] as number),
      );
    }
    if (output.isFull) yield output.flush();
  }
}

interface Codes {
  lengths: Uint16Array;
  distances: Uint16Array;
}

function fixedLengthBits(symbol: number): number {
  if (symbol < 144) return 8;
  if (symbol < 256) return 9;
  return symbol < 280 ? 7 : 8;
}

const fixedCodes = (): Codes => ({
  lengths: decodingTable(Array.from({ length: 288 }, (_, symbol) => fixedLengthBits(symbol))),
  distances: decodingTable(Array.from({ length: 32 }, () => 5)),
});

function readCodes(input: BitReader): Codes {
  const lengthCount = input.readBits(5) + 257;
  const distanceCount = input.readBits(5) + 1;
  const orderCount = input.readBits(4) + 4;
  const codeLengths = new Array<number>(19).fill(0);
  for (const symbol of codeLengthOrder.slice(0, orderCount)) codeLengths[symbol] = input.readBits(3);
  const table = decodingTable(codeLengths);
  const lengths: number[] = [];
  while (lengths.length < lengthCount + distanceCount) {
    const symbol = input.decode(table);
    let value: number | undefined = 0;
    let times = 1;
    switch (symbol) {
      case 16:
        value = lengths.at(-1);
        times = 3 + input.readBits(2);
        break;
      case 17:
        times = 3 + input.readBits(3);
        break;
      case 18:
        times = 11 + input.readBits(7);
        break;
      default:
        value = symbol;
    }
    if (value === undefined || lengths.length + times > lengthCount + distanceCount)
      throw new Error("the code lengths of a block are damaged");
    lengths.push(...new Array<number>(times).fill(value));
  }
  return {
    lengths: decodingTable(lengths.slice(0, lengthCount)),
    distances: decodingTable(lengths.slice(lengthCount)),
  };
}

/**
 * The index is the next 15 bits, the first bit lowest. The value is the symbol times 16 plus the length of its code in
 * bits; 0 if the bits begin with no code.
 */
function decodingTable(bitsOfSymbols: readonly number[]): Uint16Array {
  const table = new Uint16Array(1 << maxCodeBits);
  let code = 0;
  for (let bits = 1; bits <= maxCodeBits; bits++) {
    code <<= 1;
    for (const [symbol, symbolBits] of bitsOfSymbols.entries()) {
      if (symbolBits !== bits) continue;
      if (code >= 1 << bits) throw new Error("too many codes");
      let reversed = 0;
      for (let bit = 0; bit < bits; bit++) if ((code >> bit) & 1) reversed |= 1 << (bits - 1 - bit);
      for (let index = reversed; index < table.length; index += 1 << bits) table[index] = (symbol << 4) | bits;
      code++;
    }
  }
  return table;
}

class BitReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #bytes: Uint8Array = new Uint8Array(0);
  #offset = 0;
  #hasEnded = false;
  #bits = 0;
  #bitCount = 0;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  get isLow(): boolean {
    return !this.#hasEnded && this.#bytes.length - this.#offset < lookaheadBytes;
  }

  /** Reads until there are enough bytes for the next `readBits` and `decode`. */
  async fill(): Promise<void> {
    while (this.isLow) {
      const { value, done } = await this.#source.next();
      if (done === true) this.#hasEnded = true;
      else {
        this.#bytes = Buffer.concat([this.#bytes.subarray(this.#offset), value]);
        this.#offset = 0;
      }
    }
  }

  /** Takes up to 16 bits. The first bit is the lowest. */
  readBits(count: number): number {
    while (this.#bitCount < count) this.#more();
    const value = this.#bits & ((1 << count) - 1);
    this.#drop(count);
    return value;
  }

  decode(table: Uint16Array): number {
    while (this.#bitCount < maxCodeBits && this.#offset < this.#bytes.length) this.#more();
    const entry = table[this.#bits & ((1 << maxCodeBits) - 1)] as number;
    const bits = entry & 15;
    if (bits === 0) throw new Error("undefined code");
    if (bits > this.#bitCount) throw new Error("the stream is incomplete");
    this.#drop(bits);
    return entry >> 4;
  }

  dropToByte(): void {
    this.#drop(this.#bitCount % 8);
  }

  #more(): void {
    const byte = this.#bytes[this.#offset++];
    if (byte === undefined) throw new Error("the stream is incomplete");
    this.#bits |= byte << this.#bitCount;
    this.#bitCount += 8;
  }

  #drop(count: number): void {
    this.#bits >>>= count;
    this.#bitCount -= count;
  }
}

/** The output that is not flushed yet, and before it the window of earlier output to which matches can refer. */
class Output {
  // The earlier window, a full output, and one longest match (65,538 bytes), which may begin just before the output is
  // full.
  readonly #bytes = new Uint8Array(windowBytes + flushBytes + windowBytes + 1024);
  #start = 0;
  #end = 0;

  get isFull(): boolean {
    return this.#end >= windowBytes + flushBytes;
  }

  literal(byte: number): void {
    this.#bytes[this.#end++] = byte;
  }

  copy(length: number, distance: number): void {
    let from = this.#end - distance;
    if (from < 0) throw new Error("a match before the beginning");
    for (let remaining = length; remaining > 0; remaining--) this.#bytes[this.#end++] = this.#bytes[from++] as number;
  }

  flush(): Uint8Array {
    const part = this.#bytes.slice(this.#start, this.#end);
    const window = Math.min(windowBytes, this.#end);
    this.#bytes.copyWithin(0, this.#end - window, this.#end);
    this.#start = window;
    this.#end = window;
    return part;
  }
}
