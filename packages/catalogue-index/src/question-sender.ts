import { ApiError } from "@beatmarket/foundation/errors.ts";
import type { Failure, IndexQuery, IndexResult, Question, Reply } from "./worker/messages.ts";

interface PendingQuestion {
  resolve(reply: Answer): void;
  reject(error: Error): void;
  askedAtMs: number;
}

export interface Answer {
  /** The position of the change stream to which the result corresponds; null between two steps of a catch-up. */
  position: number | null;
  result: IndexResult;
}

/** The time limit of an HTTP request. After it, no caller waits for a result. */
const maxWaitMs = 20_000;
const maxPending = 10_000;

/**
 * Sends a thread's questions to the index's thread, and passes on the replies. `post` sends the questions of one turn
 * of the event loop together.
 */
export class QuestionSender {
  readonly #post: (questions: Question[]) => void;
  readonly #pending = new Map<number, PendingQuestion>();
  #queue: Question[] = [];
  #lastId = 0;

  constructor(post: (questions: Question[]) => void) {
    this.#post = post;
  }

  /** Throws ApiError 503 if too many questions wait. Rejects with it if there is no reply within about `maxWaitMs`. */
  ask(version: number, query: IndexQuery): Promise<Answer> {
    if (this.#pending.size >= maxPending) throw unavailable("Too many requests wait for the catalogue's index.");
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      this.#pending.set(id, { resolve, reject, askedAtMs: performance.now() });
      this.send({ id, version, query });
    });
  }

  send(question: Question): void {
    this.#queue.push(question);
    if (this.#queue.length > 1) return;
    setImmediate(() => {
      this.#post(this.#queue);
      this.#queue = [];
    });
  }

  settle(replies: readonly Reply[]): void {
    for (const reply of replies) {
      const request = this.#pending.get(reply.id);
      this.#pending.delete(reply.id);
      if ("failure" in reply) request?.reject(errorOf(reply.failure));
      else request?.resolve({ position: reply.position, result: reply.result });
    }
  }

  /** Rejects questions that waited too long. */
  expire(): void {
    const earliestMs = performance.now() - maxWaitMs;
    for (const [id, { askedAtMs, reject }] of this.#pending) {
      // The map is in the order of the questions.
      if (askedAtMs > earliestMs) break;
      this.#pending.delete(id);
      reject(unavailable("The catalogue's index took too long. Try again in 2 seconds."));
    }
  }

  refuseAll(error: ApiError): void {
    this.#queue = [];
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }
}

export const errorOf = ({ message, code, stack }: Failure): Error =>
  Object.assign(new Error(message), { ...(code !== undefined && { code }), ...(stack !== undefined && { stack }) });

export const building = (): ApiError =>
  new ApiError(
    503,
    "server_error",
    "Service unavailable",
    "The index of the catalogue is being built, which takes some seconds after a start. Try again in 5 seconds.",
    { headers: { "retry-after": "5" }, refusedBy: "index" },
  );

export const unavailable = (details: string, cause?: unknown): ApiError =>
  new ApiError(503, "server_error", "Service unavailable", details, {
    headers: { "retry-after": "2" },
    refusedBy: "index",
    cause,
  });
