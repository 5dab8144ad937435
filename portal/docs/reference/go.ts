import {
  type Declaration,
  Declarations,
  type Item,
  insideBrackets,
  noDoc,
  oneLine,
  paragraphs,
  type SourceFile,
  splitOutside,
  statement,
} from "./declarations.ts";

/**
 * Scans Go in gofmt's format for exported declarations. Functions without a receiver become members of a declaration
 * with the package's name.
 */
export function scanGo(files: readonly SourceFile[]): Declaration[] {
  const declarations = new Declarations();
  for (const { path, text } of files) {
    const lines = text.split("\n");
    const pack = /^package (\w+)$/m.exec(text)?.[1] ?? "";
    for (const [at, line] of lines.entries()) {
      const type = /^type ([A-Z]\w*)(\[.+?\])? (.+)$/.exec(line);
      const text = commentAbove(lines, at);
      if (type !== null) {
        const [, name = "", , definition = ""] = type;
        const isStruct = definition.endsWith("{");
        const signature = `${line.replace(/ ?\{.*$/, "")}`;
        const fields = isStruct ? fieldsOf(lines.slice(0, lines.indexOf("}", at)), at + 1) : [];
        declarations.add({ ...noDoc(text), name, signature, file: path, fields, members: [] });
      }
      const value = /^\t([A-Z]\w*) +([A-Z]\w*) = (".*")$/.exec(line);
      if (value !== null)
        declarations.add({
          ...noDoc(),
          name: value[2] ?? "",
          signature: "",
          file: path,
          members: [],
          fields: [{ name: value[1] ?? "", type: value[3] ?? "", text: "" }],
        });
      const functionMatch = /^func (?:\(\w+ \*?([A-Z]\w*)(?:\[.+?\])?\) )?([A-Z]\w*)/.exec(line);
      if (functionMatch === null || functionMatch[2] === "UnmarshalJSON" || functionMatch[2] === "MarshalJSON")
        continue;
      const signatureLines = statement(lines, at, (end) => /[{}]$/.test(end));
      const signature = oneLine(signatureLines).replace(/ \{.*$/, "");
      const after = signature.replace(/^func (?:\(.*?\) )?/, "");
      const parameters = parametersOf(insideBrackets(after));
      const returnType = after
        .slice(after.indexOf(`(${insideBrackets(after)})`) + insideBrackets(after).length + 2)
        .trim();
      const returns = returnType === "" ? [] : [{ name: "", type: returnType.replace(/^\((.*)\)$/, "$1"), text: "" }];
      const member = { ...noDoc(text), name: functionMatch[2] ?? "", signature, parameters, returns };
      declarations.add({ ...noDoc(), name: functionMatch[1] ?? pack, signature: "", file: path, members: [member] });
    }
  }
  return declarations.all();
}

/** Reads a parameter list, where `a, b int` declares two parameters of one type. */
function parametersOf(list: string): Item[] {
  let type = "";
  return splitOutside(list, ",")
    .reverse()
    .map((parameter) => {
      const [, name = parameter, declaredType] = /^(\w+) (.+)$/.exec(parameter) ?? [];
      type = declaredType ?? type;
      return { name, type, text: "" };
    })
    .reverse();
}

const fieldsOf = (lines: readonly string[], from: number): Item[] =>
  lines.slice(from).flatMap((line, index) => {
    const [, name = "", type = ""] = /^\t([A-Z]\w*)\s+([^`]+?)\s*(?:`.*`)?(?:\s*\/\/.*)?$/.exec(line) ?? [];
    return name === "" ? [] : { name, type: type.replace(/ \{$/, ""), text: commentAbove(lines, from + index) };
  });

function commentAbove(lines: readonly string[], at: number): string {
  let start = at;
  while (/^\s*\/\//.test(lines[start - 1] ?? "")) start--;
  return paragraphs(lines.slice(start, at).map((line) => line.replace(/^\s*\/\/ ?/, "")));
}
