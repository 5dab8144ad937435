import type { QueuedFacts } from "./facts.ts";

export interface Template {
  /** The recipient and the occasion, for operators. */
  description: string;
  /** The facts of the preview. A text may use only their names, and `site`. */
  sample: QueuedFacts;
  /** Whether the mail is optional, so that its reader can unsubscribe from it. */
  isOptional?: true;
}
