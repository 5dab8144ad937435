import type { Type } from "../interface/types.ts";
import { blockComment, Layout } from "../layout.ts";

const layout = new Layout({ indent: "  ", comment: blockComment });

/** A documentation comment in the style of this repository's formatter; empty if there are no sentences. */
export const documentation = (sentences: readonly string[], indent = ""): string =>
  layout.comment([sentences.filter(Boolean).join(" ")], indent);

/** The union `before one | two after`, on one line or with a member on each line. */
export function union(before: string, members: readonly string[], after: string): string {
  const single = `${before} ${members.join(" | ")}${after}`;
  if (layout.fits(single)) return single;
  const indent = /^ */.exec(before)?.[0] ?? "";
  return `${before}${members.map((member) => `\n${indent}  | ${member}`).join("")}${after}`;
}

/** The list `before(a, b)after`, with the indentation of `before`. */
export const list = (before: string, items: readonly string[], after: string): string =>
  bracketed(`${before}(`, items, `)${after}`, "");

/** The list `before{ a, b }after`, with the indentation of `before`. */
export const braces = (before: string, members: readonly string[], after: string): string =>
  bracketed(`${before}{`, members, `}${after}`, " ");

function bracketed(before: string, items: readonly string[], after: string, padding: string): string {
  const [indent = ""] = /^ */.exec(before) ?? [];
  return indent + layout.list(before.slice(indent.length), items, after, indent, padding);
}

/** Models with another name in this client. `Event` is a union, whose members differ by the field `type`. */
const modelNames: Readonly<Record<string, string>> = { Event: "WebhookEvent" };

export const modelName = (name: string): string => modelNames[name] ?? name;

/** The members of a TypeScript type. */
export function members(type: Type, isParameter = false): string[] {
  switch (type.kind) {
    case "integer":
    case "number":
      return ["number"];
    case "boolean":
      return ["boolean"];
    case "timestamp":
      return isParameter ? ["string", "Date"] : ["string"];
    case "string":
    case "url":
      return ["string"];
    case "any":
      return ["unknown"];
    case "enum":
      return [type.name];
    case "model":
      return [modelName(type.name)];
    case "list":
      return listMembers(type.items, isParameter);
    case "map":
      return [`Record<string, ${members(type.values).join(" | ")}>`];
    case "union":
      return type.members.flatMap((memberType) => members(memberType, isParameter));
  }
}

/** The type of a list. A parameter may also be a single value, or a read-only list; for objects only a list. */
function listMembers(items: Type, isParameter: boolean): string[] {
  const itemMembers = members(items, isParameter);
  const listType = itemMembers.length === 1 ? `${itemMembers[0]}[]` : `(${itemMembers.join(" | ")})[]`;
  if (!isParameter) return [listType];
  return items.kind === "model" ? [`readonly ${listType}`] : [...itemMembers, `readonly ${listType}`];
}
