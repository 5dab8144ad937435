import {
  type Declaration,
  Declarations,
  dedented,
  type Item,
  insideBrackets,
  noDoc,
  paragraphs,
  type SourceFile,
  splitOutside,
  statement,
} from "./declarations.ts";

const declared = /^(?:export )?(?:declare )?(?:abstract )?(class|interface|type|async function|function) (\w+)/;
const hidden = /^ {2}(?:private|protected|declare|#|static \{|\*|\/|\})/;

/**
 * Scans TypeScript in this project's format for declarations. Functions of webhooks.ts and testing.ts become members of
 * `webhooks` and `testing`.
 */
export function scanJavascript(files: readonly SourceFile[]): Declaration[] {
  const declarations = new Declarations();
  for (const { path, text } of files) {
    const lines = text.split("\n");
    for (const [at, line] of lines.entries()) {
      const [, kind, name = ""] = declared.exec(line) ?? [];
      if (kind === undefined) continue;
      const doc = noDoc(commentAbove(lines, at));
      if (kind.endsWith("function")) {
        const [, module] = /^(webhooks|testing)\.ts$/.exec(path) ?? [];
        if (module === undefined || !line.startsWith("export")) continue;
        const signature = head(statement(lines, at, (end) => end.endsWith("{")).join("\n")).replace("export ", "");
        const member = { ...doc, name, signature, parameters: parametersOf(signature) };
        declarations.add({ ...noDoc(), name: module, signature: "", file: path, members: [member] });
        continue;
      }
      if (kind === "type") {
        const signature = statement(lines, at, (end) => end.endsWith(";"))
          .join("\n")
          .replace("export ", "");
        declarations.add({ ...doc, name, signature, file: path, members: [] });
        continue;
      }
      const end = line.endsWith("{}") ? at : lines.indexOf("}", at);
      const opening = statement(lines, at, (last) => /\{\}?$/.test(last));
      const signature = head(opening.join(" ").replace("{}", "{")).replace("export ", "");
      const body = lines.slice(0, end);
      declarations.add({ ...doc, name, signature, file: path, ...membersOf(body, at + opening.length) });
    }
  }
  return declarations.all();
}

function membersOf(lines: readonly string[], from: number): Pick<Declaration, "members" | "fields"> {
  const fields: Item[] = [];
  const members = new Map<string, Declaration["members"][number]>();
  for (let at = from; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (!/^ {2}\S/.test(line) || hidden.test(line)) continue;
    const signatureLines = statement(lines, at, (end) => /[;{]$/.test(end));
    const text = commentAbove(lines, at);
    if (text.includes("@internal")) {
      at += signatureLines.length - 1;
      continue;
    }
    const property = /^ {2}(?:override )?(?:readonly )?(\w+)([?!]?): (.+);$/s.exec(signatureLines.join("\n"));
    const getter = /^ {2}(?:override )?get (\w+)\(\): (.+) \{$/.exec(line);
    const method = /^ {2}(?:override |async )*((?:static )?(?:\w+|\[Symbol\.\w+\]))(?:<[^(]+>)?\(/.exec(line);
    at += signatureLines.length - 1;
    if (property !== null) {
      const [, name = "", mark, type = ""] = property;
      const isOptional = mark === "?";
      fields.push({
        name: isOptional ? `${name}?` : name,
        type: dense(type).replace(isOptional ? / \| undefined$/ : "", ""),
        text,
      });
    } else if (getter !== null) fields.push({ name: getter[1] ?? "", type: getter[2] ?? "", text });
    else if (method?.[1] !== undefined) {
      const name = method[1];
      const signature = head(dedented(signatureLines)).replace(/^override /gm, "");
      const before = members.get(name);
      // Callers see the overloads, not the implementation after them.
      const isImplementation = before !== undefined && signatureLines.at(-1)?.endsWith("{") === true;
      if (before === undefined)
        members.set(name, { ...noDoc(text), name, signature, parameters: parametersOf(signature) });
      else if (signature.includes("Parameters<")) before.addsToFormer = true;
      else if (!isImplementation) before.signature += `\n${signature}`;
    }
  }
  return { fields, members: [...members.values()] };
}

const head = (text: string): string => text.replace(/ ?[{;]$/, "");

const dense = (text: string): string => text.replace(/\s*\n\s*/g, " ");

const parametersOf = (signature: string): Item[] =>
  splitOutside(dense(insideBrackets(signature)), ",").map((parameter) => {
    const [, name = parameter, type = "", preset] = /^([\w.]+\??): (.+?)(?: = (.+))?$/.exec(parameter) ?? [];
    const untyped = /^(\w+) = (.+)$/.exec(parameter);
    if (untyped !== null) return { name: untyped[1] ?? "", type: "", text: `Default: \`${untyped[2]}\`.` };
    return { name, type, text: preset === undefined || preset === "{}" ? "" : `Default: \`${preset}\`.` };
  });

/** The doc comment above the line `at`, also if `//` comments and decorators are between. Empty if there is none. */
function commentAbove(lines: readonly string[], at: number): string {
  let end = at - 1;
  while (/^\s*(?:\/\/|@)/.test(lines[end] ?? "")) end--;
  if (!(lines[end] ?? "").endsWith("*/")) return "";
  let start = end;
  while (!/^\s*\/\*\*/.test(lines[start] ?? "")) start--;
  const comment = lines
    .slice(start, end + 1)
    .map((line) => line.replace(/^\s*(?:\/\*\*|\*(?!\/)) ?/, "").replace(/\s*\*\/$/, ""));
  return paragraphs(comment);
}
