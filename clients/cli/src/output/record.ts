import { tableText } from "./table.ts";
import { cellOf, padded, widthOf } from "./text.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The text of an object: a line for each field, then a table for each list of objects. */
export function recordText(fields: Fields, width?: number): string {
  const lists = Object.entries(fields).filter(([, value]) => isListOfObjects(value)) as [string, Fields[]][];
  const facts = Object.entries(fields)
    .filter(([, value]) => !isListOfObjects(value))
    .flatMap(([name, value]) =>
      isNested(value)
        ? Object.entries(value).map(([inner, field]) => ({ name: `${name}.${inner}`, text: cellOf(field) }))
        : [{ name, text: cellOf(value) }],
    )
    .filter(({ text }) => text !== "");
  const longest = Math.max(0, ...facts.map(({ name }) => widthOf(name)));
  const lines = facts.map(({ name, text }) => `${padded(name, longest)}  ${text}`);
  return [lines.join("\n"), ...lists.map(([name, items]) => `\n${name}\n${listText(items, width)}`)]
    .filter((part) => part !== "")
    .join("\n");
}

/**
 * A table of the items. Up to five items with different types, such as licenses, are shown side by side: a column for each
 * item, and a line for each property.
 */
function listText(items: Fields[], width: number | undefined): string {
  const types = items.map(({ type }) => type);
  if (types.length > 5 || !types.every((type) => typeof type === "string") || new Set(types).size < types.length)
    return tableText(items, width);
  const names = [...new Set(items.flatMap((item) => Object.keys(item)))].filter((name) => name !== "type");
  const rows = names.map((name) => ({
    type: name,
    ...Object.fromEntries(items.map((item) => [item.type, item[name]])),
  }));
  return tableText(rows, width);
}

const isListOfObjects = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "object" && item !== null);

const isNested = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !("name" in value || "title" in value);
