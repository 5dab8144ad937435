/** `added`: operations or events that are new. `changed`: something about those that were there. */
export const changeKinds = ["added", "changed", "fixed", "deprecated"] as const;

/** One change of the API that developers notice. */
export interface ChangelogEntry {
  /** Its anchor on the page, and its identity in the feeds: never changed. */
  id: string;
  /** When it came, in UTC: "2026-11-27". */
  date: string;
  title: string;
  /** Markdown. Links begin with a slash or a scheme. */
  text: string;
  kind: (typeof changeKinds)[number];
  /** Ids of the operations that it is about. */
  operations: readonly string[];
  /** Types of the events that it is about. */
  events: readonly string[];
}

/** Where a reader finds an entry on this site. */
export const entryPath = ({ id }: Pick<ChangelogEntry, "id">): string => `/changelog#${id}`;
