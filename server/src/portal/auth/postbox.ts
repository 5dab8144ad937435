import type { Logger } from "pino";
import { ApiError } from "../../errors.ts";
import type { Mail, Mailer } from "../../mail/mailer.ts";

/** At most so many letters are being written at once; whoever asks for one more is told to come back. */
const maxWaiting = 100;

/**
 * Writes and sends mails after the request that asked for them was answered, so that neither the answer nor its time
 * tells what the mail says or whether there is one.
 */
export class Postbox {
  readonly #mailer: Mailer;
  readonly #log: Pick<Logger, "warn">;
  readonly #writing = new Set<Promise<void>>();

  constructor(mailer: Mailer, log: Pick<Logger, "warn">) {
    this.#mailer = mailer;
    this.#log = log;
  }

  /** `write` returns the mail, or null for none. What fails is logged: whoever waits for a mail asks again. */
  post(write: () => Promise<Mail | null>): void {
    if (this.#writing.size >= maxWaiting)
      throw new ApiError(
        503,
        "server_error",
        "Service unavailable",
        "Too many mails are on their way. Try again soon.",
        {
          headers: { "retry-after": "10" },
        },
      );
    const sending = this.#send(write).finally(() => this.#writing.delete(sending));
    this.#writing.add(sending);
  }

  /** Resolves when all that was posted is on its way. */
  async empty(): Promise<void> {
    await Promise.all(this.#writing);
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
