import type { Type } from "../interface/types.ts";

const width = 120;

/** A documentation comment, wrapped as the formatter of this repository leaves it. Empty for no sentences. */
export function documentation(sentences: readonly string[], indent = ""): string {
  const paragraph = sentences.filter((sentence) => sentence !== "").join(" ");
  if (paragraph === "") return "";
  const single = `${indent}/** ${paragraph} */\n`;
  if (single.length <= width + 1) return single;
  const lines: string[] = [];
  let line = "";
  for (const word of paragraph.split(/\s+/)) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (`${indent} * ${longer}`.length > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return `${indent}/**\n${[...lines, line].map((each) => `${indent} * ${each}\n`).join("")}${indent} */\n`;
}

/** `before one | two after`, on one line or with a member on each. */
export function union(before: string, members: readonly string[], after: string): string {
  const single = `${before} ${members.join(" | ")}${after}`;
  if (single.length <= width) return single;
  const indent = /^ */.exec(before)?.[0] ?? "";
  return `${before}${members.map((member) => `\n${indent}  | ${member}`).join("")}${after}`;
}

/** `before(a, b)after`, on one line or with an argument on each. */
export function list(before: string, items: readonly string[], after: string): string {
  const single = `${before}(${items.join(", ")})${after}`;
  if (single.length <= width) return single;
  const indent = /^ */.exec(before)?.[0] ?? "";
  return `${before}(\n${items.map((item) => `${indent}  ${item},\n`).join("")}${indent})${after}`;
}

/** `before { a, b } after`, on one line or with a member on each. */
export function braces(before: string, members: readonly string[], after: string): string {
  const single = `${before}{ ${members.join(", ")} }${after}`;
  if (single.length <= width) return single;
  const indent = /^ */.exec(before)?.[0] ?? "";
  return `${before}{\n${members.map((member) => `${indent}  ${member},\n`).join("")}${indent}}${after}`;
}

export const pascalCase = (name: string): string =>
  name.replace(/(^|[_.])([a-z])/g, (_, __, letter: string) => letter.toUpperCase());
export const camelCase = (name: string): string =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** A model that every client writes by hand, because its type follows from its `type`. */
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
      return type.of.flatMap((one) => members(one, isParameter));
  }
}

/** A parameter may be one value, or a list that the program keeps; of objects only a list. */
function listMembers(items: Type, isParameter: boolean): string[] {
  const of = members(items, isParameter);
  const all = of.length === 1 ? `${of[0]}[]` : `(${of.join(" | ")})[]`;
  if (!isParameter) return [all];
  return items.kind === "model" ? [`readonly ${all}`] : [...of, `readonly ${all}`];
}
