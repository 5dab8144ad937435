/** Shows the progress of a long task. */
export interface Progress {
  at(doneCount: number): void;
  end(): void;
}

const everyMs = 200;

/** Writes one line on a terminal, and overwrites it. Writes nothing to other outputs. */
export function progressLine(task: string, total: number, stream: NodeJS.WriteStream = process.stderr): Progress {
  if (!stream.isTTY) return { at: () => {}, end: () => {} };
  const startedMs = performance.now();
  let shownMs = 0;
  const erase = () => stream.write("\r\x1b[K");
  return {
    at: (doneCount) => {
      const nowMs = performance.now();
      if (nowMs - shownMs < everyMs) return;
      shownMs = nowMs;
      const leftSeconds = Math.round(((nowMs - startedMs) / 1000) * (total / Math.max(1, doneCount) - 1));
      erase();
      stream.write(
        `${task}: ${doneCount.toLocaleString("en")} of ${total.toLocaleString("en")}, ${leftSeconds} s left`,
      );
    },
    end: erase,
  };
}
