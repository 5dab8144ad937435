import type { Clock } from "@beatmarket/foundation/clock.ts";
import { ApiError } from "@beatmarket/foundation/errors.ts";
import type { Logger } from "pino";
import type { TemplatedMail, TemplatedMailer } from "./mailer.ts";

/** The maximum number of waiting mails. Further mails are refused with 503. */
const maxQueued = 100;

/** A mail that is written and sent after the response. */
export interface PendingMail {
  /** Returns the mail, or null to send none. */
  write: () => Promise<TemplatedMail | null>;
  /** Runs if the mail could not be written or sent. */
  undo?: () => Promise<void>;
}

/**
 * Writes and sends mails in the background, so that neither a response nor its duration reveals what the mail says or
 * whether there is one.
 */
export class MailQueue {
  readonly #mailer: TemplatedMailer;
  readonly #log: Pick<Logger, "warn">;
  readonly #clock: Clock;
  /** The time in monotonic milliseconds at which each mail was queued, oldest first. */
  readonly #queued = new Map<Promise<void>, number>();

  constructor(mailer: TemplatedMailer, log: Pick<Logger, "warn">, clock: Clock) {
    this.#mailer = mailer;
    this.#log = log;
    this.#clock = clock;
  }

  /** The number of waiting mails, and the waiting time of the oldest mail; 0 if none waits. */
  get state(): { waiting: number; oldestSeconds: number } {
    const [sinceMs] = this.#queued.values();
    const oldestSeconds = sinceMs === undefined ? 0 : (this.#clock.monotonicMs() - sinceMs) / 1_000;
    return { waiting: this.#queued.size, oldestSeconds };
  }

  /**
   * Queues a mail that the user requested. Throws 503 if too many mails wait. A failure is logged, and the user can
   * request another mail.
   */
  enqueue(mail: PendingMail): void {
    if (this.#isFull)
      throw new ApiError(
        503,
        "server_error",
        "Service unavailable",
        "Too many mails are on their way. Try again soon.",
        {
          headers: { "retry-after": "10" },
        },
      );
    this.#start(mail);
  }

  /** Queues a notice. If too many mails wait, drops the notice and logs a warning. */
  notify(write: () => Promise<TemplatedMail | null>): void {
    if (this.#isFull) this.#log.warn("a notice was not sent: too many mails wait for the mail server");
    else this.#start({ write });
  }

  /** Resolves when every queued mail was sent or has failed. */
  async drain(): Promise<void> {
    await Promise.all(this.#queued.keys());
  }

  get #isFull(): boolean {
    return this.#queued.size >= maxQueued;
  }

  #start(mail: PendingMail): void {
    const sending = this.#send(mail).finally(() => this.#queued.delete(sending));
    this.#queued.set(sending, this.#clock.monotonicMs());
  }

  async #send({ write, undo }: PendingMail): Promise<void> {
    try {
      const mail = await write();
      if (mail !== null) await this.#mailer.send(mail);
    } catch (error) {
      this.#log.warn({ err: error }, "a mail was not sent");
      await undo?.().catch((failure) =>
        this.#log.warn(
          { err: failure },
          "a mail was not sent, and its link could not be removed: a new request may send no mail",
        ),
      );
    }
  }
}
