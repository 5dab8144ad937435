const units = ["B", "kB", "MB", "GB"];

/** A number of bytes as people read it: 500 MB, 8.4 MB, 19 B. */
export function bytesInWords(bytes: number): string {
  const power = Math.max(
    0,
    units.findLastIndex((_, index) => bytes >= 1_000 ** index),
  );
  return `${Number((bytes / 1_000 ** power).toFixed(1))} ${units[power]}`;
}
