import { readFileSync } from "node:fs";
import { InvalidArgumentError } from "commander";
import type { Value } from "./operation.ts";

/** The flag of a value: `--bpm-min`. */
export const flagOf = ({ name }: Value): string => `--${name.replaceAll("_", "-")}`;

/** The name under which commander stores the flag: `bpmMin`. */
export const optionOf = ({ name }: Value): string =>
  name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The placeholder of a flag's value in the help: `<list>`. */
export function placeholderOf({ type, isList }: Value): string {
  if (type === "boolean") return "[true|false]";
  if (isList === true) return "<list>";
  if (type === "json") return "<json>";
  return type === "string" || type === "word" ? "<text>" : "<number>";
}

export function helpOf(value: Value): string {
  const { description, values, default: usual } = value;
  const facts = [
    ...(values === undefined || values.every((text) => description.includes(text)) ? [] : [values.join(", ")]),
    ...(usual === undefined ? [] : [`default ${usual}`]),
  ];
  return facts.length === 0 ? description : `${description} (${facts.join("; ")})`;
}

/** Parses an argument. Throws an InvalidArgumentError that names the accepted values. */
export const parserOf =
  (value: Value) =>
  (text: string): unknown => {
    if (value.isList === true) return text.split(",").map((item) => parseSingle(value, item.trim()));
    return parseSingle(value, text);
  };

function parseSingle({ type }: Value, text: string): unknown {
  switch (type) {
    case "string":
      return text;
    case "word":
      return /^\d{1,15}$/.test(text) ? Number(text) : text;
    case "json":
      return parsedJson(text);
    case "boolean":
      if (text !== "true" && text !== "false") throw new InvalidArgumentError(`It takes true or false.`);
      return text === "true";
    case "integer":
      if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(Number(text)))
        throw new InvalidArgumentError("It takes a whole number.");
      return Number(text);
    case "number":
      if (!/^-?\d+(\.\d+)?$/.test(text)) throw new InvalidArgumentError("It takes a number.");
      return Number(text);
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidArgumentError("It takes JSON.");
  }
}

/** Parses an argument with JSON: the JSON itself, `@file`, or `-` for standard input. */
export const parseJson = (text: string): unknown =>
  parsedJson(text === "-" || text.startsWith("@") ? contentOf(text) : text);

/** Parses the argument of a body, which must be a JSON object. */
export function parseBody(text: string): Record<string, unknown> {
  const body = parseJson(text);
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw new InvalidArgumentError("It takes a JSON object.");
  return body as Record<string, unknown>;
}

function contentOf(text: string): string {
  try {
    return readFileSync(text === "-" ? 0 : text.slice(1), "utf8");
  } catch (error) {
    throw new InvalidArgumentError(`It cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}
