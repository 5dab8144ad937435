import type { FileArgument, FileMethod } from "../interface/types.ts";
import { comment, goArgument, goName, keyOf } from "./text.ts";

/** The types of positional arguments. All other arguments are fields of the parameters. */
const types: Partial<Record<FileArgument["kind"], string>> = {
  id: "int",
  text: "string",
  path: "string",
  source: "Source",
  fileKind: "FileKind",
  uploadKind: "UploadKind",
  seconds: "time.Duration",
};

/** Results whose method returns only the response, because the program has the other fields. */
const responses = new Set(["SalesExport", "OrderArchive"]);

/** A method that calls a hand-written, unexported one. */
export function fileMethod(method: FileMethod): string {
  const { resource, description, arguments: fileArguments, returns, errors } = method;
  const name = goName(method.method);
  const ownArguments = fileArguments.flatMap((argument) => {
    const type = types[argument.kind];
    return type === undefined ? [] : [{ name: nameOf(argument), type }];
  });
  const parameters = [...ownArguments];
  const hasKind = (searchedKind: FileArgument["kind"]): boolean =>
    fileArguments.some(({ kind }) => kind === searchedKind);
  if (hasKind("uploadProgress")) parameters.push({ name: "params", type: "UploadParams" });
  else if (hasKind("downloadProgress")) parameters.push({ name: "params", type: "DownloadParams" });
  const model = responses.has(returns.model) ? "Response" : returns.model;
  const about = [
    `${name}: ${description.join(" ")}`,
    ...(hasKind("seconds") ? ["A limit of 0 means the default."] : []),
    ...errors.map((each) => `It returns ${/^[AEIOU]/.test(each.name) ? "an" : "a"} ${each.name} ${each.text}.`),
    keyOf(method),
  ];
  const fieldLines = about.map((each) =>
    each.replace(/`(\w+)`/g, (_, word: string) => (word === "progress" ? "OnProgress" : goName(word))),
  );
  const signatureParameters = [
    "ctx context.Context",
    ...parameters.map((each) => `${each.name} ${each.type}`),
    "options ...CallOption",
  ];
  return `${comment(fieldLines)}func (s *${goName(resource)}Service) ${name}(${signatureParameters.join(", ")}) (${returns.isList ? "[]" : "*"}${model}, error) {
	return s.transfer${name}(${["ctx", ...parameters.map((each) => each.name), "options"].join(", ")})
}
`;
}

function nameOf({ name, kind }: FileArgument): string {
  if (kind === "source") return "source";
  return kind === "seconds" ? "limit" : goArgument(name);
}
