import { randomUUID } from "node:crypto";
import { readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Readable } from "node:stream";
import { onFirstUse } from "@beatmarket/foundation/first-use.ts";
import { makeInDataFolder } from "@beatmarket/postgres/embedded/data-folder.ts";
import type { Logger } from "pino";

const retentionMs = 30 * 86_400_000;
const maxFiles = 10_000;
/** Older drafts belong to killed processes. */
const draftRetentionMs = 3_600_000;

/** The folder for mails while no mail server is configured. */
const mailFolder = (dataDir: string): string => join(dataDir, "mail");

/**
 * Deletes the drafts of killed processes, mails older than 30 days, and all mails but the newest `maxMails`. Returns
 * the number of deleted files.
 */
export async function deleteOldMails(dataDir: string, nowMs: number, maxMails: number = maxFiles): Promise<number> {
  const mails = await listMails(mailFolder(dataDir), /^[^.].*\.eml$/);
  const drafts = await listMails(dataDir, /^\..*\.eml$/);
  const excess = mails.slice(0, -maxMails);
  const others = mails.slice(-maxMails);
  const areOld = await Promise.all([
    ...others.map((path) => isOlder(path, nowMs - retentionMs)),
    ...drafts.map((path) => isOlder(path, nowMs - draftRetentionMs)),
  ]);
  const unwanted = [...excess, ...[...others, ...drafts].filter((_, index) => areOld[index])];
  for (const path of unwanted) await rm(path, { force: true });
  return unwanted.length;
}

const isOlder = (path: string, thanMs: number): Promise<boolean> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs < thanMs,
    () => false,
  );

/** Paths, oldest first: names begin with the time. Empty for a folder that does not exist. */
const listMails = async (folder: string, pattern: RegExp): Promise<string[]> =>
  (await readdir(folder).catch(() => []))
    .filter((name) => pattern.test(name))
    .sort()
    .map((name) => join(folder, name));

export interface Mail {
  to: string;
  subject: string;
  /** Plain text. */
  text: string;
  /** The same text for mail programs that show HTML. */
  html?: string;
  /** Identifies the mail: a repeated mail has the same Message-ID. */
  messageId?: string;
  headers?: Readonly<Record<string, string>>;
}

export interface Mailer {
  /** Resolves when the mail server has accepted the mail, or the file is written. Throws the error of the server. */
  send(mail: Mail): Promise<void>;
}

/** The name of a template and the values for its placeholders. */
export interface TemplatedMail<Name extends string = string> {
  to: string;
  template: Name;
  /** Absent: the language that the recipient has chosen. */
  language?: string | undefined;
  facts: Readonly<Record<string, string | readonly string[]>>;
}

/** Renders mails from templates and sends them. */
export interface TemplatedMailer {
  send(mail: TemplatedMail): Promise<void>;
}

// The library's default time-outs are minutes.
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

// Prevents nodemailer from reading a text as a file path or url.
const textOnly = { disableFileAccess: true, disableUrlAccess: true };

/** Connects to the mail server and signs in, without sending a mail. Throws the error of the server. */
export async function checkMailServer(smtpUrl: string): Promise<void> {
  const { createTransport } = await import("nodemailer");
  const transport = createTransport({ url: smtpUrl, ...timeouts, ...textOnly });
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

interface Composer {
  sendMail(envelope: object): Promise<{ message: Buffer | Readable }>;
}

/** The Message-ID is at the sender's domain, as RFC 5322 recommends. */
const envelopeOf = ({ messageId, ...mail }: Mail, from: string): object => ({
  from,
  ...mail,
  ...(messageId !== undefined && { messageId: `<${messageId}@${/@([\w.-]+)/.exec(from)?.[1] ?? "localhost"}>` }),
});

/**
 * Sends mails through the server of `smtpUrl`. Without `smtpUrl`, writes them to `dataDir/mail/*.eml` (mode 0600). Logs
 * only the file names, since a mail may contain a sign-in link.
 */
export function openMailer(
  config: { smtpUrl: string | undefined; mailFrom: string; dataDir: string },
  log: Pick<Logger, "info">,
): Mailer {
  const { smtpUrl, mailFrom: from, dataDir } = config;
  if (smtpUrl !== undefined) {
    const smtp = onFirstUse(async () =>
      (await import("nodemailer")).createTransport({ url: smtpUrl, ...timeouts, ...textOnly }),
    );
    return {
      send: async (mail) => {
        await (await smtp()).sendMail(envelopeOf(mail, from));
      },
    };
  }
  const composer = onFirstUse(async () =>
    (await import("nodemailer")).createTransport({ streamTransport: true, buffer: true, newline: "unix", ...textOnly }),
  );
  const folder = mailFolder(dataDir);
  const wholeMail = async (compose: Composer, mail: Mail) => (await compose.sendMail(envelopeOf(mail, from))).message;
  /** Composes the headers around an empty text, then appends the real text unencoded, so that links can be copied. */
  const plainMail = async (compose: Composer, mail: Mail) => {
    const head = (await wholeMail(compose, { ...mail, text: "\n" }))
      .toString()
      .trimEnd()
      .replace("\nContent-Transfer-Encoding: 7bit", "\nContent-Transfer-Encoding: 8bit");
    return `${head}\n\n${mail.text}`;
  };
  /** Like `plainMail`, for a mail with text and HTML: the text is unencoded, and the library encodes the HTML. */
  const readableMail = async (compose: Composer, mail: Mail) => {
    const mark = randomUUID();
    const composed = (await wholeMail(compose, { ...mail, text: mark })).toString();
    return composed.replace(
      `Content-Transfer-Encoding: 7bit\n\n${mark}`,
      () => `Content-Transfer-Encoding: 8bit\n\n${mail.text}`,
    );
  };
  return {
    send: async (mail) => {
      const compose = await composer();
      const message = mail.html === undefined ? await plainMail(compose, mail) : await readableMail(compose, mail);
      await makeInDataFolder(dataDir, basename(folder));
      const name = `${new Date().toISOString().replaceAll(":", "-")}-${randomUUID().slice(0, 8)}.eml`;
      const draft = join(dataDir, `.${name}`);
      const file = join(folder, name);
      await writeFile(draft, message, { mode: 0o600, flag: "wx" });
      // Renamed when complete, so that programs that watch the folder never read half a mail.
      await rename(draft, file);
      log.info(`a mail was written to ${file}`);
    },
  };
}
