import { camelCase, pascalCase } from "../case.ts";
import type { ClientInterface, FileArgument, FileMethod } from "../interface/types.ts";
import { braces, documentation, list } from "./text.ts";

/** The types of positional arguments. All other arguments are fields of the options. */
const types: Partial<Record<FileArgument["kind"], string>> = {
  id: "number | string",
  text: "string",
  path: "string",
  source: "Uploadable",
  fileKind: "FileKind",
};

/** The imports of the hand-written classes and their types, by file. */
export const transferImports: readonly string[] = [
  braces(
    "import ",
    ["type BeatExport", "ExportsTransfers", "type SalesExport", "SalesTransfers"],
    ' from "../exports.ts";',
  ),
  braces(
    "import ",
    ["type DownloadedFile", "type DownloadOptions", "type OrderArchive", "OrdersTransfers"],
    ' from "../orders.ts";',
  ),
  braces(
    "import ",
    ["type TransferOptions", "type Uploadable", "type UploadOptions", "UploadsTransfers"],
    ' from "../uploads.ts";',
  ),
];

/** The base class of a resource. */
export const baseClass = (resource: string, { fileMethods }: ClientInterface): string =>
  fileMethods.some((method) => method.resource === resource) ? `${pascalCase(resource)}Transfers` : "Resource";

/** The type of a method's options. */
function optionsType({ arguments: fileArguments }: FileMethod): string {
  const has = (kind: FileArgument["kind"]): boolean => fileArguments.some((argument) => argument.kind === kind);
  if (has("uploadKind")) return "UploadOptions";
  if (has("uploadProgress")) return "TransferOptions";
  return has("downloadProgress") ? "DownloadOptions" : "CallOptions";
}

/** A method that calls one of its base class. */
export function fileMethod(method: FileMethod): string {
  const { method: name, description, permission, arguments: fileArguments, returns, errors } = method;
  const positional = fileArguments.filter(({ kind }) => kind in types);
  const parameters = positional.map(
    ({ name: argument, kind }) =>
      `${camelCase(argument)}${kind === "path" && returns.isStreamed ? "?" : ""}: ${types[kind]}`,
  );
  const options = optionsType(method);
  const isRequired = options === "UploadOptions";
  const result = `Promise<${returns.model}${returns.isList ? "[]" : ""}>${returns.isStreamed ? " & AsyncIterable<BeatDetail>" : ""}`;
  const about = [
    ...description,
    ...errors.map((each) => `Rejects with ${/^[AEIOU]/.test(each.name) ? "an" : "a"} ${each.name} ${each.text}.`),
    returns.isStreamed ? "Without a path, `for await` iterates over the beats as they arrive." : "",
    fileArguments.some(({ kind }) => kind === "path") ? "Files are written on Node, Deno and Bun." : "",
    `Permission: \`${permission}\`.`,
  ];
  const sentences = about.map((each) => each.replace(/`(\w+)`/g, (_, word: string) => `\`${optionName(word)}\``));
  const heading = list(
    `  ${camelCase(name)}`,
    [...parameters, `options${isRequired ? "" : "?"}: ${options}`],
    `: ${result} {`,
  );
  const passedArguments = [...positional.map((argument) => camelCase(argument.name)), "options"].join(", ");
  return `${documentation(sentences, "  ")}${heading}
    return this.${camelCase(`transfer_${name}`)}(${passedArguments});
  }
`;
}

const optionName = (word: string): string => (word === "progress" ? "onProgress" : camelCase(word));
