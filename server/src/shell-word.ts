/** A word of a command line, as a POSIX shell takes it. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
