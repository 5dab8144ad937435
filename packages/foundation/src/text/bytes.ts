const units = ["B", "kB", "MB", "GB"];

/** Formats a number of bytes for people: 500 MB, 8.4 MB, 19 B. */
export function formatBytes(bytes: number): string {
  const power = Math.max(
    0,
    units.findLastIndex((_, index) => bytes >= 1_000 ** index),
  );
  return `${Number((bytes / 1_000 ** power).toFixed(1))} ${units[power]}`;
}
