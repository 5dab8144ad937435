import type { CatalogueSource } from "./catalogue/write-catalogue.ts";
import type { Progress } from "./report/progress.ts";
import type { Row } from "./report/report.ts";

/** A running server, a key without limits, and the certificate authority of its certificate. */
export interface Service {
  /** `https://localhost:PORT`. */
  origin: string;
  key: string;
  caFile: string;
}

/** A service whose catalogue a case may change. */
export interface SmallService extends Service {
  databaseUrl: string;
}

/** The input of most cases: the server on the full catalogue, its database, and the duration of a measurement. */
export interface Bench extends Service {
  /** The process id of the server. */
  processId: number;
  dataDir: string;
  /** For `beatmarket` commands and tools that run with the server. */
  env: Record<string, string>;
  /** The server's own database: a copy, so cases may write. */
  databaseUrl: string;
  /** Beats in the catalogue at the start. */
  beats: number;
  /** The source of catalogues. */
  source: CatalogueSource;
  /** Rounds of each comparison; the median counts. */
  rounds: number;
  /** Seconds of each burst. */
  seconds: number;
  /** The same server on a catalogue of `smallBeats` beats. The first call starts it. */
  small(): Promise<SmallService>;
  report(row: Row): void;
  say(text: string): void;
  progress(task: string, total: number): Progress;
}

/** The input of a case that needs no running server. */
export type ReportingBench = Pick<Bench, "beats" | "source" | "rounds" | "report" | "say" | "progress"> & {
  /** A folder of labelled audio files, with ground_truth.csv. */
  audio: string | undefined;
};

/** The size that the full catalogue is compared with. */
export const smallBeats = 10_000;
