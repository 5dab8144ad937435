import { camelCase, pascalCase } from "../case.ts";
import type { ClientInterface, Operation } from "../interface/types.ts";
import { baseClass, fileMethod, transferImports } from "./files.ts";
import { optional, queryName } from "./models.ts";
import { braces, documentation, list, members, modelName, union } from "./text.ts";

/** The pages with additional fields, and the classes with the methods of the resources and of the client itself. */
export function resources(api: ClientInterface): string {
  const { resources: allResources, operations, fileMethods } = api;
  const requestMethods = operations.filter(({ result }) => result.kind !== "file");
  const pages = requestMethods.flatMap(pageInterface);
  const classes = allResources.map(({ name, description }) => {
    const methods = [
      ...requestMethods.filter(({ resource }) => resource === name).map(method),
      ...fileMethods.filter(({ resource }) => resource === name).map(fileMethod),
    ];
    return classOf(pascalCase(name), description, methods, baseClass(name, api));
  });
  const ofClient = classOf(
    "ClientMethods",
    "",
    requestMethods.filter(({ resource }) => resource === null).map(method),
    "Resource",
  );
  const body = [...pages, ...classes, ofClient].join("\n");
  const isUsed = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(body);
  const types = (names: string[]): string[] => [...new Set(names)].filter(isUsed).sort(byName);
  const models = types([
    ...requestMethods.flatMap((operation) => [...modelsOf(operation), queryName(operation)]),
    "BeatDetail",
    "FileKind",
    "Upload",
  ]);
  const promises = braces("import type ", types(["APIPromise"]), ' from "../response.ts";');
  const lists = braces(
    "import ",
    [...types(["List"]), ...types(["Page"]).map((name) => `type ${name}`)],
    ' from "../list.ts";',
  );
  const base = 'import { Resource } from "../resource.ts";';
  const calls = braces(
    "import type ",
    types(["CallOptions", "CreateOptions", "EditOptions"]),
    ' from "../call-options.ts";',
  );
  const ofModels = braces("import type ", models, ' from "./models.ts";');
  const [exports = "", orders = "", uploads = ""] = transferImports;
  const imports = [calls, exports, lists, orders, base, promises, uploads, ofModels];
  return [...imports, 'import { operations } from "./operations.ts";', "", body].join("\n");
}

const byName = (name: string, otherName: string): number => (name.toLowerCase() < otherName.toLowerCase() ? -1 : 1);

function modelsOf({ result, bodyName }: Operation): string[] {
  const ofBody = bodyName === null ? [] : [bodyName];
  switch (result.kind) {
    case "object":
    case "array":
    case "positions":
    case "data":
      return [...ofBody, modelName(result.model)];
    case "pages":
      return [
        ...result.items.map(({ model }) => model),
        ...result.extras.flatMap(({ type }) => members(type)),
        ...ofBody,
      ];
    default:
      return ofBody;
  }
}

/** A page of a feed, or with fields in addition to the items; none for other results. */
function pageInterface(operation: Operation): string[] {
  const { result } = operation;
  if (result.kind === "positions")
    return [
      `/** A part of a feed. \`next\` is the position to continue from. */
export interface ${result.model}Page {
  ${result.key}: ${modelName(result.model)}[];
  next: number;
}
`,
    ];
  if (result.kind !== "pages" || result.extras.length === 0) return [];
  const extras = result.extras.map(
    ({ name, type, isRequired, isNullable, description }) =>
      `${documentation([description], "  ")}${union(`  ${name}${isRequired ? "" : "?"}:`, [...members(type), ...(isNullable ? ["null"] : [])], ";")}\n`,
  );
  const [first, ...otherItems] = result.items;
  const lists = otherItems.length === 0 ? [] : result.items.map(({ key, model }) => `  ${key}: ${model}[];\n`);
  const generic =
    otherItems.length === 0 ? `<T = ${first?.model}> extends Page<T>` : ` extends Page<${itemOf(operation)}>`;
  return [
    `/** One page, with the fields of the whole list. */\nexport interface ${pageName(operation)}${generic} {\n${[...lists, ...extras].join("")}}\n`,
  ];
}

/** The type of the items of a list. */
const itemOf = ({ result }: Operation): string =>
  result.kind === "pages" ? result.items.map(({ model }) => model).join(" | ") : "never";

const pageName = ({ id, result }: Operation): string =>
  result.kind === "pages" && result.items.length === 1 ? `${result.items[0]?.model}Page` : `${pascalCase(id)}Page`;

const classOf = (name: string, description: string, methods: string[], base: string): string =>
  `${documentation([description])}export class ${name} extends ${base} {\n${methods.join("\n")}}\n`;

function method(operation: Operation): string {
  const { id, pathParameters, queryParameters, bodyName, isIdempotent, isConditional, result } = operation;
  const requiredParameters = queryParameters.filter(({ isRequired }) => isRequired);
  const hasQuery = optional(queryParameters).length > 0;
  const writeOptions = isConditional ? "EditOptions" : "CreateOptions";
  const options = isConditional || isIdempotent ? writeOptions : "CallOptions";
  const parameters = [
    ...pathParameters.map(
      ({ name, type }) =>
        `${camelCase(name)}: ${type.kind === "integer" ? "number | string" : members(type).join(" | ")}`,
    ),
    ...requiredParameters.map(({ name, type }) => `${camelCase(name)}: ${members(type, true).join(" | ")}`),
    ...(bodyName === null ? [] : [`fields: ${bodyName}`]),
    ...(hasQuery ? [`query?: ${queryName(operation)}`] : []),
    `options?: ${options}`,
  ];
  const query = [
    ...requiredParameters.map(({ name }) => shorthand(name)),
    ...(hasQuery && requiredParameters.length > 0 ? ["...query"] : []),
  ];
  const plainQuery = hasQuery ? ["query"] : [];
  const queryArgument = query.length > 0 ? [`query: { ${query.join(", ")} }`] : plainQuery;
  const argumentList = [
    ...(pathParameters.length === 0
      ? []
      : [`ids: { ${pathParameters.map(({ name }) => shorthand(name)).join(", ")} }`]),
    ...(bodyName === null ? [] : ["body: fields"]),
    ...queryArgument,
    "options",
  ];
  const call = result.kind === "pages" ? "new List(this.sender, " : "this.sender.call(";
  const heading = list(`  ${camelCase(operation.method)}`, parameters, `: ${returnType(operation)} {`);
  return `${documentation(sentences(operation), "  ")}${heading}
${braces(`    return ${call}operations.${id}, `, argumentList, ");")}
  }
`;
}

const shorthand = (name: string): string => (camelCase(name) === name ? name : `${name}: ${camelCase(name)}`);

function sentences({ description, permission, isOfTestMode, result }: Operation): string[] {
  const paging = result.kind === "pages" ? "`await` returns one page, `for await` iterates over all of them." : "";
  const withoutPermission = isOfTestMode ? "It needs a test key." : "No API key is needed.";
  return [
    description.replaceAll("\n", " "),
    paging,
    permission === null ? withoutPermission : `Permission: \`${permission}\`.`,
  ];
}

function returnType(operation: Operation): string {
  const { result } = operation;
  switch (result.kind) {
    case "object":
    case "data":
      return `APIPromise<${modelName(result.model)}>`;
    case "array":
      return `APIPromise<${modelName(result.model)}[]>`;
    case "positions":
      return `APIPromise<${result.model}Page>`;
    case "pages":
      return `List<${itemOf(operation)}${result.extras.length > 0 ? `, ${pageName(operation)}` : ""}>`;
    default:
      return "APIPromise<void>";
  }
}
