import {
  type Declaration,
  Declarations,
  dedented,
  type Item,
  insideBrackets,
  oneLine,
  type SourceFile,
  splitOutside,
  statement,
} from "./declarations.ts";
import { taggedDoc } from "./tags.ts";

/** Scans Ruby in this project's format for declarations with YARD's tags. `Calls` is a part of `Client`. */
export function scanRuby(files: readonly SourceFile[]): Declaration[] {
  const declarations = new Declarations();
  for (const { path, text } of files) {
    const lines = text.split("\n");
    for (const [at, line] of lines.entries()) {
      const struct = /^ {2}([A-Z]\w+) = Struct\.new\(/.exec(line);
      const [, indent = "", kind, name = ""] = /^( +)(class|module) ([A-Z]\w+)/.exec(line) ?? [];
      if (struct === null && kind === undefined) continue;
      const { isHidden, ...doc } = docAbove(lines, at);
      if (isHidden) continue;
      if (struct !== null) {
        declarations.add({
          ...doc,
          name: struct[1] ?? "",
          signature: `${struct[1]} = Struct`,
          file: path,
          members: [],
        });
        continue;
      }
      if (name === "Resources" || name === "BeatMarket") continue;
      const isOneLine = line.includes("; end");
      const end = isOneLine ? at : lines.findIndex((later, index) => index > at && later === `${indent}end`);
      const className = name === "Calls" ? "Client" : name;
      const signature = name === "Calls" ? "" : line.trim().replace(/; end$/, "");
      const declaration: Declaration = { ...doc, name: className, signature, file: path, members: [] };
      members(lines.slice(0, end), at + 1, `${indent}  `, declaration);
      declarations.add(declaration);
    }
  }
  return declarations.all();
}

function members(lines: readonly string[], from: number, indent: string, declaration: Declaration): void {
  for (let at = from; at < lines.length; at++) {
    const line = lines[at] ?? "";
    // Deeper lines belong to methods and nested classes.
    if (!line.startsWith(indent) || line[indent.length] === " ") continue;
    if (/^\s*(?:private|protected)$/.test(line)) return;
    const { isHidden, ...doc } = docAbove(lines, at);
    if (isHidden) continue;
    const constant = /^\s*([A-Z][A-Z_]+) = (.+)$/.exec(line);
    if (constant !== null && doc.text !== "")
      declaration.fields.push({ name: constant[1] ?? "", type: "", text: doc.text });
    for (const name of /^\s*attr_reader (.+)$/.exec(line)?.[1]?.split(", ") ?? []) {
      const { type = "", text = "" } = doc.returns[0] ?? {};
      declaration.fields.push({ name: name.replace(":", ""), type, text: text || doc.text });
    }
    const [, name] = /^\s*def ((?:self\.)?[\w?![\]=]+)/.exec(line) ?? [];
    if (name === undefined || !hasDoc(lines, at)) continue;
    const signatureLines = statement(lines, at, () => true);
    at += signatureLines.length - 1;
    const isNew = name === "initialize";
    if (isNew && declaration.name !== "Client") continue;
    const signature = headOf(dedented(signatureLines));
    const displayName = isNew ? `${declaration.name}.new` : name.replace("self.", "");
    const documented = doc.parameters;
    const inSignature = splitOutside(insideBrackets(oneLine(signatureLines)), ",").map((each) =>
      each.replace(/[:= ].*$/, ""),
    );
    const parameters = inSignature.filter(
      (each) => !documented.some((parameter) => parameter.name === each.replace(/^[*&]+/, "")) && !each.startsWith("&"),
    );
    declaration.members.push({
      ...doc,
      name: displayName,
      signature: signature.replace("def initialize", `def ${displayName}`),
      parameters: [...documented, ...parameters.map((each): Item => ({ name: each, type: "", text: "" }))],
    });
  }
}

/** The signature without the body of a one-line method. */
function headOf(signature: string): string {
  const [name = ""] = /^def [^\s(]+/.exec(signature) ?? [];
  return signature[name.length] === "(" ? `${name}(${insideBrackets(signature)})` : name;
}

const hasDoc = (lines: readonly string[], at: number): boolean => /^\s*#/.test(lines[at - 1] ?? "");

function docAbove(lines: readonly string[], at: number) {
  let start = at;
  while (/^\s*#(?! frozen_string)/.test(lines[start - 1] ?? "")) start--;
  const comment = lines.slice(start, at).map((line) => markdown(line.replace(/^\s*# ?/, "")));
  return taggedDoc(
    comment.map((line) => line.replace(/^ {2}(?=@)/, "")),
    (tag, text) => {
      const isNamed = tag === "param" || tag === "yieldparam";
      const [, name = "", type = "", description = ""] =
        (isNamed ? /^(\S+) \[(.+?)\](?: (.*))?$/ : /^()\[(.+?)\](?: (.*))?$/).exec(text) ?? [];
      return { name: name.replace(/^`|`$/g, ""), type, text: description };
    },
  );
}

/** Converts RDoc's markup to Markdown: `+code+`, `<tt>code</tt>`, `{Link}`. */
const markdown = (line: string): string =>
  line
    .replace(/<tt>(.+?)<\/tt>/g, "`$1`")
    .replace(/(?<![\w`])\+([^\s+](?:[^+]*[^\s+])?)\+(?!\w)/g, "`$1`")
    .replace(/\{((?:\w+)?[#\w:]+)\}/g, "`$1`")
    // RDoc indents code by two spaces, Markdown by four.
    .replace(/^ {2}(?=[^\s@])/, "    ");
