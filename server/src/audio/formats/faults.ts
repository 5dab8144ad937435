import { type MediaTaskError, unusable } from "../media-task.ts";

/** What may be missing at the end: less than this share of the file is nothing that is heard. */
const toleratedShare = 0.01;

export const damaged = (format: string, fault: string, cause?: unknown): MediaTaskError =>
  unusable(`The ${format} file is damaged (${fault}): export it again.`, cause);

/** Refuses a file that has less than it announces, in any unit. */
export function refuseTruncated(format: string, { present, expected }: { present: number; expected: number }): void {
  if (present >= expected * (1 - toleratedShare)) return;
  const percent = Math.floor((100 * present) / expected);
  throw unusable(`The ${format} file is cut off: it has ${percent} % of what it announces. Export or upload it again.`);
}
