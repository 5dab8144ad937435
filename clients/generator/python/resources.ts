import { pascalCase } from "../case.ts";
import type { ClientInterface, Field, FileMethod, Operation, Parameter, Type } from "../interface/types.ts";
import { type Argument, baseOf, fileImports, partsOf } from "./files.ts";
import { enumsIn, modelsIn, typeName } from "./models.ts";
import { pagesOf } from "./pages.ts";
import { argument, bracketed, constant, docstring, importing, inPython, module, wrapText } from "./text.ts";

/** The largest 32-bit integer. A parameter that only has this limit, in cents or not, has no documented range. */
const largest = 2 ** 31 - 1;
const maxItems: Argument = {
  name: "max_items",
  type: "int | None",
  value: "None",
  doc: "Maximum number of items, on all pages together. All by default.",
};
const idempotencyKey: Argument = {
  name: "idempotency_key",
  type: "str | None",
  value: "None",
  doc:
    "1 to 255 visible ASCII characters. Calls with the same key within 24 hours are carried out once. Default: a random key, " +
    "shared by the attempts of this call and kept as `idempotency_key` of the error if all of them fail.",
};
const ifMatch: Argument = {
  name: "if_match",
  type: "str | None",
  value: "None",
  doc: "The `etag` of a response with the object. If it has changed since then, nothing happens, and a PreconditionFailedError is raised.",
};

/** The resources with generated methods, by file name. Search is a method of the client itself. */
export function resources(api: ClientInterface, isAsync: boolean): [name: string, text: string][] {
  const requestOperations = api.operations.filter(({ result }) => result.kind !== "file");
  const names = new Set([...requestOperations, ...api.fileMethods].map(({ resource, method }) => resource ?? method));
  return [...names].map((name) => [
    name,
    resource(
      api,
      name,
      api.resources.find((resource) => resource.name === name)?.description ?? "The methods of the client itself.",
      requestOperations.filter(({ resource, method }) => (resource ?? method) === name),
      isAsync,
    ),
  ]);
}

function resource(
  api: ClientInterface,
  name: string,
  description: string,
  operations: Operation[],
  isAsync: boolean,
): string {
  const prefix = isAsync ? "Async" : "";
  const folder = isAsync ? "_async" : "_sync";
  const base = baseOf(name, api, prefix);
  const heading = `class ${prefix}${pascalCase(name)}${base === null ? "" : `(${base[1]})`}:`;
  const methods = [
    ...operations.map((operation) => method(operation, isAsync)),
    ...api.fileMethods.filter(({ resource }) => resource === name).map((each) => fileMethod(each, isAsync)),
  ].flatMap((lines) => ["", ...lines]);
  const text = [heading, ...methods].join("\n").replace(/"""[\s\S]*?"""/g, "");
  const uses = (word: string): boolean => new RegExp(`(?<![\\w"])${word}\\b`).test(text);
  const having = (words: string[]): string[] => words.filter(uses);
  const types = operations.flatMap((operation) => [
    ...operation.pathParameters,
    ...operation.queryParameters,
    ...operation.body,
  ]);
  const enums = having([...types.flatMap(({ type }) => enumsIn(type)), "FileKind", "UploadKind"]);
  const results = operations.flatMap(({ result }) => {
    if (result.kind === "pages") return result.items.map(({ model }) => model);
    if (result.kind === "positions") return [result.model, `${result.model}Page`];
    return result.kind === "none" || result.kind === "file" ? [] : [result.model];
  });
  const modelNames = [
    ...results,
    "BeatDetail",
    "ReadyUpload",
    "Upload",
    ...types.flatMap(({ type }) => modelsIn(type)),
  ];
  const listings = operations.flatMap((operation) => {
    const pages = pagesOf(operation);
    return pages === null ? [] : [prefix + pages.listing, prefix + pages.page];
  });
  const imports = (from: string, words: string[]): string[] => {
    const used = having(words);
    return used.length > 0 ? importing(from, used) : [];
  };
  const standard = [
    ...(uses("os") ? ["import os"] : []),
    ...imports("collections.abc", ["Awaitable", "Sequence"]),
    ...imports("datetime", ["datetime"]),
    ...importing("typing", [...(base === null ? ["TYPE_CHECKING"] : []), ...having(["Any", "cast", "overload"])]),
  ];
  return module(description, [
    ...(standard.length === 0 ? [] : [...standard, ""]),
    ...byModule([
      ...fileImports(prefix, folder),
      ...(base === null ? [] : [[`...${folder}.${base[0]}`, [base[1]]] as const]),
      [`...${folder}.lists`, [`${prefix}Listing`, `${prefix}Page`]],
      ["...not_given", ["NOT_GIVEN", "NotGiven", "given", "present"]],
      ["...operation", ["ItemList"]],
      ["...request", ["Query"]],
    ]).flatMap(([from, words]) => imports(from, words)),
    ...(uses("operations") ? ["from .. import operations"] : []),
    ...(enums.length > 0 ? importing("..enums", enums) : []),
    ...imports("..events", ["BaseEvent", "Event", "EventPage"]),
    ...imports(
      "..models",
      modelNames.filter((each) => !["Event", "EventPage"].includes(each)),
    ),
    ...imports(".pages", listings),
    "",
    ...(base === null ? ["if TYPE_CHECKING:", `    from ...${folder}.client import ${prefix}BeatMarket`, ""] : []),
    "",
    heading,
    `    """${description}"""`,
    ...(base === null ? [""] : []),
    ...(operations[0]?.resource === null
      ? [`    _client: ${prefix}BeatMarket`]
      : base === null
        ? [`    def __init__(self, client: ${prefix}BeatMarket) -> None:`, "        self._client = client"]
        : []),
    ...methods,
  ]);
}

function method(operation: Operation, isAsync: boolean): string[] {
  const { body, httpMethod, isConditional, isIdempotent, pathParameters, queryParameters, result } = operation;
  const isList = result.kind === "pages";
  const required = queryParameters.filter(({ isRequired }) => isRequired);
  const positional = [
    ...pathParameters.map((each) => ({ ...parameter(each), type: each.type.kind === "integer" ? "int | str" : "str" })),
    ...required.map(parameter),
  ];
  const keywordArguments = [
    ...queryParameters.filter(({ isRequired }) => !isRequired).map(parameter),
    ...body.map((field) => bodyField(field, httpMethod === "POST")),
    ...(isList ? [maxItems] : []),
    ...(isIdempotent ? [idempotencyKey] : []),
    ...(isConditional ? [ifMatch] : []),
  ];
  const allArguments = [...positional, ...keywordArguments];
  const sections = allArguments.length === 0 ? [] : ["", "        Args:", ...allArguments.flatMap(argumentDoc)];
  const text = inPython(`${operation.summary}. ${operation.description}`);
  return [
    ...overloads(operation, positional, keywordArguments, isAsync),
    ...signature(
      operation,
      positional,
      keywordArguments,
      returned(operation, isAsync, pagesOf(operation)?.detail ? "Any" : null),
      isAsync,
    ),
    ...docstring(text, "        ", sections),
    ...statements(operation, isAsync),
  ];
}

/** Merges imports by module, sorted by the module's name. */
function byModule(
  imports: readonly (readonly [module: string, names: readonly string[]])[],
): [module: string, names: string[]][] {
  const namesByModule = Map.groupBy(imports, ([module]) => module);
  return [...namesByModule]
    .map(([module, groups]): [string, string[]] => [module, groups.flatMap(([, names]) => names)])
    .sort(([one], [other]) => (one < other ? -1 : 1));
}

/** A method that calls one of its base class. */
function fileMethod(method: FileMethod, isAsync: boolean): string[] {
  const { method: name, returns } = method;
  const { positional, keywordArguments, returned, text, raises, passed } = partsOf(method);
  const sections = [
    ...["", "        Args:", ...[...positional, ...keywordArguments].flatMap(argumentDoc)],
    ...["", "        Raises:", ...raises.flatMap((each) => wrapText(each, " ".repeat(12), "    "))],
  ];
  const head = (types: Argument[], type: string, end?: string): string[] =>
    signatureOf(`${isAsync && !returns.isStreamed ? "async def" : "def"} ${name}`, types, keywordArguments, type, end);
  const streamed = `${isAsync ? "Async" : ""}BeatStream`;
  const saved = isAsync ? `Awaitable[${returned}]` : returned;
  const requiredArguments = positional.map((each) => ({
    ...each,
    type: each.type.replace(/ \| None$/, ""),
    value: null,
  }));
  return [
    ...(returns.isStreamed
      ? ["    @overload", ...head([], streamed, ": ..."), "    @overload", ...head(requiredArguments, saved, ": ...")]
      : []),
    ...head(positional, returns.isStreamed ? `${streamed} | ${saved}` : returned),
    ...docstring(text, "        ", sections),
    `        return ${isAsync && !returns.isStreamed ? "await " : ""}self._transfer_${name}(${passed})`,
  ];
}

const argumentDoc = ({ name, doc }: Argument): string[] => wrapText(`${name}: ${doc}`, " ".repeat(12), "    ");

function parameter({
  name,
  type,
  isRequired,
  description,
  default: defaultValue,
  minimum,
  maximum,
}: Parameter): Argument {
  const range =
    minimum !== undefined && maximum !== undefined && maximum < largest && maximum !== 21474836.47
      ? ` From ${minimum} to ${maximum}.`
      : "";
  const byDefault =
    defaultValue === undefined || defaultValue === null
      ? ""
      : ` Default: ${typeof defaultValue === "boolean" ? pascalCase(String(defaultValue)) : defaultValue}.`;
  const acceptedTypes = acceptedType(type);
  return {
    name: argument(name),
    type: isRequired ? acceptedTypes : `${acceptedTypes} | None`,
    value: isRequired ? null : "None",
    doc: inPython(`${description}${range}${byDefault}`) || pascalCase(name),
  };
}

function bodyField({ name, type, isRequired, isNullable, description }: Field, isNew: boolean): Argument {
  const acceptedTypes = type.kind === "list" ? `Sequence[${acceptedType(type.items)}]` : acceptedType(type);
  const doc = inPython(description) || "A text.";
  if (isNew)
    return {
      name,
      type: isRequired ? acceptedTypes : `${acceptedTypes} | None`,
      value: isRequired ? null : "None",
      doc,
    };
  return { name, type: `${acceptedTypes} | NotGiven${isNullable ? " | None" : ""}`, value: "NOT_GIVEN", doc };
}

/** The type that an argument accepts. */
function acceptedType(type: Type): string {
  if (type.kind === "timestamp") return "datetime | str";
  if (type.kind === "enum") return type.name;
  if (type.kind === "list") return `${acceptedType(type.items)} | Sequence[${acceptedType(type.items)}]`;
  if (type.kind === "union") return type.members.map(acceptedType).join(" | ");
  return typeName(type);
}

/** The return type of a method. `item` is the type of items in a list that can have details. */
function returned(operation: Operation, isAsync: boolean, item: string | null = null): string {
  const prefix = isAsync ? "Async" : "";
  const { result } = operation;
  const pages = pagesOf(operation);
  if (pages !== null) return `${prefix}${pages.listing}${item === null ? "" : `[${item}]`}`;
  if (result.kind === "pages") return `${prefix}Listing[${result.items[0]?.model}]`;
  if (result.kind === "array") return `ItemList[${result.model}]`;
  if (result.kind === "positions") return `${result.model}Page`;
  return result.kind === "none" || result.kind === "file" ? "None" : result.model;
}

function signature(
  { method: name, result }: Operation,
  positional: Argument[],
  keywordArguments: Argument[],
  type: string,
  isAsync: boolean,
  end = ":",
): string[] {
  return signatureOf(
    `${isAsync && result.kind !== "pages" ? "async def" : "def"} ${name}`,
    positional,
    keywordArguments,
    type,
    end,
  );
}

function signatureOf(
  before: string,
  positional: Argument[],
  keywordArguments: Argument[],
  type: string,
  end = ":",
): string[] {
  const parameterText = (argument: Argument): string =>
    `${argument.name}: ${argument.type}${argument.value === null ? "" : ` = ${argument.value}`}`;
  const items = [
    "self",
    ...positional.map(parameterText),
    ...(keywordArguments.length > 0 ? ["*", ...keywordArguments.map(parameterText)] : []),
  ];
  return bracketed(`${before}(`, items, `) -> ${type}${end}`, "    ");
}

/** The overloads of a list method: with `ids`, without `ids` and `fields`, and with `fields`. */
function overloads(
  operation: Operation,
  positional: Argument[],
  keywordArguments: Argument[],
  isAsync: boolean,
): string[] {
  const pages = pagesOf(operation);
  if (pages === null || pages.detail === null) return [];
  const model = pages.items[0]?.model ?? "";
  const mustHave = (name: string) => (argument: Argument) =>
    argument.name === name ? { ...argument, type: argument.type.replace(/ \| None$/, ""), value: null } : argument;
  const overload = (names: Argument[], item: string): string[] => [
    "    @overload",
    ...signature(operation, positional, names, returned(operation, isAsync, item), isAsync, ": ..."),
  ];
  const ids = keywordArguments.filter(({ name }) => ["ids", "fields", "max_items"].includes(name)).map(mustHave("ids"));
  const otherArguments = keywordArguments.filter(({ name }) => name !== "ids");
  return [
    ...overload(ids, pages.detail),
    ...overload(
      otherArguments.filter(({ name }) => name !== "fields"),
      model,
    ),
    ...overload(otherArguments.map(mustHave("fields")), pages.detail),
  ];
}

function statements(operation: Operation, isAsync: boolean): string[] {
  const { body, httpMethod, id, isConditional, isIdempotent, pathParameters, queryParameters, result } = operation;
  const indent = " ".repeat(8);
  const prefix = isAsync ? "Async" : "";
  const pairs = (parameters: Parameter[]): string[] => parameters.map(({ name }) => `"${name}": ${argument(name)}`);
  const query = queryParameters.length === 0 ? [] : bracketed("query: Query = {", pairs(queryParameters), "}", indent);
  const table = `operations.${constant(id)}`;
  if (result.kind === "pages") {
    const pages = pagesOf(operation);
    const [first] = result.items;
    const detail = pages?.detail ?? null;
    const models = result.items.map(({ key, model }) => `"${key}": ${detail === null ? model : "model"}`).join(", ");
    const page =
      pages === null ? `${prefix}Page[${first?.model}]` : `${prefix}${pages.page}${detail === null ? "" : "[Any]"}`;
    const listing = `${prefix}${pages?.listing ?? "Listing"}`;
    return [
      ...(detail === null ? [] : [`${indent}model = ${first?.model} if ids is None and fields is None else ${detail}`]),
      ...query,
      ...bracketed(
        `return ${listing}(`,
        ["self._client", table, page, `{${models}}`, "query", "max_items"],
        ")",
        indent,
      ),
    ];
  }
  const headers = [
    ...(isIdempotent ? ['"idempotency-key": idempotency_key'] : []),
    ...(isConditional ? ['"if-match": if_match'] : []),
  ];
  const fields = body.map(({ name }) => `${name}=${name}`);
  const parts = [
    ...(pathParameters.length > 0 ? [`path={${pairs(pathParameters).join(", ")}}`] : []),
    ...(query.length > 0 ? ["query=query"] : []),
    ...(body.length > 0 ? ["body=body"] : []),
    ...(headers.length > 0 ? [`headers={${headers.join(", ")}}`] : []),
  ];
  const call = isAsync ? "await self._client" : "self._client";
  const bodyLines =
    body.length === 0 ? [] : bracketed(`body = ${httpMethod === "POST" ? "present" : "given"}(`, fields, ")", indent);
  if (result.kind === "none") return [...bracketed(`${call}._nothing(`, [table, ...parts], ")", indent)];
  const key = result.kind === "object" || result.kind === "array" ? `"${result.key}"` : "None";
  const model = result.kind === "positions" ? `${result.model}Page` : "model" in result ? result.model : "";
  const helper = result.kind === "array" ? "_array" : "_object";
  // A union is not a class. The base class of its members selects the right member.
  if (model === "Event")
    return [
      ...query,
      ...bodyLines,
      ...bracketed(`event = ${call}.${helper}(`, [table, "BaseEvent", key, ...parts], ")", indent),
      `${indent}return cast("Event", event)`,
    ];
  return [
    ...query,
    ...bodyLines,
    ...bracketed(`return ${call}.${helper}(`, [table, model, key, ...parts], ")", indent),
  ];
}
