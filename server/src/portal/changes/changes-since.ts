import type { ChangelogEntry } from "../../resources/changelog/entry.ts";

/** A change, and those of its operations that the account has not called since. */
interface ChangeSince {
  entry: ChangelogEntry;
  operations: string[];
}

/**
 * The entries about operations that were there before, dated on the day of the account's last call of them or later: of that day it
 * is not known which came first.
 */
export const changesSince = (
  entries: readonly ChangelogEntry[],
  lastDays: ReadonlyMap<string, string>,
): ChangeSince[] =>
  entries
    .filter(({ kind }) => kind !== "added")
    .map((entry) => ({
      entry,
      operations: entry.operations.filter((operation) => (lastDays.get(operation) ?? "9999") <= entry.date),
    }))
    .filter(({ operations }) => operations.length > 0);
