import { pascalCase } from "../case.ts";
import type { ClientInterface, FileArgument, FileMethod } from "../interface/types.ts";
import { inPython } from "./text.ts";

/** An argument of a method. */
export interface Argument {
  name: string;
  type: string;
  /** The default; null if the argument is required. */
  value: string | null;
  doc: string;
}

const path = "str | os.PathLike[str]";

/** The types and defaults of arguments. An argument with a default is named, and so is the kind of an upload. */
const kinds: Readonly<Record<FileArgument["kind"], { type: string; value?: string; isNamed?: true }>> = {
  id: { type: "int | str" },
  text: { type: "str" },
  path: { type: path },
  source: { type: "Uploadable" },
  fileKind: { type: "FileKind" },
  uploadKind: { type: "UploadKind", isNamed: true },
  filename: { type: "str | None", value: "None", isNamed: true },
  uploadProgress: { type: "Progress | None", value: "None", isNamed: true },
  downloadProgress: { type: "OnProgress | None", value: "None", isNamed: true },
  partBytes: { type: "int", value: "PART_BYTES", isNamed: true },
  seconds: { type: "float", value: "600.0", isNamed: true },
};

const sourceText = " A path, a file opened in binary mode, or bytes.";

/** Resources whose class extends a hand-written one, with the module of that class. */
const modules: Readonly<Record<string, string>> = {
  exports: "files",
  orders: "orders",
  sales: "files",
  uploads: "uploads",
};

/** The hand-written base class of a resource, and its module; null if there is none. */
export function baseOf(
  resource: string,
  { fileMethods }: ClientInterface,
  prefix: string,
): [module: string, name: string] | null {
  if (!fileMethods.some((method) => method.resource === resource)) return null;
  return [`${modules[resource]}`, `${prefix}${pascalCase(resource)}Transfers`];
}

/** The possible imports of a resource's module for file methods, by module of the package. */
export const fileImports = (prefix: string, folder: string): [module: string, names: string[]][] => [
  [`...${folder}.files`, [`${prefix}BeatStream`]],
  ["...downloads", ["DownloadedFile", "DownloadedFiles", "OnProgress", "OrderArchive", "SalesExport"]],
  ["...exports", ["BeatExport"]],
  ["...transfer", ["PART_BYTES", "Progress", "Uploadable"]],
];

/** The parts of a file method that its signature and docstring consist of. */
export interface FileMethodParts {
  positional: Argument[];
  keywordArguments: Argument[];
  returned: string;
  text: string;
  raises: string[];
  /** The arguments of the hand-written method, as code. */
  passed: string;
}

export function partsOf({ description, arguments: fileArguments, returns, errors }: FileMethod): FileMethodParts {
  const argument = ({ name, kind, text }: FileArgument): Argument => {
    const isOptional = kind === "path" && returns.isStreamed === true;
    const { type, value = isOptional ? "None" : null } = kinds[kind];
    const doc = inPython(kind === "source" ? text + sourceText : text);
    return { name, type: isOptional ? `${type} | None` : type, value, doc };
  };
  const isNamed = ({ kind }: FileArgument): boolean => kinds[kind].isNamed === true;
  const model = returns.isReady ? `Ready${returns.model}` : returns.model;
  return {
    positional: fileArguments.filter((each) => !isNamed(each)).map(argument),
    keywordArguments: fileArguments.filter(isNamed).map(argument),
    returned: returns.isList ? `${model}s` : model,
    text: inPython(description.join(" ").replaceAll("\n", " ")),
    raises: errors.map(({ name, text }) => `${name}: ${text}.`),
    passed: fileArguments.map(({ name }) => name).join(", "),
  };
}
