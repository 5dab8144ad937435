/** Retries without end; the greatest delay that a timer takes. */
const unlimited = 2 ** 31 - 1;

/** How patiently a page is asked for. Undefined: as the call and the client say. */
export interface Patience {
  maxRetries: number | undefined;
  maxRetryAfterMs: number;
}

/**
 * Pages of a stream without end. The first request fails as every other call does, so that a wrong address is seen;
 * later ones are repeated, with the same position, until they succeed or fail for good. Waits as long as the service asks.
 */
export async function* follow<P extends { next: number }>(
  read: (after: number | undefined, patience: Patience) => Promise<P>,
  after: number | undefined,
): AsyncGenerator<P, never, undefined> {
  let page = await read(after, { maxRetries: undefined, maxRetryAfterMs: unlimited });
  for (;;) {
    yield page;
    page = await read(page.next, { maxRetries: unlimited, maxRetryAfterMs: unlimited });
  }
}
