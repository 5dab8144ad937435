/** `added`: new operations or events. `changed`: a change of existing ones. */
export const changeKinds = ["added", "changed", "fixed", "deprecated"] as const;

/** One change of the API for developers. */
export interface ChangelogEntry {
  /** The entry's anchor on the page and its identity in the feeds. Never changed. */
  id: string;
  /** The date of the release, in UTC: "2026-11-27". */
  date: string;
  title: string;
  /** Markdown. Links begin with a slash or a scheme. */
  text: string;
  kind: (typeof changeKinds)[number];
  /** Ids of the new or changed operations. */
  operations: readonly string[];
  /** Types of the new or changed events. */
  events: readonly string[];
}

/** The path of an entry on this site. */
export const entryPath = ({ id }: Pick<ChangelogEntry, "id">): string => `/changelog#${id}`;
