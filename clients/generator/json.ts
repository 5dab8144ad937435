import { Layout } from "./layout.ts";

/** One column less than the formatter's limit, for a comma. */
const layout = new Layout({ columns: 119, indent: "  ", comment: { line: "" }, lastComma: "" });

/** JSON in the style of this repository's formatter: objects on several lines, a list on one line if it fits. */
export const json = (value: object): string => `${text(value, "", "")}\n`;

/** @param before text on the same line before the value */
function text(value: unknown, before: string, indent: string): string {
  if (typeof value !== "object" || value === null) return before + JSON.stringify(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const items = value.map((item) => text(item, "", inner));
    return layout.list(`${before}[`, items, "]", indent);
  }
  const fields = Object.entries(value).map(([name, field]) => inner + text(field, `${JSON.stringify(name)}: `, inner));
  return fields.length === 0 ? `${before}{}` : `${before}{\n${fields.join(",\n")}\n${indent}}`;
}
