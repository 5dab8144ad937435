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

const declared = /^(?:final |abstract |readonly )*(class|trait|interface|enum) (\w+)/;

/** Scans PHP in this project's format for declarations with PHPDoc. A trait `OrdersCalls` is a part of `Orders`. */
export function scanPhp(files: readonly SourceFile[]): Declaration[] {
  const declarations = new Declarations();
  for (const { path, text } of files) {
    const lines = text.split("\n");
    for (const [at, line] of lines.entries()) {
      const [, kind, name = ""] = declared.exec(line) ?? [];
      if (kind === undefined) continue;
      const { isHidden, ...doc } = docAbove(lines, at);
      const isPart = kind === "trait" && /(?:Calls|ClientMethods)$/.test(name);
      if (isHidden && !isPart) continue;
      const className = isPart ? name.replace(/Calls$/, "").replace("ClientMethods", "Client") : name;
      const signature = isPart ? "" : line;
      const declaration: Declaration = {
        ...doc,
        text: isPart ? "" : doc.text,
        name: className,
        signature,
        file: path,
        members: [],
      };
      members(lines.slice(0, lines.indexOf("}", at)), at + 1, declaration);
      declarations.add(declaration);
    }
  }
  return declarations.all();
}

function members(lines: readonly string[], from: number, declaration: Declaration): void {
  for (let at = from; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const { isHidden, ...doc } = docAbove(lines, at);
    const constant = /^ {4}(?:public const|case) (\w+) = (.+);$/.exec(line);
    if (constant !== null && !isHidden && constant[1] !== "FIELDS" && constant[1] !== "EXCEPTIONS")
      declaration.fields.push({ name: constant[1] ?? "", type: constant[2] ?? "", text: doc.text });
    const property = /^ {4}public (?:readonly )?(\S+) \$(\w+);$/.exec(line);
    if (property !== null && !isHidden) {
      const documented = varIn(lines, at);
      declaration.fields.push({
        name: `$${property[2]}`,
        type: documented?.type ?? property[1] ?? "",
        text: documented?.text ?? doc.text,
      });
    }
    const [, name] = /^ {4}(?:(?:final|abstract) )?public (?:static )?function (\w+)\(/.exec(line) ?? [];
    if (name === undefined) continue;
    const signatureLines = statement(lines, at, () => true).map((each) => each.replace(/ ?[{;]$/, ""));
    at += signatureLines.length - 1;
    const parameters = parametersOf(oneLine(signatureLines), doc.parameters);
    if (name === "__construct")
      for (const { name: promoted, type, text } of parameters)
        if (
          signatureLines.some((each) => each.includes("public readonly") && each.includes(promoted)) ||
          (signatureLines.length === 1 && line.includes(`public readonly`) && line.includes(promoted))
        )
          declaration.fields.push({ name: promoted, type, text });
    if (isHidden || (name.startsWith("__") && name !== "__construct")) continue;
    if (name === "__construct" && !/^(?:Client|FakeTransport|Psr18Transport|Webhooks)$/.test(declaration.name))
      continue;
    const signature = dedented(signatureLines.filter((each) => each !== "    ")).replace(
      /#\[\\SensitiveParameter\] /g,
      "",
    );
    const [, type = ""] = /\): (\S+)$/.exec(oneLine(signatureLines)) ?? [];
    const returns =
      doc.returns.length > 0 || type === "" || type === "void" ? doc.returns : [{ name: "", type, text: "" }];
    const displayName = name === "__construct" ? declaration.name : name;
    declaration.members.push({
      ...doc,
      name: displayName,
      signature:
        name === "__construct"
          ? signature.replace("public function __construct", `new ${displayName}`).replace(/public readonly /g, "")
          : signature,
      parameters,
      returns,
    });
  }
}

const parametersOf = (signature: string, documented: readonly Item[]): Item[] =>
  splitOutside(insideBrackets(signature.replace(/#\[\\SensitiveParameter\] /g, "")), ",").flatMap((parameter) => {
    const [, type = "", name = ""] =
      /^(?:(?:public|private|protected) )?(?:readonly )?(?:(\S+) )?(&?(?:\.\.\.)?\$\w+)/.exec(parameter) ?? [];
    if (name === "") return [];
    return documented.find((each) => each.name === name) ?? { name, type, text: "" };
  });

function varIn(lines: readonly string[], at: number): Item | null {
  const commentText = commentAbove(lines, at).join(" ");
  const [, text] = /@var (.+)$/.exec(commentText) ?? [];
  return text === undefined ? null : typed(text.trim());
}

const docAbove = (lines: readonly string[], at: number) => taggedDoc(commentAbove(lines, at), (_, text) => typed(text));

/** Reads `list<int> $ids text`. The type ends at a space outside brackets. */
function typed(tagText: string): Item {
  const [type = "", ...words] = splitTypes(tagText);
  const [, name = "", text = ""] = /^((?:\.\.\.)?\$\w+)?\s*(.*)$/s.exec(words.join(" ")) ?? [];
  return { name, type, text };
}

/** Splits at spaces, but not within a type such as `array<string, mixed>` or `\Closure(int): void`. */
const splitTypes = (text: string): string[] =>
  splitOutside(text.replace(/\): /g, "):\u00a0"), " ").map((part) => part.replaceAll("\u00a0", " "));

function commentAbove(lines: readonly string[], at: number): string[] {
  let end = at - 1;
  while (/^\s*(?:#\[|\/\/)/.test(lines[end] ?? "")) end--;
  if (!(lines[end] ?? "").endsWith("*/")) return [];
  let start = end;
  while (!/^\s*\/\*\*/.test(lines[start] ?? "")) start--;
  return lines
    .slice(start, end + 1)
    .map((line) => line.replace(/^\s*(?:\/\*\*|\*(?!\/)) ?/, "").replace(/\s*\*\/$/, ""));
}
