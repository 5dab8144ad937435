// The names of sessions in pg_stat_activity, such as `shop serve 26`: the program, its command and the number of its
// last migration. Every role sees the names of all sessions.

/** PostgreSQL truncates longer names. */
const maxLength = 63;
/** The suffix of the reader's session. By this session, other processes see that the program serves reads. */
export const readerSuffix = " reader";

/**
 * The name of a session: `applicationName` (such as `shop serve`), then the number of the last migration, then the name
 * in the database's address, if any.
 */
export function sessionName(applicationName: string, lastMigration: number | undefined, nameInAddress = ""): string {
  const name = lastMigration === undefined ? applicationName : `${applicationName} ${lastMigration}`;
  return nameInAddress === "" ? name : `${name} ${nameInAddress}`.slice(0, maxLength - readerSuffix.length);
}

/** The first word of a session's name. */
const programOf = (applicationName: string): string => applicationName.split(" ", 1)[0] ?? "";

/**
 * Parses the name of a session of `program`; null for another program. `lastMigration` is 0 if the name has no number.
 */
export function readSessionName(program: string, text: string): { name: string; lastMigration: number } | null {
  if (programOf(text) !== program) return null;
  const [, name, lastMigration = "0"] = /^([^ ]+(?: [a-z]+)*)(?: (\d+))?(?: |$)/.exec(text) ?? [];
  return name === undefined ? null : { name: name.replace(readerSuffix, ""), lastMigration: Number(lastMigration) };
}
