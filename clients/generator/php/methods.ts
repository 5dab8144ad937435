import { camelCase, pascalCase } from "../case.ts";
import type { GeneratedFile } from "../emitter.ts";
import { detailed } from "../interface/names.ts";
import type { ClientInterface, Field, Model, Operation, Parameter, Resource } from "../interface/types.ts";
import { composedOf } from "./composed.ts";
import { fileMethod } from "./files.ts";
import { pageClass } from "./models.ts";
import { settingMethods, settingUses } from "./settings.ts";
import { comment, file, list, methodHead, type Tag } from "./text.ts";
import { described, enumsIn, parameterTypes, withValues } from "./types.ts";

/** A class for each resource, and a trait with the generated methods of the client. */
export function methodFiles(api: ClientInterface): GeneratedFile[] {
  const models = new Map(api.models.map((model) => [model.name, model]));
  const plain = api.operations.filter(({ result }) => result.kind !== "file");
  const byResource = Map.groupBy(plain, ({ resource }) => resource);
  const methods = (resource: string | null): string[] =>
    (byResource.get(resource) ?? []).flatMap((operation) => [
      methodOf(operation, models, described(api)),
      ...(operation.result.kind === "positions" ? [followOf(operation, models, described(api))] : []),
    ]);
  const uses = (resource: string | null): string[] => (byResource.get(resource) ?? []).flatMap(imports);
  return [
    ...api.resources.map((resource) => resourceFile(resource, api, methods(resource.name), uses(resource.name))),
    clientFile(api, methods(null), uses(null)),
  ];
}

const construct = `    /** @internal */
    public function __construct(private readonly Connection $connection)
    {
    }
`;

function resourceFile(
  { name: resource, description }: Resource,
  { fileMethods }: ClientInterface,
  methods: string[],
  uses: string[],
): GeneratedFile {
  const name = pascalCase(resource);
  const composed = composedOf(resource, fileMethods.map(fileMethod));
  const code = `${comment([description], [], "")}final class ${name}\n{\n${[construct, ...methods, ...composed.methods].join("\n")}}\n`;
  const all = [
    "BeatMarket\\Http\\Connection",
    ...(methods.length > 0 ? ["BeatMarket\\Generated\\Operation", "BeatMarket\\Http\\Call"] : []),
    ...composed.uses,
    ...uses,
  ];
  return { path: `php/src/Resource/${name}.php`, text: file("BeatMarket\\Resource", all, code) };
}

/** The resources and the generated methods of a client. */
function clientFile(api: ClientInterface, methods: string[], uses: string[]): GeneratedFile {
  const properties = api.resources.map(
    ({ name, description }) =>
      `    /** ${description} */\n    public readonly ${pascalCase(name)} $${camelCase(name)};\n`,
  );
  const propertyLines = api.resources.map(
    ({ name }) => `        $this->${camelCase(name)} = new ${pascalCase(name)}($connection);\n`,
  );
  const composed = composedOf(null);
  const code = `/** @internal */
trait ClientMethods
{
    private readonly Connection $connection;

${properties.join("\n")}
    /** Verifies webhooks; needs no client. */
    public readonly Webhooks $webhooks;

${[...settingMethods, ...composed.methods, ...methods].join("\n")}
    private function connect(Connection $connection): void
    {
        $this->connection = $connection;
${propertyLines.join("")}        $this->webhooks = new Webhooks();
    }
}
`;
  const all = [
    "BeatMarket\\Http\\Call",
    "BeatMarket\\Http\\Connection",
    "BeatMarket\\Webhooks",
    ...api.resources.map(({ name }) => `BeatMarket\\Resource\\${pascalCase(name)}`),
    ...settingUses,
    ...composed.uses,
    ...uses,
  ];
  return { path: "php/src/Generated/ClientMethods.php", text: file("BeatMarket\\Generated", all, code) };
}

interface Argument {
  /** The API name. */
  name: string;
  tag: Tag;
  /** The parameter as code: `?int $limit = null`. */
  code: string;
}

const isDetailed = ({ queryParameters }: Operation, model: string) =>
  model in detailed && queryParameters.some(({ name }) => name === "fields");

function imports(operation: Operation): string[] {
  const { result, httpMethod, body } = operation;
  const uses = ["BeatMarket\\Exception\\BeatMarketException"];
  const page = pageClass(operation);
  if (page !== null) uses.push(`BeatMarket\\Page\\${page}`);
  else if (result.kind === "pages") uses.push("BeatMarket\\Page");
  if (result.kind === "array") uses.push("BeatMarket\\Collection");
  if (result.kind !== "positions" && "model" in result) uses.push(`BeatMarket\\Model\\${result.model}`);
  if (result.kind === "pages")
    for (const { model } of result.items) {
      uses.push(`BeatMarket\\Model\\${model}`);
      if (isDetailed(operation, model)) uses.push(`BeatMarket\\Model\\${detailed[model]}`);
    }
  if (result.kind === "positions") uses.push("BeatMarket\\Exception\\GoneException");
  for (const { type } of [...operation.queryParameters, ...body])
    for (const name of enumsIn(type)) uses.push(`BeatMarket\\Value\\${name}`);
  if (body.some(({ isRequired }) => !isRequired) || httpMethod === "PATCH") uses.push("BeatMarket\\Absent");
  return uses;
}

function methodOf(operation: Operation, models: ReadonlyMap<string, Model>, text: (value: string) => string): string {
  const { result, method, description } = operation;
  const all = argumentsOf(operation, models, text);
  const returns = returned(operation);
  const head = methodHead(
    `public function ${camelCase(method)}(`,
    all.map(({ code }) => code),
    `): ${returns.native}`,
  );
  const tags: Tag[] = [
    ...all.map(({ tag }) => tag),
    ...(returns.doc === "" ? [] : [{ tag: "@return", type: returns.doc, name: "", text: "" }]),
    { tag: "@throws", type: "BeatMarketException", name: "", text: "" },
  ];
  const prose = [text(description), keyOf(operation)];
  const [call, ...requestArguments] = requestOf(operation);
  const body = `        ${list(`${result.kind === "none" ? "" : "return "}${call}(`, requestArguments, ");", "        ")}\n`;
  return `${comment(prose, tags, "    ")}${head}${body}    }\n`;
}

/** The method that follows a feed with repeated requests, by default with the longest wait and the largest pages. */
function followOf(operation: Operation, models: ReadonlyMap<string, Model>, text: (value: string) => string): string {
  const { id, result, queryParameters } = operation;
  if (result.kind !== "positions") return "";
  const longest = new Map(
    ["limit", "wait"].map((name) => [name, queryParameters.find((one) => one.name === name)?.maximum]),
  );
  const all = argumentsOf(operation, models, text).map((argument): Argument => {
    const most = longest.get(argument.name);
    if (most === undefined) return argument;
    const about = argument.tag.text.replace(/ \((\d+ to \d+)(; default: \d+)?\)/, ` ($1; default: ${most})`);
    return { ...argument, tag: { ...argument.tag, type: "int", text: about }, code: `int $${argument.name} = ${most}` };
  });
  const page = pageClass(operation) ?? "";
  const prose = [
    `Follows the ${result.key} after a position, page by page and without end: store \`next\` together with the content of a page.`,
    `A page without ${result.key} says that there were none for $wait seconds, so a loop can end there. After the first page, temporary failures (rate limits, restarts of the service, lost connections) are retried without limit.`,
    keyOf(operation),
  ];
  const tags: Tag[] = [
    ...all.map(({ tag }) => tag),
    { tag: "@return", type: `\\Generator<int, ${page}, void, never>`, name: "", text: "" },
    { tag: "@throws", type: "GoneException", name: "", text: "if the entries after the position are no longer kept" },
    { tag: "@throws", type: "BeatMarketException", name: "", text: "" },
  ];
  const parameters = all.map(({ code }) => code);
  const query = queryParameters.map(({ name }) => `'${name}' => $${camelCase(name)}`);
  const sent = [
    `Operation::${pascalCase(id)}`,
    `${page}::class`,
    `'${result.key}'`,
    list("[", query, "]", "            "),
  ];
  return `${comment(prose, tags, "    ")}    ${list("public function follow(", parameters, "): \\Generator", "    ")}
    {
        ${list("return $this->connection->follow(", sent, ");", "        ")}
    }
`;
}

function argumentsOf(
  operation: Operation,
  models: ReadonlyMap<string, Model>,
  text: (value: string) => string,
): Argument[] {
  const { pathParameters, queryParameters, body, httpMethod, isIdempotent, isConditional, result } = operation;
  const argument = (name: string, native: string[], doc: string[], about: string, value?: string): Argument => {
    const types = native.length === 2 && native[1] === "null" ? `?${native[0]}` : native.join("|");
    return {
      name,
      tag: { tag: "@param", type: doc.join("|"), name: `$${camelCase(name)}`, text: text(about) },
      code: `${types} $${camelCase(name)}${value === undefined ? "" : ` = ${value}`}`,
    };
  };
  const ofPath = pathParameters.map(({ name, type, description }) => {
    const types = type.kind === "integer" ? ["int", "string"] : ["string"];
    return argument(name, types, types, description);
  });
  const ofQuery = queryParameters.map((parameter) => {
    const [native, doc] = parameterTypes(parameter.type, models);
    const about = withRange(withValues(parameter, false), parameter);
    return parameter.isRequired
      ? argument(parameter.name, native, doc, about)
      : argument(parameter.name, [...native, "null"], [...doc, "null"], about, "null");
  });
  const isChange = httpMethod !== "POST";
  const ofBody = [...body]
    .sort((one, other) => Number(other.isRequired) - Number(one.isRequired))
    .map((field) => {
      const [native, doc] = parameterTypes(field.type, models, true);
      const about = withValues(field, false);
      if (field.isRequired) return argument(field.name, native, doc, about);
      if (!isChange) return argument(field.name, [...native, "null"], [...doc, "null"], about, "null");
      const ends = field.isNullable ? ["Absent", "null"] : ["Absent"];
      return argument(field.name, [...native, ...ends], [...doc, ...ends], about, "Absent::Field");
    });
  const optional = (name: string, type: string, about: string) =>
    argument(name, [type, "null"], [type, "null"], about, "null");
  return [
    ...ofPath,
    ...ofQuery,
    ...ofBody,
    ...(isIdempotent
      ? [
          optional(
            "idempotency_key",
            "string",
            "1 to 255 visible ASCII characters: calls with the same key within 24 hours are carried out once. Default: a random key, shared by the attempts of this call.",
          ),
        ]
      : []),
    ...(isConditional
      ? [optional("if_match", "string", "The etag of the response with the state that you change.")]
      : []),
    ...(result.kind === "pages"
      ? [optional("max_items", "int", "Maximum number of items, of this page and in a foreach.")]
      : []),
  ];
}

/** Adds the range and the default of a parameter to the first sentence of its description. */
function withRange(text: string, { minimum, maximum, default: usual }: Parameter): string {
  const limits = minimum !== undefined && maximum !== undefined && maximum < 1e6 ? [`${minimum} to ${maximum}`] : [];
  const defaults = usual === undefined || usual === minimum ? [] : [`default: ${usual}`];
  const all = [...limits, ...defaults].join("; ");
  return all === "" ? text : text.replace(/\.(?=\s|$)/, ` (${all}).`);
}

function returned(operation: Operation): { native: string; doc: string } {
  const { result } = operation;
  const page = pageClass(operation);
  switch (result.kind) {
    case "object":
    case "data":
      return { native: result.model, doc: "" };
    case "array":
      return { native: "Collection", doc: `Collection<${result.model}>` };
    case "positions":
      return { native: page ?? "", doc: "" };
    case "pages": {
      const types = result.items.flatMap(({ model }) =>
        isDetailed(operation, model) ? [model, detailed[model]] : [model],
      );
      return { native: page ?? "Page", doc: result.items.length > 1 ? "" : `${page ?? "Page"}<${types.join("|")}>` };
    }
    default:
      return { native: "void", doc: "" };
  }
}

/** The code of a request: the operation and its arguments. */
function requestOf(operation: Operation): string[] {
  const { id, result, pathParameters, queryParameters, body, isIdempotent, isConditional, httpMethod } = operation;
  const indent = "            ";
  const inCall = `${indent}    `;
  const named = (name: string, fields: { name: string }[], value = (field: string) => `$${camelCase(field)}`) =>
    fields.length === 0
      ? []
      : [
          list(
            `${name}: [`,
            fields.map((one) => `'${one.name}' => ${value(one.name)}`),
            "]",
            inCall,
          ),
        ];
  const sent = (name: string) => bodyValue(body.find((each) => each.name === name) as Field, httpMethod);
  const parts = [
    `Operation::${pascalCase(id)}`,
    ...named("ids", pathParameters),
    ...named("query", queryParameters),
    ...named("body", body, sent),
    ...(isIdempotent ? ["idempotencyKey: $idempotencyKey"] : []),
    ...(isConditional ? ["ifMatch: $ifMatch"] : []),
  ];
  const call = list("new Call(", parts, ")", indent);
  switch (result.kind) {
    case "object":
      return ["$this->connection->object", call, `${result.model}::class`, `'${result.key}'`];
    case "array":
      return ["$this->connection->collection", call, `${result.model}::class`, `'${result.key}'`];
    case "data":
      return ["$this->connection->object", call, `${result.model}::class`, "null"];
    case "positions":
      return ["$this->connection->object", call, `${pageClass(operation)}::class`, "null", `lists: ['${result.key}']`];
    case "pages": {
      const items = result.items.map(({ key, model }) => `'${key}' => ${itemClass(operation, model)}`);
      const page = pageClass(operation) ?? "Page";
      return [`new ${page}`, "$this->connection", call, list("[", items, "]", indent), "$maxItems"];
    }
    default:
      return ["$this->connection->send", call];
  }
}

function itemClass(operation: Operation, model: string): string {
  if (!isDetailed(operation, model)) return `${model}::class`;
  const by = operation.queryParameters.filter(({ name }) => name === "ids" || name === "fields");
  const isPlain = by.map(({ name }) => `$${camelCase(name)} === null`).join(" && ");
  return `${isPlain} ? ${model}::class : ${detailed[model]}::class`;
}

/** An empty object must stay an object in JSON. */
function bodyValue({ name, type, isRequired }: Field, httpMethod: string): string {
  const variable = `$${camelCase(name)}`;
  const isObject = type.kind === "model" || type.kind === "map";
  if (isRequired) return isObject ? `(object) ${variable}` : variable;
  if (httpMethod !== "POST") return isObject ? `is_array(${variable}) ? (object) ${variable} : ${variable}` : variable;
  return isObject ? `${variable} === null ? Absent::Field : (object) ${variable}` : `${variable} ?? Absent::Field`;
}

function keyOf({ permission, isOfTestMode }: Operation): string {
  if (isOfTestMode) return "Needs a test key.";
  return permission === null ? "Needs no API key." : `Needs the permission ${permission}.`;
}
