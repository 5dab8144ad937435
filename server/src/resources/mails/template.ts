/** What fills in a template: a text, or the items of a list. */
export type Facts = Readonly<Record<string, string | readonly string[]>>;

export interface Template {
  /** Who gets it, and when, for operators. */
  description: string;
  /** The first line is `# ` and the subject. Below it are paragraphs, and items that begin with `- `. */
  text: string;
  /** For the preview. Its names are all that the text may name, and `site`. */
  sample: Facts;
  /** Whether its reader may do without it, and can switch it off. */
  isOptional?: true;
}
