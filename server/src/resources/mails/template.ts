/** A value for a template: a text, or the items of a list. */
export type Facts = Readonly<Record<string, string | readonly string[]>>;

export interface Template {
  /** The recipient and the occasion, for operators. */
  description: string;
  /** The facts of the preview. A text may use only their names, and `site`. */
  sample: Facts;
  /** Whether the mail is optional, so that its reader can unsubscribe from it. */
  isOptional?: true;
}
