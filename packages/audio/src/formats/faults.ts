import { type MediaTaskError, unusable } from "../media-task.ts";

export const damaged = (format: string, fault: string, cause?: unknown): MediaTaskError =>
  unusable(`The ${format} file is damaged (${fault}): export it again.`, cause);

/** The error for an intact file with content that is not supported. */
export const unsupported = (format: string, content: string, remedy: string): MediaTaskError =>
  unusable(`The ${format} file has ${content} in it, which cannot be read here: ${remedy}.`);

/** Refuses a file that has less than its header announces. All numbers in the same unit, bytes or frames. */
export function refuseTruncated(
  format: string,
  { available, expected, tolerance }: { available: number; expected: number; tolerance: number },
): void {
  if (available >= expected - tolerance) return;
  const percent = Math.floor((100 * available) / expected);
  throw unusable(
    `The ${format} file is cut off or damaged: only ${percent} % of its content can be read. Export or upload it again.`,
  );
}
