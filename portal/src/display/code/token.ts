/** The languages in which the portal shows code that it makes at run time. */
export type CodeLanguage = "shell" | "javascript" | "python" | "php" | "ruby" | "json";

/** A piece of a line and its colour, a CSS value; without one, that of text. */
export interface Token {
  content: string;
  color?: string | undefined;
}
