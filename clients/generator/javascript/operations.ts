import type { ClientInterface, Operation } from "../interface/types.ts";
import { braces } from "./text.ts";

/** The table of operations, and the error class of each code. */
export function operations({ operations: allOperations, errorCodes }: ClientInterface): string {
  const rows = allOperations.map((operation) => {
    const { kind, keys } = reading(operation);
    const facts = [`method: "${operation.httpMethod}"`, `path: "${operation.path}"`, `kind: "${kind}"`];
    return `${braces(`  ${operation.id}: `, [...facts, `keys: [${keys.map((key) => `"${key}"`).join(", ")}]`], ",")}\n`;
  });
  const codes = errorCodes.map(({ code, error }) => `  ${code}: "${error}",\n`);
  return `/** What an operation sends, and where its result is in the \`data\` of the response. */
export interface Operation {
  readonly method: string;
  /** Below the base URL, with ids in braces. */
  readonly path: string;
  /** An object or a list under the key, all of \`data\` with lists under the keys, the same in pages, or nothing. */
  readonly kind: "object" | "array" | "data" | "pages" | "none";
  readonly keys: readonly string[];
}

/** @internal */
export const operations = {
${rows.join("")}} as const satisfies Readonly<Record<string, Operation>>;

/** The name of the error of each code of the API. */
export const errorCodes = {
${codes.join("")}} as const;
`;
}

function reading({ result }: Operation): { kind: string; keys: string[] } {
  switch (result.kind) {
    case "object":
    case "array":
      return { kind: result.kind, keys: [result.key] };
    case "positions":
      return { kind: "data", keys: [result.key] };
    case "pages":
      return { kind: "pages", keys: result.items.map(({ key }) => key) };
    case "data":
      return { kind: "data", keys: [] };
    case "none":
    case "file":
      return { kind: "none", keys: [] };
  }
}
