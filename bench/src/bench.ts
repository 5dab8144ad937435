import type { Row } from "./report.ts";

/** What every case may use: the server on the real catalogue, a key without limits, and how much time it has. */
export interface Bench {
  /** `https://localhost:PORT`. */
  origin: string;
  key: string;
  dataDir: string;
  caFile: string;
  /** Rounds of each comparison; the median counts. */
  rounds: number;
  /** Seconds of each burst. */
  seconds: number;
  report(row: Row): void;
  say(text: string): void;
}
