import type { RequestLogEntry } from "./entry.ts";
import { RollupTally } from "./rollups.ts";

const chunkBytes = 64 * 1024;
/** UTF-8 needs at most so many bytes for a UTF-16 unit. */
const maxBytesPerUnit = 3;

/**
 * Entries on their way into the log: lines of COPY's text format, and what they add up to. Each is put into bytes as it
 * comes, so that thousands of calls a second leave nothing behind that the garbage collector would have to move.
 */
export class LogBatch {
  size = 0;
  readonly tally = new RollupTally();
  readonly #full: Buffer[] = [];
  #chunk = Buffer.allocUnsafe(chunkBytes);
  #used = 0;

  static of(entries: readonly RequestLogEntry[]): LogBatch {
    const batch = new LogBatch();
    for (const entry of entries) batch.add(entry);
    return batch;
  }

  add(entry: RequestLogEntry): void {
    const line = copyLine(entry);
    if (this.#used + line.length * maxBytesPerUnit > this.#chunk.length) {
      this.#full.push(this.#chunk.subarray(0, this.#used));
      this.#chunk = Buffer.allocUnsafe(Math.max(chunkBytes, line.length * maxBytesPerUnit));
      this.#used = 0;
    }
    this.#used += this.#chunk.write(line, this.#used);
    this.tally.add(entry);
    this.size++;
  }

  /** What COPY reads. */
  lines(): Buffer[] {
    return [...this.#full, this.#chunk.subarray(0, this.#used)];
  }
}

// Written out rather than mapped over: at thousands of calls a second this line is a good part of what the log costs.
const copyLine = (entry: RequestLogEntry): string =>
  `${isoTime(entry.timeMs)}\t${entry.requestId}\t${entry.apiKeyId ?? "\\N"}\t${entry.userId ?? "\\N"}\t${entry.fromExplorer}\t${entry.method}\t${escaped(
    entry.path,
  )}\t${escaped(entry.query)}\t${entry.status}\t${entry.durationMs}\t${entry.operation ?? "\\N"}\t${
    entry.errorCode ?? "\\N"
  }\t${escaped(entry.errorMessage)}\t${escaped(entry.errorDetails)}\t${escaped(entry.refusedBy)}\t${escaped(
    entry.headers,
  )}\t${escaped(entry.body)}\t${escaped(entry.clientAddress)}\t${escaped(entry.userAgent)}\n`;

let formatted = { ms: 0, text: "" };

/** Many calls share a millisecond, and formatting it costs more than all else here. */
function isoTime(timeMs: number): string {
  const ms = Math.floor(timeMs);
  if (ms !== formatted.ms) formatted = { ms, text: new Date(ms).toISOString() };
  return formatted.text;
}

const special = /[\\\t\n\r\0]/;
const escapes: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r", "\0": "" };

/** For COPY's text format; PostgreSQL has no NUL, so it is left out. */
function escaped(text: string | null): string {
  if (text === null) return "\\N";
  if (!special.test(text)) return text;
  return text.replace(/[\\\t\n\r\0]/g, (character) => escapes[character] ?? "");
}
