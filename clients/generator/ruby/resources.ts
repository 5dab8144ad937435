import { pascalCase } from "../case.ts";
import { detailed } from "../interface/names.ts";
import type { ClientInterface, Field, Operation, Parameter } from "../interface/types.ts";
import { argument, comment, list, rdoc } from "./text.ts";
import { argumentClasses, filter, id } from "./types.ts";

export interface Argument {
  name: string;
  /** The classes in YARD's notation. */
  classes: string[];
  isPositional: boolean;
  /** The code of the default; null if the argument is required. */
  default: string | null;
  description: string;
}

/** The generated methods of a resource; with null, the methods of the client itself. */
export const methods = (api: ClientInterface, resource: string | null, indent: number): string =>
  api.operations
    .filter((operation) => operation.resource === resource && operation.result.kind !== "file")
    .flatMap((operation) => [
      method(api, operation, indent),
      ...(operation.result.kind === "positions" ? [follow(operation, indent)] : []),
    ])
    .join("\n\n");

/** The arguments of an operation's method, in order. */
export function argumentsOf(api: ClientInterface, operation: Operation): Argument[] {
  const { pathParameters, queryParameters, body, httpMethod, isIdempotent, isConditional, result } = operation;
  const defaultCode = httpMethod === "POST" ? "nil" : "UNCHANGED";
  const allArguments: Argument[] = [
    ...pathParameters.map((parameter) => ({
      ...base(parameter),
      classes: id(parameter),
      isPositional: true,
      default: null,
    })),
    ...queryParameters.map((parameter) => ({
      ...base(parameter),
      classes: filter(parameter.type),
      isPositional: parameter.isRequired,
      default: parameter.isRequired ? null : "nil",
      description: [rdoc(parameter.description), valuesOf(api, parameter), boundsOf(parameter)]
        .filter(Boolean)
        .join(" "),
    })),
    ...body.map((each) => ({
      ...base(each),
      classes: [...argumentClasses(each.type), ...(each.isNullable && defaultCode !== "nil" ? ["nil"] : [])],
      isPositional: false,
      default: each.isRequired ? null : defaultCode,
      description: [rdoc(each.description), valuesOf(api, each)].filter(Boolean).join(" "),
    })),
  ];
  const optional = (name: string, type: string, description: string): Argument => ({
    name,
    classes: [type],
    isPositional: false,
    default: "nil",
    description,
  });
  if (isIdempotent)
    allArguments.push(
      optional(
        "idempotency_key",
        "String",
        "1 to 255 visible ASCII characters: calls with the same key within 24 hours are carried out once. Default: a random key, which all attempts of this call share.",
      ),
    );
  if (isConditional)
    allArguments.push(optional("if_match", "String", "The {Response#etag} of the state that you change."));
  if (result.kind === "pages")
    allArguments.push(optional("max_items", "Integer", "Maximum number of records in an iteration."));
  return allArguments;
}

const base = ({ name, description }: Parameter | Field) => ({ name: argument(name), description: rdoc(description) });

/** The values of an enumeration, unless the description has them. */
function valuesOf({ enums }: ClientInterface, { type, description }: Parameter | Field): string {
  const element = type.kind === "list" ? type.items : type;
  const values = element.kind === "enum" ? (enums.find(({ name }) => name === element.name)?.values ?? []) : [];
  if (values.length === 0 || values.every((value) => description.includes(value))) return "";
  return `One of ${values.map((value) => `+${value}+`).join(", ")}.`;
}

/**
 * The range and default of a parameter: `1 to 100. Default: 20.` Omits bounds that are only the limits of an integer
 * type.
 */
function boundsOf({ name, minimum, maximum, default: defaultValue }: Parameter): string {
  const isBound = maximum !== undefined && maximum <= 1000 && name !== "page";
  const bounds = isBound ? `${minimum ?? 0} to ${maximum.toLocaleString("en")}.` : "";
  return [bounds, defaultValue === undefined || name === "page" ? "" : `Default: ${defaultValue}.`]
    .filter(Boolean)
    .join(" ");
}

/** The class of a method's result. */
export function resultOf({ result, id: operationId, resource }: Operation): string {
  switch (result.kind) {
    case "object":
    case "data":
      return result.model;
    case "array":
      return `Collection<${result.model}>`;
    case "pages":
      return result.extras.length === 0 ? `List<${result.items[0]?.model}>` : listName(operationId, resource);
    case "positions":
      return `${result.model}Page`;
    default:
      return "nil";
  }
}

/** The name of a list with additional fields: SearchResults, BeatList. */
export const listName = (operationId: string, resource: string | null): string =>
  resource === null ? `${pascalCase(operationId)}Results` : `${singular(resource)}List`;
/** The name of a page with additional fields: SearchPage, BeatPage. */
export const pageName = (operationId: string, resource: string | null): string =>
  `${resource === null ? pascalCase(operationId) : singular(resource)}Page`;

const singular = (resource: string): string => pascalCase(resource.replace(/(?<=x)es$|s$/, ""));

function method(api: ClientInterface, operation: Operation, indent: number): string {
  const allArguments = argumentsOf(api, operation);
  const lines = [documentation(operation, allArguments, indent), signature(operation.method, allArguments, indent)];
  return [...lines, ...body(operation, indent + 2), `${" ".repeat(indent)}end`].join("\n");
}

function documentation(operation: Operation, allArguments: Argument[], indent: number): string {
  const { summary, description, result, pathParameters, isConditional, isIdempotent } = operation;
  const isLazy = result.kind === "pages";
  const raised = [
    ...(pathParameters.length > 0
      ? ["@raise [NotFoundError] if it does not exist", "@raise [BeatMarketError] if the id is empty; nothing is sent"]
      : []),
    ...(isConditional ? ["@raise [PreconditionFailedError] if it has changed since +if_match+"] : []),
    ...(isIdempotent ? ["@raise [BeatMarketError] if the idempotency_key is invalid; nothing is sent"] : []),
    ...(result.kind === "positions" ? ["@raise [GoneError] if the entries after +after+ are no longer kept"] : []),
    `@raise [APIStatusError, APIConnectionError]${isLazy ? " during the iteration" : ""}`,
  ];
  const details = detailedModel(operation);
  const returnTag = `@return [${resultOf(operation)}]${details === null ? "" : ` with {${details.detail}}s if ${details.condition.replace(" || ", " or ")} are given`}`;
  return [
    comment(indent, `${summary}. ${rdoc(description)} ${keyOf(operation)}`),
    comment(indent, ""),
    ...allArguments.map((each) => comment(indent, param(each), 2)),
    comment(indent, returnTag, 2),
    ...raised.map((each) => comment(indent, each, 2)),
  ].join("\n");
}

export function param({ name, classes, default: defaultCode, description }: Argument): string {
  const types = [...classes, ...(defaultCode === "nil" ? ["nil"] : [])].join(", ");
  return `@param ${name} [${types}] ${description}`.trimEnd();
}

export function signature(name: string, allArguments: Argument[], indent: number): string {
  const code = allArguments.map(({ name: argumentName, isPositional, default: defaultCode }) =>
    isPositional
      ? `${argumentName}${defaultCode === null ? "" : ` = ${defaultCode}`}`
      : `${argumentName}:${defaultCode === null ? "" : ` ${defaultCode}`}`,
  );
  return allArguments.length === 0 ? `${" ".repeat(indent)}def ${name}` : list(indent, `def ${name}(`, code, ")");
}

const hash = (indent: number, open: string, fields: string[], close: string): string =>
  list(
    indent,
    open,
    fields.map((field) => `${field}:`),
    close,
    " ",
  );

function body(operation: Operation, indent: number): string[] {
  const { id: operationId, result, queryParameters, body: fields, httpMethod, resource } = operation;
  const names = (fields: (Parameter | Field)[]) => fields.map(({ name }) => name);
  const space = " ".repeat(indent);
  if (result.kind === "pages") {
    const details = detailedModel(operation);
    const types = result.items
      .map(({ key, model }) => `"${key}" => ${model === details?.model ? "model" : model}`)
      .join(", ");
    const classes =
      result.extras.length === 0 ? "" : `, ${listName(operationId, resource)}, ${pageName(operationId, resource)}`;
    return [
      ...(details === null ? [] : [`${space}model = ${details.condition} ? ${details.detail} : ${details.model}`]),
      hash(indent, "query = {", names(queryParameters), "}"),
      `${space}pages("${operationId}", { ${types} }, query, max_items${classes})`,
    ];
  }
  if (result.kind === "positions")
    return [
      hash(indent, "query = {", names(queryParameters), "}"),
      `${space}positions("${operationId}", ${result.model}Page, "${result.key}", ${result.model}, query)`,
    ];
  const lines: string[] = [];
  const requestArguments = [`"${operationId}"`, ...pathOf(operation)];
  if (queryParameters.length > 0)
    requestArguments.push(
      `query: { ${names(queryParameters)
        .map((name) => `${name}:`)
        .join(", ")} }`,
    );
  if (fields.length > 0) {
    lines.push(hash(indent, "fields = {", names(fields), "}"));
    requestArguments.push(`body: ${httpMethod === "POST" ? "fields.compact" : "given(fields)"}`);
  }
  if (operation.isIdempotent) requestArguments.push("idempotency_key:");
  if (operation.isConditional) requestArguments.push("if_match:");
  const response = `perform(${requestArguments.join(", ")})`;
  // A completed write must not raise an error, so an invalid record in its response becomes an empty one.
  const emptyArgument = httpMethod === "GET" ? "" : ", EMPTY";
  switch (result.kind) {
    case "object":
      return [...lines, `${space}object(${response}, ${result.model}, "${result.key}"${emptyArgument})`];
    case "array":
      return [...lines, `${space}array(${response}, ${result.model}, "${result.key}")`];
    case "data":
      return [...lines, `${space}data(${response}, ${result.model})`];
    default:
      return [...lines, `${space}${response}`, `${space}nil`];
  }
}

/** The path of a request as Ruby code; empty if the path has no parameters. */
function pathOf({ path, pathParameters }: Operation): string[] {
  if (pathParameters.length === 0) return [];
  return [`"${path.replaceAll(/\{(\w+)\}/g, "#{@transport.segment($1)}")}"`];
}

/** The model of a list, the detailed model that it contains under a condition, and the condition. Null without one. */
function detailedModel({
  result,
  queryParameters,
}: Operation): { model: string; detail: string; condition: string } | null {
  const model =
    result.kind === "pages" ? result.items.map((item) => item.model).find((name) => name in detailed) : undefined;
  const condition = queryParameters.map(({ name }) => name).filter((name) => name === "ids" || name === "fields");
  if (model === undefined || condition.length === 0) return null;
  return { model, detail: detailed[model] ?? "", condition: condition.join(" || ") };
}

/** The method `follow` of a feed. */
function follow(operation: Operation, indent: number): string {
  const space = " ".repeat(indent);
  const { id: operationId, result, queryParameters } = operation;
  const { key, model } = result.kind === "positions" ? result : { key: "", model: "" };
  const page = resultOf(operation);
  const args = followArguments(operation);
  const names = args.map(({ name }) => `${name}:`);
  return [
    comment(
      indent,
      `Follows the ${key} after a position, page by page and without end: store +next+ together with the content of a page.`,
    ),
    comment(indent, ""),
    comment(
      indent,
      `A page without ${key} says that there were none for +wait+ seconds, so a loop can end there. After the first page, temporary failures (rate limits, restarts of the service, lost connections) are retried without limit.`,
    ),
    comment(indent, ""),
    ...queryParameters.map(({ name }) => {
      const argument = args.find((candidate) => candidate.name === name) as Argument;
      return comment(
        indent,
        `@param ${name} [${[...argument.classes, ...(argument.default === "nil" ? ["nil"] : [])].join(", ")}] As for {#list}.`,
        2,
      );
    }),
    `${space}# @yieldparam page [${page}]`,
    `${space}# @return [Enumerator] without a block`,
    comment(indent, `@raise [GoneError] if the entries after the position are no longer kept`),
    `${space}# @raise [APIStatusError, APIConnectionError]`,
    signature(
      "follow",
      [...args, { name: "&block", isPositional: true, classes: [], default: null, description: "" }],
      indent,
    ),
    `${space}  return to_enum(:follow, ${names.join(", ")}) unless block`,
    "",
    hash(
      indent + 2,
      "query = {",
      args.map(({ name }) => name),
      "}",
    ),
    `${space}  following("${operationId}", ${page}, "${key}", ${model}, query, &block)`,
    `${space}end`,
  ].join("\n");
}

/** The arguments of `follow`, which by default requests the largest pages and the longest wait. */
export const followArguments = ({ queryParameters }: Operation): Argument[] =>
  queryParameters.map((parameter) => ({
    ...base(parameter),
    classes: filter(parameter.type),
    isPositional: false,
    default: parameter.name === "limit" || parameter.name === "wait" ? String(parameter.maximum) : "nil",
  }));

export function keyOf({ permission, isOfTestMode }: { permission: string | null; isOfTestMode?: boolean }): string {
  if (isOfTestMode) return "Needs a test key.";
  return permission === null ? "Needs no API key." : `Needs the permission +${permission}+.`;
}
