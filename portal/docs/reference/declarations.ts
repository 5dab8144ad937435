/** A parameter, field, return value or error, with its type in the language's syntax and the source's description. */
export interface Item {
  name: string;
  type: string;
  text: string;
}

/** A doc comment, in Markdown. */
export interface Doc {
  text: string;
  parameters: Item[];
  fields: Item[];
  returns: Item[];
  errors: Item[];
}

/** A function, method or property with its signature. */
export interface Member extends Doc {
  name: string;
  signature: string;
  /** Set for an overload: it is added to the earlier member of the same name instead of replacing it. */
  addsToFormer?: true;
}

/** A class, type, set of values or module of functions in a library. */
export interface Declaration extends Doc {
  name: string;
  signature: string;
  members: Member[];
  /** The path relative to the folder of the library. */
  file: string;
}

export interface SourceFile {
  path: string;
  text: string;
}

export const noDoc = (text = ""): Doc => ({ text, parameters: [], fields: [], returns: [], errors: [] });

/**
 * Declarations by name. Parts of a class from several files are merged into one declaration. A later member replaces an
 * earlier one of the same name, unless it has `addsToFormer`.
 */
export class Declarations {
  readonly #all = new Map<string, Declaration>();

  add(declaration: Declaration): Declaration {
    const before = this.#all.get(declaration.name);
    if (before === undefined) {
      this.#all.set(declaration.name, declaration);
      return declaration;
    }
    before.text ||= declaration.text;
    before.signature ||= declaration.signature;
    const former = new Map(before.members.map((member) => [member.name, member]));
    before.members = merged(
      before.members,
      declaration.members.map((member) => added(member, former.get(member.name))),
    );
    before.fields = merged(before.fields, declaration.fields);
    return before;
  }

  all(): Declaration[] {
    return [...this.#all.values()];
  }
}

const added = (member: Member, former: Member | undefined): Member =>
  former === undefined || member.addsToFormer === undefined
    ? member
    : { ...member, signature: `${former.signature}\n${member.signature}`, parameters: former.parameters };

function merged<T extends { name: string }>(earlier: readonly T[], later: readonly T[]): T[] {
  return [...new Map([...earlier, ...later].map((each) => [each.name, each])).values()];
}

/**
 * The lines of the statement that begins at `from`. It ends with the first line for which `ends` is true and after
 * which no bracket is open, except a `{` at the end of the line.
 */
export function statement(lines: readonly string[], from: number, ends: (line: string) => boolean): string[] {
  let open = 0;
  for (let at = from; at < lines.length; at++) {
    const line = lines[at] ?? "";
    for (const character of line.replace(/=>/g, "").replace(/(["'`]).*?\1/g, "")) {
      if ("([{".includes(character)) open++;
      if (")]}".includes(character)) open--;
    }
    if ((open <= 0 || (open === 1 && line.endsWith("{"))) && ends(line)) return lines.slice(from, at + 1);
  }
  return lines.slice(from);
}

/** Splits a text at separators outside brackets. Trims the parts and drops empty ones. */
export function splitOutside(text: string, separator: string): string[] {
  const parts = [""];
  let open = 0;
  for (const [at, character] of [...text].entries()) {
    const isArrow = character === ">" && "=-".includes(text[at - 1] ?? "");
    if ("([{<".includes(character)) open++;
    if (")]}".includes(character) || (character === ">" && !isArrow)) open--;
    if (character === separator && open === 0) parts.push("");
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

/** The text between the first parenthesis and the one that closes it. Empty if there is none. */
export function insideBrackets(signature: string): string {
  const start = signature.indexOf("(");
  let open = 0;
  for (let at = start; at >= 0 && at < signature.length; at++) {
    if (signature[at] === "(") open++;
    if (signature[at] === ")") open--;
    if (open === 0) return signature.slice(start + 1, at);
  }
  return "";
}

export const oneLine = (lines: readonly string[]): string =>
  lines
    .map((line) => line.trim())
    .join(" ")
    .replace(/([([{]) /g, "$1")
    .replace(/,? ([)\]])/g, "$1");

/** Joins the lines of a comment into paragraphs, which empty lines separate. Keeps the lines of indented code. */
export const paragraphs = (lines: readonly string[]): string => {
  const parts = lines.join("\n").split(/\n\s*\n/);
  return parts
    .map((part) => (/^ {4}/.test(part) ? part : part.replace(/\s*\n\s*/g, " ").trim()))
    .filter((part) => part.trim() !== "")
    .join("\n\n");
};

/** Removes the common indentation of all lines. */
export function dedented(lines: readonly string[]): string {
  const indents = lines.filter((line) => line.trim() !== "").map((line) => /^\s*/.exec(line)?.[0].length ?? 0);
  const indent = Math.min(...indents);
  return lines.map((line) => line.slice(indent)).join("\n");
}
