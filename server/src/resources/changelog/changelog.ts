import { entries } from "./entries.ts";
import type { ChangelogEntry } from "./entry.ts";

/** Newest first. */
export const changelog: readonly ChangelogEntry[] = entries;

/** Where a reader finds an entry on this site. */
export const entryPath = ({ id }: Pick<ChangelogEntry, "id">): string => `/changelog#${id}`;
