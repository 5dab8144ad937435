import type { Position } from "../storage/call-store.ts";

const nsInMs = 1_000_000n;
/** An id is a time in nanoseconds modulo this number, so that it is a safe integer. Ids repeat after 104 days. */
const idSpanNs = 2n ** 53n;
/** VictoriaLogs stores nanoseconds since 1970 in 64 bits. */
const lastNs = BigInt(Date.UTC(2262, 0)) * nsInMs;

/** The nanoseconds of a time in milliseconds, within what the engine can express. */
export function nsOf(ms: number): bigint {
  if (!(ms > 0)) return 0n;
  const ns = Number.isFinite(ms) ? BigInt(Math.floor(ms)) * nsInMs : lastNs;
  return ns < lastNs ? ns : lastNs;
}

export const msOf = (ns: bigint): number => Number(ns / nsInMs);

/** A time in the engine's format: RFC 3339 with nanoseconds. */
export function timeText(ns: bigint): string {
  const fraction = String(ns % nsInMs).padStart(6, "0");
  return `${new Date(msOf(ns)).toISOString().slice(0, -1)}${fraction}Z`;
}

/** The inverse of `timeText`. Also parses times without trailing zeros. */
export function nsOfText(text: string): bigint {
  const [, seconds = "", fraction = ""] = /^(.*?)(?:\.(\d+))?Z$/.exec(text) ?? [];
  return nsOf(Date.parse(`${seconds}Z`)) + BigInt(fraction.padEnd(9, "0"));
}

export const positionOf = (ns: bigint): Position => ({ timeMs: msOf(ns), id: Number(ns % idSpanNs) });

/** The inverse of `positionOf`. For a position of another store, returns the start of its millisecond. */
export function nsOfPosition({ timeMs, id }: Position): bigint {
  const start = nsOf(timeMs);
  const within = (((BigInt(id) - start) % idSpanNs) + idSpanNs) % idSpanNs;
  return within < nsInMs ? start + within : start;
}

/** The newest time before `endMs` that has this id. */
export function nsOfId(id: number, endMs: number): bigint {
  const endNs = nsOf(endMs);
  const ns = endNs - (endNs % idSpanNs) + BigInt(id);
  return ns < endNs ? ns : ns - idSpanNs;
}
