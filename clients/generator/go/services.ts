import type { ClientInterface, Operation } from "../interface/types.ts";
import { fileMethod } from "./files.ts";
import { decoder } from "./models.ts";
import { hasParams, paramsName } from "./requests.ts";
import { comment, goArgument, goName, keyOf, notice, structure, typeName } from "./text.ts";

/** The services of the client with their methods, the table of operations, and the error of each code. */
export function services({ resources, operations, fileMethods, errorCodes }: ClientInterface): string {
  const methods = operations.filter(({ result }) => result.kind !== "file");
  const members = resources.map(
    ({ name, description }) => `${comment([description], "\t")}\t${goName(name)} *${goName(name)}Service\n`,
  );
  return [
    `${notice}\npackage beatmarket\n\nimport (\n\t"context"\n\t"iter"\n\t"time"\n)\n`,
    structure("services", ["services are the parts of a client."], members),
    `func newServices(c *Client) services {\n\treturn services{\n${columns(resources.map(({ name }) => [goName(name), `&${goName(name)}Service{c}`]))}\t}\n}\n`,
    ...resources.map(
      ({ name, description }) =>
        `${comment([`${goName(name)}Service: ${description}`])}type ${goName(name)}Service struct{ client *Client }\n`,
    ),
    ...methods.flatMap(pageTypes),
    ...methods.map(method),
    ...fileMethods.map(fileMethod),
    ...operations.map(operationOf),
    `// errorNames has the error of each code of the API.\nvar errorNames = map[string]string{\n${columns(errorCodes.map(({ code, error }) => [`"${code}"`, `"${error}"`]))}}\n`.replaceAll(
      "\t\t",
      "\t",
    ),
  ].join("\n");
}

/** Keys and values in aligned columns, like gofmt's. */
function columns(pairs: string[][]): string {
  const width = Math.max(...pairs.map(([key = ""]) => key.length + 1));
  return pairs.map(([key, value]) => `\t\t${`${key}:`.padEnd(width)} ${value},\n`).join("");
}

const pageName = ({ id }: Operation): string => `${goName(id)}Page`;
const itemName = (operation: Operation): string => {
  const { result } = operation;
  if (result.kind !== "pages") return "";
  return result.items.length === 1 ? (result.items[0]?.model ?? "") : `${goName(operation.id)}Item`;
};

/**
 * The page type of a list, the type of its additional fields, and the item type if the list has several kinds; for a
 * feed only its page type.
 */
function pageTypes(operation: Operation): string[] {
  const { result, summary } = operation;
  if (result.kind === "positions") {
    const name = `${result.model}Page`;
    const list = `\t${goName(result.key)} []${result.model} \`json:"${result.key}"\`\n`;
    const next = '\t// Next is the position to continue from.\n\tNext int `json:"next"`\n';
    return [`${structure(name, [`${name} is a part of a feed.`], ["\tModel\n", list, next])}${decoder(name)}`];
  }
  if (result.kind !== "pages") return [];
  const page = pageName(operation);
  const several = result.items.length > 1;
  const lists = several ? result.items.map(({ key, model }) => `\t${goName(key)} []${model} \`json:"${key}"\`\n`) : [];
  const extras = result.extras.map(({ name, type, description }) => {
    const pointer = type.kind === "model" ? "*" : "";
    return `${comment([description], "\t")}\t${goName(name)} ${pointer}${typeName(type)} \`json:"${name}"\`\n`;
  });
  const extra = `${goName(operation.id)}Extra`;
  const item = itemName(operation);
  const pointers = result.items.map(({ model }) => `\t${model} *${model}\n`);
  return [
    ...(several ? [structure(item, [`${item} is one of several kinds: the field of its kind is set.`], pointers)] : []),
    structure(extra, [`${extra} is what a page has in addition to its items.`], ["\tModel\n", ...lists, ...extras]) +
      decoder(extra),
    `// ${page} is a page of: ${summary}.\ntype ${page} = Page[${item}, ${extra}]\n`,
  ];
}

function method(operation: Operation): string {
  const { id, resource, pathParameters, queryParameters, bodyName, result, description } = operation;
  const name = goName(operation.method);
  const receiver = resource === null ? "c *Client" : `s *${goName(resource)}Service`;
  const client = resource === null ? "c" : "s.client";
  const requiredParameters = queryParameters.filter(({ isRequired }) => isRequired);
  const parameters = [
    "ctx context.Context",
    ...[...pathParameters, ...requiredParameters].map(
      ({ name: parameter, type }) => `${goArgument(parameter)} ${typeName(type)}`,
    ),
    ...(bodyName === null ? [] : [`fields ${bodyName}`]),
    ...(hasParams(operation) ? [`params ${paramsName(operation)}`] : []),
    "options ...CallOption",
  ].join(", ");
  const argumentList = [
    ...(pathParameters.length === 0
      ? []
      : [`ids: []any{${pathParameters.map(({ name: parameter }) => goArgument(parameter)).join(", ")}}`]),
    ...(requiredParameters.length === 0
      ? []
      : [
          `required: []string{${requiredParameters.map(({ name: parameter }) => `"${parameter}", ${goArgument(parameter)}`).join(", ")}}`,
        ]),
    ...(hasParams(operation) ? ["params: params"] : []),
    ...(bodyName === null ? [] : ["body: fields"]),
  ];
  const about = [`${name}: ${description.replaceAll("\n", " ")}`, keyOf(operation)];
  const call = `op${goName(id)}, given{${argumentList.join(", ")}}, options)`;
  if (result.kind !== "pages") {
    const returnTypes = returnedBy(operation);
    const body =
      returnTypes === null
        ? `\t_, err := call[Model](ctx, ${client}, ${call}\n\treturn err\n`
        : `\treturn call[${returnTypes}](ctx, ${client}, ${call}\n`;
    const types = returnTypes === null ? "error" : `(${returnTypes}, error)`;
    return `${comment(about)}func (${receiver}) ${name}(${parameters}) ${types} {\n${body}}\n`;
  }
  const types = `${itemName(operation)}, ${goName(id)}Extra`;
  const pages = `pagesOf[${types}](${client}, ${call}`;
  return `${comment([...about, `${name} returns the first page; ${name}All iterates over the items of all pages.`])}func (${receiver}) ${name}(${parameters}) (*${pageName(operation)}, error) {
	return ${pages}.first(ctx)
}

// ${name}All iterates over the items of all pages, with one request for each. A loop that continues after an
// error requests the failed page again, at most twice: no item is lost or repeated.
func (${receiver}) ${name}All(${parameters}) iter.Seq2[${itemName(operation)}, error] {
	return ${pages}.all(ctx)
}
`;
}

function returnedBy({ result }: Operation): string | null {
  switch (result.kind) {
    case "object":
    case "data":
      return `*${result.model}`;
    case "array":
      return `[]${result.model}`;
    case "positions":
      return `*${result.model}Page`;
    default:
      return null;
  }
}

/** The kinds of results that have another name in the Go client. */
const goKinds: Readonly<Record<string, string>> = { positions: "data", file: "none" };

function keysOf(result: Operation["result"]): string[] {
  if (result.kind === "pages") return result.items.map(({ key }) => key);
  return "key" in result ? [result.key] : [];
}

function operationOf({ id, httpMethod, path, result }: Operation): string {
  const kind = goKinds[result.kind] ?? result.kind;
  const keys = keysOf(result);
  const list = keys.length === 0 ? "nil" : `[]string{${keys.map((key) => `"${key}"`).join(", ")}}`;
  return `var op${goName(id)} = operation{"${id}", "${httpMethod}", "${path}", "${kind}", ${list}}\n`;
}
