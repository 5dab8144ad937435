import type { Report } from "../harness/programmes/report.ts";
import type { Stage } from "./stage/stage.ts";

/** The whole fault, or a short version that shows each guarantee once. */
export type Extent = "whole" | "short";

export interface Fault {
  /** The argument of `--only`. */
  name: string;
  about: string;
  /** `times` is how often it is played, for one that takes it; absent: as often as the extent says. */
  run(stage: Stage, report: Report, extent: Extent, times?: number): Promise<void>;
}
