import { type MediaTaskError, unusable } from "../media-task.ts";

export const damaged = (format: string, fault: string, cause?: unknown): MediaTaskError =>
  unusable(`The ${format} file is damaged (${fault}): export it again.`, cause);

/** For what a whole file has in it, but cannot be read here. */
export const unread = (format: string, content: string, remedy: string): MediaTaskError =>
  unusable(`The ${format} file has ${content} in it, which cannot be read here: ${remedy}.`);

/** Refuses a file that has less than it announces; all in one unit, bytes or frames. */
export function refuseTruncated(
  format: string,
  { present, expected, tolerated }: { present: number; expected: number; tolerated: number },
): void {
  if (present >= expected - tolerated) return;
  const percent = Math.floor((100 * present) / expected);
  throw unusable(
    `The ${format} file is cut off or damaged: of what it announces, ${percent} % can be read. Export or upload it again.`,
  );
}
