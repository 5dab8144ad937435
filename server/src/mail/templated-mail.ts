/** A mail by the name of its template, with the values that fill it in. */
export interface TemplatedMail<Name extends string = string> {
  to: string;
  template: Name;
  /** Of the mail; absent: the one that the recipient has chosen. */
  language?: string | undefined;
  facts: Readonly<Record<string, string | readonly string[]>>;
}

/** Sends mails with the sender's name and texts. */
export interface TemplatedMailer {
  /** Like `Mailer.send`. */
  send(mail: TemplatedMail): Promise<void>;
}
