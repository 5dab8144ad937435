import type { ClientInterface, FileArgument, FileMethod } from "../interface/types.ts";
import { type Argument, keyOf, param, signature } from "./resources.ts";
import { comment, rdoc } from "./text.ts";

type Kind = FileArgument["kind"];

/**
 * The classes and defaults of arguments. An argument with a default is named, and so is the kind of an upload. Progress
 * is a block.
 */
const kinds: Readonly<Record<Exclude<Kind, "uploadProgress" | "downloadProgress">, Partial<Argument>>> = {
  id: { classes: ["Integer", "String"] },
  text: { classes: ["String"] },
  path: { classes: ["String", "Pathname"] },
  source: { classes: ["String", "Pathname", "IO"] },
  fileKind: { classes: ["String", "Symbol"] },
  uploadKind: { classes: ["String", "Symbol"], isPositional: false },
  filename: { classes: ["String"], isPositional: false, default: "nil" },
  partBytes: { classes: ["Integer"], isPositional: false, default: "PART_BYTES" },
  seconds: { classes: ["Numeric"], isPositional: false, default: "600" },
};

const sourceText = "A path, or an IO, such as a File or a StringIO, which is read from its start and stays open.";

/** The parameters of the block of a method that reports progress. */
export const progressOf = ({ arguments: methodArguments }: FileMethod): string | null => {
  const kind = methodArguments.find(({ name }) => name === "progress")?.kind;
  if (kind === undefined) return null;
  return kind === "uploadProgress" ? "UploadProgress" : "DownloadProgress";
};

/** The arguments of a method, without the block. */
export const fileArguments = ({ arguments: methodArguments, returns }: FileMethod): Argument[] =>
  methodArguments.flatMap(({ name, kind, text }): Argument[] => {
    if (kind === "uploadProgress" || kind === "downloadProgress") return [];
    const defaultCode = kind === "path" && returns.isStreamed ? "nil" : null;
    const description = rdoc(kind === "source" ? `${text} ${sourceText}` : text);
    return [{ name, classes: [], isPositional: true, default: defaultCode, description, ...kinds[kind] }];
  });

/** The methods of a resource that send or receive files. */
export const fileMethods = ({ fileMethods: allMethods }: ClientInterface, resource: string, indent: number): string[] =>
  allMethods.filter((each) => each.resource === resource).map((each) => fileMethod(each, indent));

/** A method that calls a hand-written private one. */
function fileMethod(method: FileMethod, indent: number): string {
  const { method: name, description, permission, arguments: methodArguments, returns, errors } = method;
  const args = fileArguments(method);
  const progress = progressOf(method);
  const about = progress === null ? "" : (methodArguments.find((each) => each.name === "progress")?.text ?? "");
  const results = returns.isStreamed
    ? [`@return [${returns.model}] the file`, "@return [BeatStream] without a path"]
    : [`@return [${returns.isList ? `Array<${returns.model}>` : returns.model}]`];
  const block: Argument = { name: "&progress", classes: [], isPositional: true, default: null, description: "" };
  const passedArguments = [...args.map((each) => each.name), ...(progress === null ? [] : ["progress"])].join(", ");
  return [
    comment(indent, `${description.map((each) => linked(rdoc(each))).join(" ")} ${keyOf({ permission })}`),
    comment(indent, ""),
    ...args.map((each) => comment(indent, linked(param(each)), 2)),
    ...(progress === null ? [] : [comment(indent, linked(rdoc(`@yieldparam progress [${progress}] ${about}`)), 2)]),
    ...results.map((each) => comment(indent, each, 2)),
    ...errors.map((each) => comment(indent, `@raise [${each.name}] ${each.text}`, 2)),
    comment(indent, "@raise [APIStatusError, APIConnectionError]"),
    `${signature(name, progress === null ? args : [...args, block], indent)}`,
    `${" ".repeat(indent + 2)}transfer_${name}(${passedArguments})`,
    `${" ".repeat(indent)}end`,
  ].join("\n");
}

/** Replaces names of other methods of the resource by links. */
const linked = (text: string): string => text.replaceAll(/\+(download|upload|resume|wait)\+/g, "{#$1}");
