/** Formats a whole number for people: 1,641. */
export const thousands = (value: number): string => value.toLocaleString("en");

/** Formats a number with its noun: "1 backup", "1,641 files of the database". */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${thousands(count)} ${count === 1 ? one : many}`;
