/** The values of a text with commas, without the empty ones. */
export const valuesOf = (text: string): string[] =>
  text
    .split(",")
    .map((value) => value.trim())
    .filter((value) => value !== "");

/** A list as it is sent. */
export const listOf = (values: readonly string[]): string => values.join(",");
