import type { Logger } from "pino";
import { ApiError } from "../../errors.ts";
import type { Mail, Mailer } from "../../mail/mailer.ts";

/** Further mails are refused with 503. */
const maxQueued = 100;

/** A mail that is written once the response is on its way. */
export interface PendingMail {
  /** Null for none. */
  write: () => Promise<Mail | null>;
  /** Called if the mail could not be sent. */
  undo?: () => Promise<void>;
}

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

  /** Sends what the user asked for. 503 if too many mails wait. A failure is logged; the user can ask for another mail. */
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

  /** Sends a notice about what has happened. It is dropped, with a warning, if too many mails wait. */
  notify(write: () => Promise<Mail | null>): void {
    if (this.#isFull) this.#log.warn("a notice of the portal was not sent: too many mails wait for the mail server");
    else this.#start({ write });
  }

  /** Resolves when every queued mail was sent or has failed. */
  async drain(): Promise<void> {
    await Promise.all(this.#queued);
  }

  get #isFull(): boolean {
    return this.#queued.size >= maxQueued;
  }

  #start(mail: PendingMail): void {
    const sending = this.#send(mail).finally(() => this.#queued.delete(sending));
    this.#queued.add(sending);
  }

  async #send({ write, undo }: PendingMail): Promise<void> {
    try {
      const mail = await write();
      if (mail !== null) await this.#mailer.send(mail);
    } catch (error) {
      this.#log.warn({ err: error }, "a mail of the portal was not sent");
      await undo?.().catch((failure) => this.#log.warn({ err: failure }, "a mail that was not sent still counts"));
    }
  }
}
