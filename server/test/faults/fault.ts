import type { Report } from "../harness/programmes/report.ts";
import type { Stage } from "./stage/stage.ts";

/** The whole fault, or a short version that tests each guarantee once. */
export type Extent = "whole" | "short";

export interface Fault {
  /** The argument of `--only`. */
  name: string;
  about: string;
  /**
   * `times` is the number of repetitions, for a fault that accepts it. Absent: the number for the extent. `seed`
   * repeats one seed of a fault with seeds.
   */
  run(stage: Stage, report: Report, extent: Extent, times?: number, seed?: string): Promise<void>;
}
