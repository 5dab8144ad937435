/** Splits a text at commas, without empty values. */
export const valuesOf = (text: string): string[] =>
  text
    .split(",")
    .map((value) => value.trim())
    .filter((value) => value !== "");

/** Joins values with commas, as the API takes them. */
export const listOf = (values: readonly string[]): string => values.join(",");
