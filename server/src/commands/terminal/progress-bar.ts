import { SingleBar } from "cli-progress";

export interface ProgressBar<Shown extends Record<string, string>> {
  show(done: number, shown: Shown): void;
  end(): void;
}

/**
 * A progress bar on a terminal, nothing elsewhere or where `total` is not known. `format` is that of cli-progress, in which
 * the names of `start` stand in braces.
 */
export function progressBar<Shown extends Record<string, string>>(
  format: string,
  total: number | null,
  start: Shown,
): ProgressBar<Shown> {
  if (!process.stderr.isTTY || total === null) return { show: () => {}, end: () => {} };
  const bar = new SingleBar({ format, stream: process.stderr, hideCursor: true });
  bar.start(total, 0, start);
  return { show: (done, shown) => bar.update(done, shown), end: () => bar.stop() };
}

export const thousands = (value: number): string => value.toLocaleString("en");

/** A number of things: "1 backup", "1,641 files of the database". */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${thousands(count)} ${count === 1 ? one : many}`;
