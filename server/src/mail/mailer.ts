import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import { onFirstUse } from "../first-use.ts";

export interface Mail {
  to: string;
  subject: string;
  /** Plain text. */
  text: string;
}

export interface Mailer {
  /** Resolves when the mail server has taken the mail, or it is on disk; throws what the server answered. */
  send(mail: Mail): Promise<void>;
}

// The library would wait for minutes.
const limits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

// A text must never be taken for a file or url to be read.
const textOnly = { disableFileAccess: true, disableUrlAccess: true };

/**
 * Sends through the server of `smtpUrl`; without one writes mails to `dataDir/mail/*.eml` (mode 0600), and `log` gets the
 * name of the file and nothing of its text, which may hold a link to sign in with.
 */
export function openMailer(
  config: { smtpUrl: string | undefined; mailFrom: string; dataDir: string },
  log: Pick<Logger, "info">,
): Mailer {
  const { smtpUrl, mailFrom: from, dataDir } = config;
  if (smtpUrl !== undefined) {
    const smtp = onFirstUse(async () =>
      (await import("nodemailer")).createTransport({ url: smtpUrl, ...limits, ...textOnly }),
    );
    return {
      send: async (mail) => {
        await (await smtp()).sendMail({ from, ...mail });
      },
    };
  }
  const composer = onFirstUse(async () =>
    (await import("nodemailer")).createTransport({ streamTransport: true, buffer: true, newline: "unix", ...textOnly }),
  );
  const folder = join(dataDir, "mail");
  return {
    send: async ({ text, ...mail }) => {
      // Composed around an empty text; the real one goes in as it is, not encoded, so that a link can be copied.
      const { message } = await (await composer()).sendMail({ from, ...mail, text: "\n" });
      const head = message
        .toString()
        .trimEnd()
        .replace("\nContent-Transfer-Encoding: 7bit", "\nContent-Transfer-Encoding: 8bit");
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = join(folder, `${new Date().toISOString().replaceAll(":", "-")}-${randomUUID().slice(0, 8)}.eml`);
      await writeFile(file, `${head}\n\n${text}`, { mode: 0o600, flag: "wx" });
      log.info(`a mail was written to ${file}`);
    },
  };
}
