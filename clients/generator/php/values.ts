import { pascalCase } from "../case.ts";
import type { GeneratedFile } from "../emitter.ts";
import type { ClientInterface, Operation } from "../interface/types.ts";
import { byStatus, statusExceptionClasses } from "./exceptions.ts";
import { caseOf, comment, constant, file } from "./text.ts";

/** The enumerations of known values, and the table of operations. */
export function valueFiles(api: ClientInterface): GeneratedFile[] {
  return [
    ...api.enums.map(({ name, values }) => valueFile(name, values)),
    errorCodes(api),
    { path: "php/src/Generated/Operation.php", text: operations(api.operations) },
  ];
}

/** A case of the enumeration and a constant with its text, because responses may have unknown values. */
function members(values: string[]): string {
  const cases = values.map((value) => `    case ${caseOf(value)} = '${value}';\n`);
  const constants = values.map((value) => `    public const ${constant(value)} = '${value}';\n`);
  return `${cases.join("")}\n${constants.join("")}`;
}

const about = comment(
  [
    "The known values. Arguments take cases and texts. Responses have texts, since the API may add values: compare them with the constants, or make a case of one with tryFrom().",
  ],
  [],
  "",
);

function valueFile(name: string, values: string[]): GeneratedFile {
  const code = `${about}enum ${name}: string\n{\n${members(values)}}\n`;
  return { path: `php/src/Value/${name}.php`, text: file("BeatMarket\\Value", [], code) };
}

function errorCodes({ errorCodes: all }: ClientInterface): GeneratedFile {
  const exception = (error: string) => `${error.replace(/Error$/, "")}Exception`;
  const classes = all.map(({ code, error }) => `        self::${constant(code)} => ${exception(error)}::class,\n`);
  const code = `${about}enum ErrorCode: string
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
  const uses = [...all.map(({ error }) => `BeatMarket\\Exception\\${exception(error)}`), ...statusExceptionClasses];
  return { path: "php/src/Value/ErrorCode.php", text: file("BeatMarket\\Value", uses, code) };
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
