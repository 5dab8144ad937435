import { cellOf, clipped, padded, widthOf } from "./text.ts";

type Row = Readonly<Record<string, unknown>>;

const gap = 2;
/** Several columns are not cut further than this. If the table is still too wide, its last columns are left out. */
const minWidth = 24;
/** On a terminal, wider columns are always cut. */
const maxWidth = 48;

/** Items of a list as a table that fits into `width` columns, with cells cut and the last columns omitted if needed. */
export function tableText(items: readonly Row[], width = Number.POSITIVE_INFINITY): string {
  const names = [...new Set(items.flatMap((item) => Object.keys(item)))];
  const columns = names
    .map((name) => ({ name, cells: items.map((item) => cellOf(item[name])) }))
    .filter(({ cells }) => cells.some((cell) => cell !== "" && !isAddress(cell)))
    .map((column) => ({ ...column, width: Math.max(...[column.name, ...column.cells].map(widthOf)) }));
  if (Number.isFinite(width)) fit(columns, width);
  const line = (cell: (column: (typeof columns)[number]) => string) =>
    columns
      .map((column) => padded(clipped(cell(column), column.width), column.width + gap))
      .join("")
      .trimEnd();
  return [line(({ name }) => name), ...items.map((_, row) => line(({ cells }) => cells[row] ?? ""))].join("\n");
}

/** Addresses would fill the table. --json and the view of one item have them. */
const isAddress = (cell: string): boolean => /^https?:\/\//.test(cell);

/** Cuts long columns first, then omits the last columns. */
function fit(columns: { width: number }[], width: number): void {
  const total = () => columns.reduce((sum, column) => sum + column.width + gap, -gap);
  for (const column of columns) column.width = Math.min(column.width, maxWidth);
  while (total() > width) {
    const longest = columns.reduce((one, column) => (column.width > one.width ? column : one));
    if (longest.width > minWidth) longest.width -= 1;
    else if (columns.length > 1) columns.pop();
    else {
      longest.width = Math.max(1, width);
      return;
    }
  }
}
