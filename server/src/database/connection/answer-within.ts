import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";

/**
 * Waits for an answer for at most `timeoutMs`, then throws an Error with `message`; the driver itself may wait for ever.
 * An answer that came in while this process was too busy to read it is in time.
 */
export async function answerWithin<T>(timeoutMs: number, answer: Promise<T>, message: string): Promise<T> {
  const answered = new AbortController();
  const timeout = sleep(timeoutMs, undefined, { signal: answered.signal })
    .then(() => nextTurn())
    .then(() => {
      throw new Error(message);
    });
  return Promise.race([answer, timeout]).finally(() => {
    answered.abort();
    timeout.catch(() => {});
    answer.catch(() => {});
  });
}
