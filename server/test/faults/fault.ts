import type { Report } from "./report.ts";
import type { Stage } from "./stage/stage.ts";

/** How much of a fault is played: all of it, or as much as shows each guarantee once. */
export type Extent = "whole" | "short";

export interface Fault {
  /** As `--only` takes it. */
  name: string;
  about: string;
  run(stage: Stage, report: Report, extent: Extent): Promise<void>;
}
