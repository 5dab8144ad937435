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
