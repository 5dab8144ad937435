import type { Report } from "../harness/programmes/report.ts";
import type { Part } from "../harness/programmes/run-parts.ts";
import type { Bench } from "./bench.ts";

/** Runs one foreign tool against the real server. */
export interface Case extends Part {
  /** Throws `Unavailable` if the tool cannot be installed, which counts as skipped. */
  run(bench: Bench, report: Report): Promise<void>;
}
