import type { Operation } from "../operation.ts";
import { recordText } from "./record.ts";
import { tableText } from "./table.ts";
import { cellOf } from "./text.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The `data` of a response. A response in the console form, or of a proxy, has none. */
const dataOf = (body: unknown): Fields => ((body as { data?: Fields } | null)?.data ?? {}) as Fields;

/** A response in the form for people. */
export function answerText(operation: Operation, body: unknown, width?: number): string {
  const data = dataOf(body);
  const { kind, keys } = operation.result;
  const [key = ""] = keys;
  if (kind === "none" || body === null) return "done";
  if (kind === "data") return recordText(data, width);
  if (kind === "object") {
    const value = data[key];
    return typeof value === "object" && value !== null ? recordText(value as Fields, width) : cellOf(value);
  }
  const lists = keys.map((name) => {
    const items = Array.isArray(data[name]) ? (data[name] as Fields[]) : [];
    const text = items.length === 0 ? `no ${name}` : tableText(items, width);
    return keys.length > 1 ? `${name}\n${text}\n` : text;
  });
  return [...lists, footerOf(data)].filter((part) => part !== "").join("\n");
}

function footerOf({ pagination, next }: Fields): string {
  if (typeof next === "number") return `\nnext position: ${next}`;
  const { total, current_page: page, last_page: last } = (pagination ?? {}) as Fields;
  return typeof last === "number" && last > 1 ? `\npage ${page} of ${last}, ${total} in all (--all shows all)` : "";
}
