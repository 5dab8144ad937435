/** Formats a whole number for people: 1,641. Without Intl, whose first call delays a start by tens of milliseconds. */
export const thousands = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, ",");

/** Formats a number with its noun: "1 backup", "1,641 files of the database". */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${thousands(count)} ${count === 1 ? one : many}`;
