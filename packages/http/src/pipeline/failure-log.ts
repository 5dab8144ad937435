import type { ApiError } from "@beatmarket/foundation/errors.ts";
import type { Logger } from "pino";

const intervalMs = 1_000;

/**
 * Logs server errors. Logs each unexpected error with its stack. Logs refusals (503) at most once a second for each
 * kind, with a count and no stack, since an overload causes thousands.
 */
export class FailureLog {
  readonly #logger: Logger;
  /** By kind: the number of refusals since the kind was last logged. An entry exists for a second after that. */
  readonly #unlogged = new Map<string, number>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  add(error: ApiError, requestId: string): void {
    if (error.status !== 503) {
      this.#logger.error({ err: error.cause ?? error, requestId }, "request failed");
      return;
    }
    const { code, message } = (error.cause ?? {}) as { code?: unknown; message?: string };
    const kind = typeof code === "string" ? code : (error.refusedBy ?? error.message);
    const unlogged = this.#unlogged.get(kind);
    if (unlogged !== undefined) {
      this.#unlogged.set(kind, unlogged + 1);
      return;
    }
    this.#write(kind, { count: 1, requestId, ...(message !== undefined && { cause: message }) });
  }

  #write(kind: string, facts: object): void {
    this.#logger.error({ kind, ...facts }, "requests refused with 503");
    this.#unlogged.set(kind, 0);
    setTimeout(() => {
      const count = this.#unlogged.get(kind) ?? 0;
      this.#unlogged.delete(kind);
      if (count > 0) this.#write(kind, { count });
    }, intervalMs).unref();
  }
}
