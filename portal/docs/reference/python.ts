import {
  type Declaration,
  Declarations,
  type Doc,
  type Item,
  insideBrackets,
  noDoc,
  oneLine,
  paragraphs,
  type SourceFile,
  splitOutside,
  statement,
} from "./declarations.ts";

/** Scans Python in this project's format for declarations with docstrings in Google's style. */
export function scanPython(files: readonly SourceFile[]): Declaration[] {
  const declarations = new Declarations();
  for (const { path, text } of files) {
    const lines = text.split("\n");
    for (const [at, line] of lines.entries()) {
      const alias =
        /^(?: {4})?([A-Z]\w+)(?:: TypeAlias)? = (?:Literal|Callable|str \||bytes|Union|Mapping|BeatMarket|AsyncBeatMarket|\($)/.exec(
          line,
        );
      if (alias !== null) {
        const signatureLines = statement(lines, at, () => true);
        const indent = line.search(/\S/);
        declarations.add({
          ...noDoc(docstring(lines, at + signatureLines.length).text),
          name: alias[1] ?? "",
          signature: signatureLines.map((each) => each.slice(indent)).join("\n"),
          file: path,
          members: [],
        });
      }
      const [, name] = /^class (\w+)/.exec(line) ?? [];
      if (name === undefined) continue;
      const next = lines.findIndex((later, index) => index > at && /^[^\s#)]/.test(later));
      const body = lines.slice(0, next === -1 ? lines.length : next);
      const declaration: Declaration = {
        ...parsed(docstring(lines, at + 1).lines),
        name,
        signature: oneLine([line.replace(/:$/, "")]).replace(/generated\.|_?\w+Base\b/g, ""),
        file: path,
        members: [],
      };
      members(body, at + 1, declaration);
      declarations.add(declaration);
    }
  }
  return declarations.all();
}

/** Adds the fields and methods of a class to its declaration. `from` is the line after the class's name. */
function members(lines: readonly string[], from: number, declaration: Declaration): void {
  let isProperty = false;
  let isOverload = false;
  for (let at = from; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (line.startsWith("    @")) {
      isProperty ||= line.includes("property");
      isOverload ||= line.includes("overload");
      continue;
    }
    const attribute =
      /^ {4}([a-z]\w*): (.+?)(?: = .+)?$/.exec(line) ?? /^ {8}self\.([a-z]\w*)(?:: (.+?))? = /.exec(line);
    if (attribute !== null) {
      const [, name = "", type = ""] = attribute;
      const doc = docstring(lines, at + 1).text;
      const isDeclared = line.startsWith("    self") === false && /^ {4}[a-z]/.test(line);
      if ((isDeclared && !type.startsWith("ClassVar")) || doc !== "")
        declaration.fields.push({ name, type, text: doc });
      continue;
    }
    const [, prefix = "", name] = /^ {4}(async )?def (\w+)\(/.exec(line) ?? [];
    if (name === undefined) continue;
    const signatureLines = statement(lines, at, (end) => end.endsWith(":") || end.endsWith(": ..."));
    const isShown = !name.startsWith("_") || (name === "__init__" && /^(?:Async)?BeatMarket$/.test(declaration.name));
    if (isShown && !isOverload) {
      const doc = parsed(docstring(lines, at + signatureLines.length).lines);
      const type = / -> (.+?):(?: \.\.\.)?$/.exec(signatureLines.at(-1) ?? "")?.[1] ?? "";
      if (isProperty) declaration.fields.push({ name, type, text: doc.text });
      else {
        const displayName = name === "__init__" ? declaration.name : name;
        const parameters = parametersOf(oneLine(signatureLines), doc.parameters);
        const returns =
          type === "" || type === "None" || doc.returns.length > 0 ? doc.returns : [{ name: "", type, text: "" }];
        const signature = signatureOf(`${prefix}def ${displayName}`, parameters, oneLine(signatureLines), type);
        declaration.members.push({ ...doc, name: displayName, parameters, returns, signature });
      }
    }
    isProperty = false;
    isOverload = false;
    at += signatureLines.length - 1;
  }
}

function signatureOf(start: string, parameters: readonly Item[], signature: string, type: string): string {
  const parameterTexts = splitOutside(insideBrackets(signature), ",").filter(
    (each) => each !== "self" && each !== "cls",
  );
  const end = type === "" || type === "None" ? ")" : `) -> ${type}`;
  const line = `${start}(${parameterTexts.join(", ")}${end}`;
  return line.length <= 80 || parameters.length === 0
    ? line
    : `${start}(\n${parameterTexts.map((each) => `    ${each},\n`).join("")}${end}`;
}

const parametersOf = (signature: string, documented: readonly Item[]): Item[] =>
  splitOutside(insideBrackets(signature), ",").flatMap((parameter) => {
    const [, name = "", type = ""] = /^(\**\w+)(?:: ([^=]+?))?(?: = .+)?$/.exec(parameter) ?? [];
    if (name === "" || name === "self" || name === "cls") return [];
    return { name, type, text: documented.find((each) => each.name === name.replace(/^\*+/, ""))?.text ?? "" };
  });

/** The docstring that begins on line `at`, without the quotation marks. */
function docstring(lines: readonly string[], at: number): { text: string; lines: string[] } {
  const first = lines[at] ?? "";
  if (!/^\s+r?"""|^r?"""/.test(first)) return { text: "", lines: [] };
  const indent = /^\s*/.exec(first)?.[0].length ?? 0;
  const isWhole = /""".*"""$/.test(first);
  const end = isWhole ? at : lines.findIndex((line, index) => index > at && line.endsWith('"""'));
  const inner = lines.slice(at, end + 1).map((line) =>
    line
      .slice(indent)
      .replace(/^r?"""/, "")
      .replace(/"""$/, ""),
  );
  return { text: paragraphs(inner), lines: inner };
}

function listOf(doc: Doc, section: string): Item[] {
  if (section === "Args") return doc.parameters;
  return /rai/i.test(section) ? doc.errors : doc.returns;
}

/** Parses the sections of a docstring. A section is an unindented title such as `Args:`, and the items below it. */
function parsed(lines: readonly string[]): Doc {
  const doc = noDoc();
  const text: string[] = [];
  let section = "";
  for (const line of lines) {
    if (/^(?:Args|Returns|Raises|Yields|Every call may raise):$/.test(line)) section = line.slice(0, -1);
    else if (section === "" || (/^\S/.test(line) && line !== "")) {
      section = "";
      text.push(line);
    } else if (line.trim() !== "") {
      const list = listOf(doc, section);
      const [, name = "", description = ""] = /^ {4}(\**\w+): (.+)$/.exec(line) ?? [];
      const last = list.at(-1);
      if (name !== "")
        list.push(
          section === "Args" ? { name, type: "", text: description } : { name: "", type: name, text: description },
        );
      else if (last !== undefined) last.text += ` ${line.trim()}`;
      else list.push({ name: "", type: "", text: line.trim() });
    }
  }
  return { ...doc, text: paragraphs(text) };
}
