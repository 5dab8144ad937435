import { SingleBar } from "cli-progress";

export interface ProgressBar<Shown extends Record<string, string>> {
  show(completed: number, shown: Shown): void;
  end(): void;
}

/**
 * A progress bar on a terminal. Shows nothing elsewhere, or if `total` is null. `format` is the format of
 * cli-progress, with the names of `start` in braces.
 */
export function progressBar<Shown extends Record<string, string>>(
  format: string,
  total: number | null,
  start: Shown,
): ProgressBar<Shown> {
  if (!process.stderr.isTTY || total === null) return { show: () => {}, end: () => {} };
  const bar = new SingleBar({ format, stream: process.stderr, hideCursor: true });
  bar.start(total, 0, start);
  return { show: (completed, figures) => bar.update(completed, figures), end: () => bar.stop() };
}
