// What a session is called in pg_stat_activity: `beatmarket serve 26`, the command and the number of the last migration
// that its program knows. Every role sees the names of all sessions.

/** PostgreSQL cuts longer names. */
const maxLength = 63;
/** Ends the reader's name, by which an import sees whether the catalogue is being read. */
export const readerSuffix = " reader";

/**
 * The name of a session: the program's, with `known`, and behind it the one that the database's address gives it, if any.
 * `applicationName` is the program's, such as `beatmarket serve`.
 */
export function sessionName(applicationName: string, known: number, own = ""): string {
  const name = `${applicationName} ${known}`;
  return own === "" ? name : `${name} ${own}`.slice(0, maxLength - readerSuffix.length);
}

const named = /^(beatmarket(?: [a-z]+)*)(?: (\d+))?(?: |$)/;

/** The command of a session and the last migration that its program knows, 0 without a number; null for another program. */
export function readSessionName(text: string): { name: string; known: number } | null {
  const [, name, known = "0"] = named.exec(text) ?? [];
  return name === undefined ? null : { name: name.replace(readerSuffix, ""), known: Number(known) };
}
