import type { Logger } from "pino";
import { ApiError } from "../../errors.ts";
import type { Mail, Mailer } from "../../mail/mailer.ts";

/** Further mails are refused with 503. */
const maxQueued = 100;

/**
 * Writes and sends mails in the background, so that neither a response nor its duration reveals what the mail says or
 * whether there is one.
 */
export class MailQueue {
  readonly #mailer: Mailer;
  readonly #log: Pick<Logger, "warn">;
  readonly #queued = new Set<Promise<void>>();

  constructor(mailer: Mailer, log: Pick<Logger, "warn">) {
    this.#mailer = mailer;
    this.#log = log;
  }

  /** `write` returns the mail, or null for none. A failure is logged; the user can ask for another mail. */
  enqueue(write: () => Promise<Mail | null>): void {
    if (this.#queued.size >= maxQueued)
      throw new ApiError(
        503,
        "server_error",
        "Service unavailable",
        "Too many mails are on their way. Try again soon.",
        {
          headers: { "retry-after": "10" },
        },
      );
    const sending = this.#send(write).finally(() => this.#queued.delete(sending));
    this.#queued.add(sending);
  }

  /** Resolves when every queued mail was sent or has failed. */
  async drain(): Promise<void> {
    await Promise.all(this.#queued);
  }

  async #send(write: () => Promise<Mail | null>): Promise<void> {
    try {
      const mail = await write();
      if (mail !== null) await this.#mailer.send(mail);
    } catch (error) {
      this.#log.warn({ err: error }, "a mail of the portal was not sent");
    }
  }
}
