const width = 120;

/** JSON as the formatter of this repository leaves it: objects open, a list on one line where it fits. */
export const json = (value: object): string => `${text(value, "", 0)}\n`;

function text(value: unknown, indent: string, before: number): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.length === 0) return "[]";
    const items = value.map((item) => text(item, inner, inner.length));
    const single = `[${items.join(", ")}]`;
    if (!single.includes("\n") && before + single.length < width) return single;
    return `[\n${items.map((item) => `${inner}${item}`).join(",\n")}\n${indent}]`;
  }
  if (Object.keys(value).length === 0) return "{}";
  const fields = Object.entries(value).map(([name, field]) => {
    const heading = `${inner}${JSON.stringify(name)}: `;
    return `${heading}${text(field, inner, heading.length)}`;
  });
  return `{\n${fields.join(",\n")}\n${indent}}`;
}
