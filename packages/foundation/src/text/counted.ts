/** Formats a whole number for people: 1,641. Without Intl, whose first call delays a start by tens of milliseconds. */
export function thousands(value: number): string {
  const groups: string[] = [];
  let digits = String(Math.abs(value));
  for (; digits.length > 3; digits = digits.slice(0, -3)) groups.unshift(digits.slice(-3));
  return (value < 0 ? "-" : "") + [digits, ...groups].join(",");
}

/** Formats a number with its noun: "1 backup", "1,641 files of the database". */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${thousands(count)} ${count === 1 ? one : many}`;
