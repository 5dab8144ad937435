import type { Report } from "../harness/programmes/report.ts";
import type { Stage } from "./stage/stage.ts";

/** The whole fault, or a short version that shows each guarantee once. */
export type Extent = "whole" | "short";

export interface Fault {
  /** The argument of `--only`. */
  name: string;
  about: string;
  /**
   * `times` is the number of repetitions, for a fault that accepts it. Absent: as many as the extent sets. `seed` replays
   * one seed of a fault that has some.
   */
  run(stage: Stage, report: Report, extent: Extent, times?: number, seed?: string): Promise<void>;
}
