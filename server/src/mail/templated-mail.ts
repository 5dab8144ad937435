/** A mail by the name of its template, with what fills it in. */
export interface TemplatedMail<Name extends string = string> {
  to: string;
  template: Name;
  facts: Readonly<Record<string, string | readonly string[]>>;
}

/** Sends mails in the name and the words of the operator. */
export interface TemplatedMailer {
  /** As `Mailer.send`. */
  send(mail: TemplatedMail): Promise<void>;
}
