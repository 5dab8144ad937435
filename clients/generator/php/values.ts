import { pascalCase } from "../case.ts";
import type { GeneratedFile } from "../emitter.ts";
import type { ClientInterface, Operation, Type } from "../interface/types.ts";
import { byStatus, statusExceptionClasses } from "./exceptions.ts";
import { caseOf, comment, constant, file } from "./text.ts";

/** The enumerations of known values, and the table of operations. */
export function valueFiles(api: ClientInterface): GeneratedFile[] {
  const passed = enumsOf(api, api.operations.flatMap(typesPassed));
  const returned = enumsOf(api, typesReturned(api));
  return [
    ...api.enums.map(({ name, values }) =>
      valueFile(name, values, { isPassed: passed.has(name), isReturned: returned.has(name) }),
    ),
    errorCodes(api),
    { path: "php/src/Generated/Operation.php", text: operations(api.operations) },
  ];
}

/** A case and a constant for each value. Responses, which may have unknown values, are compared with the constants. */
function members(values: string[]): string {
  const cases = values.map((value) => `    case ${caseOf(value)} = '${value}';\n`);
  const constants = values.map((value) => `    public const ${constant(value)} = '${value}';\n`);
  return `${cases.join("")}\n${constants.join("")}`;
}

const typesPassed = ({ pathParameters, queryParameters, body }: Operation): Type[] =>
  [...pathParameters, ...queryParameters, ...body].map(({ type }) => type);

function typesReturned({ operations, eventTypes, fileMethods }: ClientInterface): Type[] {
  const models = [
    ...eventTypes.map(({ data }) => data),
    ...fileMethods.map(({ returns }) => returns.model),
    ...operations.flatMap(({ result }) => {
      if ("model" in result) return [result.model];
      return result.kind === "pages" ? result.items.map(({ model }) => model) : [];
    }),
  ];
  const extras = operations.flatMap(({ result }) => (result.kind === "pages" ? result.extras : []));
  return [...models.map((name): Type => ({ kind: "model", name })), ...extras.map(({ type }) => type)];
}

/** The names of the enumerations in these types and in the models that they contain. */
function enumsOf({ models }: ClientInterface, types: Type[]): Set<string> {
  const fields = new Map(models.map((model) => [model.name, model.fields]));
  const enums = new Set<string>();
  const seen = new Set<string>();
  const visit = (type: Type): void => {
    if (type.kind === "enum") enums.add(type.name);
    else if (type.kind === "list") visit(type.items);
    else if (type.kind === "map") visit(type.values);
    else if (type.kind === "union") type.members.forEach(visit);
    else if (type.kind === "model" && !seen.has(type.name)) {
      seen.add(type.name);
      for (const field of fields.get(type.name) ?? []) visit(field.type);
    }
  };
  types.forEach(visit);
  return enums;
}

function about(name: string, example: string, { isPassed, isReturned }: { isPassed: boolean; isReturned: boolean }) {
  const constantName = constant(example);
  const sentences = [
    "The known values.",
    isPassed && "You may pass an enum case or a string.",
    isReturned &&
      `Responses contain strings, because the API may add values later: compare them with the constants (\`${name}::${constantName}\`), or convert one with \`${name}::tryFrom($string)\`.`,
  ];
  return comment([sentences.filter((sentence) => sentence !== false).join(" ")], [], "");
}

function valueFile(name: string, values: string[], uses: { isPassed: boolean; isReturned: boolean }): GeneratedFile {
  const code = `${about(name, values[0] ?? "", uses)}enum ${name}: string\n{\n${members(values)}}\n`;
  return { path: `php/src/Value/${name}.php`, text: file("BeatMarket\\Value", [], code) };
}

function errorCodes({ errorCodes: all }: ClientInterface): GeneratedFile {
  const exception = (error: string) => `${error.replace(/Error$/, "")}Exception`;
  const classes = all.map(({ code, error }) => `        self::${constant(code)} => ${exception(error)}::class,\n`);
  const uses = { isPassed: false, isReturned: true };
  const code = `${about("ErrorCode", all[0]?.code ?? "", uses)}enum ErrorCode: string
{
${members(all.map(({ code: value }) => value))}
    /** @internal */
    public const EXCEPTIONS = [
${classes.join("")}    ];

    /** @internal */
    public const EXCEPTIONS_BY_STATUS = [
${byStatus.join("")}    ];
}
`;
  const imports = [...all.map(({ error }) => `BeatMarket\\Exception\\${exception(error)}`), ...statusExceptionClasses];
  return { path: "php/src/Value/ErrorCode.php", text: file("BeatMarket\\Value", imports, code) };
}

function operations(all: Operation[]): string {
  const cases = all
    .map(({ id, httpMethod, path }) => `    case ${pascalCase(id)} = '${httpMethod} ${path}';\n`)
    .join("");
  const code = `/**
 * The API's operations: method, and path below the base URL with ids in braces.
 *
 * @internal
 */
enum Operation: string
{
${cases}
    /** The operationId. */
    public function id(): string
    {
        return lcfirst($this->name);
    }
}
`;
  return file("BeatMarket\\Generated", [], code);
}
