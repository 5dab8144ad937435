// What a session is called in pg_stat_activity: `shop serve 26`, the program, its command, and the number of the last migration
// that it knows. Every role sees the names of all sessions.

/** PostgreSQL cuts longer names. */
const maxLength = 63;
/** Ends the reader's name, by which an import sees whether the catalogue is being read. */
export const readerSuffix = " reader";

/**
 * The name of a session: the program's, with `known`, and behind it the one that the database's address gives it, if any.
 * `applicationName` is the program's, such as `shop serve`.
 */
export function sessionName(applicationName: string, known: number | undefined, own = ""): string {
  const name = known === undefined ? applicationName : `${applicationName} ${known}`;
  return own === "" ? name : `${name} ${own}`.slice(0, maxLength - readerSuffix.length);
}

/** The first word of a session's name. */
const programOf = (applicationName: string): string => applicationName.split(" ", 1)[0] ?? "";

/** The command of a session of a program and the last migration that it knows, 0 without a number; null for another program. */
export function readSessionName(program: string, text: string): { name: string; known: number } | null {
  if (programOf(text) !== program) return null;
  const [, name, known = "0"] = /^([^ ]+(?: [a-z]+)*)(?: (\d+))?(?: |$)/.exec(text) ?? [];
  return name === undefined ? null : { name: name.replace(readerSuffix, ""), known: Number(known) };
}
