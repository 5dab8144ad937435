import type { Report } from "../harness/programmes/report.ts";
import type { Part } from "../harness/programmes/run-parts.ts";
import type { Bench } from "./bench.ts";

/** One tool of other people's, against the real server. */
export interface Case extends Part {
  /** Throws `Unavailable` where the tool cannot be had, which counts as skipped. */
  run(bench: Bench, report: Report): Promise<void>;
}
