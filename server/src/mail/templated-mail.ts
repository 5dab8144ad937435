import type { Language } from "../../../contract/texts/languages.ts";

/** A mail by the name of its template, with the values that fill it in. */
export interface TemplatedMail<Name extends string = string> {
  to: string;
  template: Name;
  /** Absent: the language of the recipient's account. */
  language?: Language | undefined;
  facts: Readonly<Record<string, string | readonly string[]>>;
}

/** Sends mails with the operator's name and texts. */
export interface TemplatedMailer {
  /** Like `Mailer.send`. */
  send(mail: TemplatedMail): Promise<void>;
}
