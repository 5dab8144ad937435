import type { FileColumns, Row } from "./row.ts";

/** The maximum number of names that are recorded for checking the columns. */
const maxNames = 1000;

/** Reads JSON objects as rows. A column is the name of a property; `artist.name` names a nested property. */
export class JsonObjects {
  readonly #columns: FileColumns;
  readonly #names = new Set<string>();

  constructor(columns: FileColumns) {
    this.#columns = columns;
  }

  /** The names of the top-level and of the requested properties so far, about 1,000 at most. */
  get names(): string[] {
    return [...this.#names];
  }

  /** Parses the text of one object. `noun`: the text's name in the row's problem, "line" or "element". */
  row(text: string, line: number, noun: string, raw = text): Row {
    const malformed = (problem: string): Row => ({ line, values: [], problem, raw: () => raw });
    let value: unknown;
    try {
      value = parseJson(text);
    } catch (error) {
      return malformed(`the ${noun} is not JSON: ${(error as Error).message}`);
    }
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return malformed(`the ${noun} is not a JSON object`);
    const object = value as Record<string, unknown>;
    if (this.#names.size < maxNames) for (const name of Object.keys(object)) this.#names.add(name);
    let problem: string | null = null;
    const { all, amounts, lists } = this.#columns;
    const values = all.map((column) => {
      const cell = this.#cell(object, column);
      if (typeof cell === "string") return cell;
      if (typeof cell === "object" && cell !== null) problem ??= structureProblem(column, cell, lists);
      return typeof cell === "number" && amounts.includes(column) ? amountText(cell) : cellText(cell);
    });
    return { line, values, problem, raw: () => raw };
  }

  #cell(object: Record<string, unknown>, column: string): unknown {
    if (Object.hasOwn(object, column)) return object[column];
    let value: unknown = object;
    for (const name of column.split(".")) {
      if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return "";
      value = (value as Record<string, unknown>)[name];
    }
    if (this.#names.size < maxNames) this.#names.add(column);
    return value;
  }
}

/** Parses JSON. Returns integers that are too long for JavaScript, such as ids, as text. */
function parseJson(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_name, value: unknown, context?: { source?: string }) =>
    typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? "")
      ? context?.source
      : value,
  );
}

/** Formats an amount. Adds a fourth decimal to three, so that 1.299 is not read as thousands. */
const amountText = (value: number): string => String(value).replace(/\.\d{3}$/, "$&0");

/** The reason why an object or list cannot be read in a column; null for a list of texts and numbers where allowed. */
function structureProblem(column: string, value: object, lists: readonly string[]): string | null {
  const name = `the property ${column}`;
  if (!Array.isArray(value))
    return `${name} is an object, where a text or number is read; name the part in the mapping, such as ${column}.name`;
  if (!lists.includes(column)) return `${name} is a list, where one text or number is read`;
  return value.some((item) => typeof item === "object" && item !== null)
    ? `${name} is a list with objects or lists in it; only texts and numbers can be read`
    : null;
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
