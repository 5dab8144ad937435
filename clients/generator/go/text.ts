import { goName } from "../../../contract/snippets/languages/go-name.ts";
import type { Type } from "../interface/types.ts";
import { Layout } from "../layout.ts";

export const notice = "// Code generated from contract/openapi.json by npm run contract. DO NOT EDIT.\n";

export { goName };

/** Converts `beat_id` to beatID, and `month` to month. */
export const goArgument = (name: string): string => {
  const [first = "", ...words] = name.split("_");
  return first + goName(words.join("_"));
};

const layout = new Layout({ columns: 110, indent: "\t", comment: { line: "// " } });

/** A comment above a declaration; empty if there are no sentences. */
export const comment = (sentences: readonly string[], indent = ""): string =>
  layout.comment([sentences.filter(Boolean).join(" ")], indent);

/** A sentence about the API key that an operation needs. */
export function keyOf({ permission, isOfTestMode }: { permission: string | null; isOfTestMode?: boolean }): string {
  if (isOfTestMode) return "It needs a test key.";
  return permission === null ? "No API key is needed." : `Permission: ${permission}.`;
}

/** The Go type of a value. A union, like any JSON value, is a Value, which keeps its JSON. */
export function typeName(type: Type): string {
  switch (type.kind) {
    case "integer":
      return "int";
    case "number":
      return "float64";
    case "boolean":
      return "bool";
    case "timestamp":
      return "Time";
    case "any":
    case "union":
      return "Value";
    case "enum":
    case "model":
      return type.name;
    case "list":
      return `[]${typeName(type.items)}`;
    case "map":
      return `map[string]${typeName(type.values)}`;
    default:
      return "string";
  }
}

/**
 * A structure in gofmt's format. Empty lines separate the fields, so that gofmt does not align them.
 * @param members fields with their comments
 */
export const structure = (name: string, about: readonly string[], members: readonly string[]): string =>
  `${comment(about)}type ${name} struct {\n${members.join("\n")}}\n`;
