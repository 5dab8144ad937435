/** Aligns the columns of rows; the first row holds the column names. */
export function tableText(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** ISO 8601 in UTC, whole seconds. */
export const wholeSecondsUtc = (date: Date | null): string | null => date && `${date.toISOString().slice(0, 19)}Z`;
