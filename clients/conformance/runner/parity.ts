import type { ClientInterface, Type } from "../../generator/interface/types.ts";

/** A driver's description of its client; see clients/conformance/README.md, "describe". */
export interface Description {
  language: string;
  version: string;
  operations: Record<string, { method: string; path: string; parameters: string[]; body: string[] }>;
  /** This field and the next two are absent for a client without types, which is the command line. */
  models?: Record<string, string[]>;
  events?: Record<string, string>;
  errors?: Record<string, string>;
  /** Parameters that every method takes as an option. */
  every_call?: string[];
}

/** Parameters that clients take but do not send, with the reason. */
const notSent: Record<string, string> = {
  "downloadOrderArchive.path": "the file that the ZIP is written to",
  "exportBeats.path": "the file that the export is written to",
  "exportSales.path": "the file that the month is written to",
};

/** The differences between a client and the interface that the generator derives from the document, as sentences. */
export function differences(described: Description, api: ClientInterface): string[] {
  const documented = interfaceDescription(api);
  return [
    ...compare("operation", documented.operations, described.operations, (name, expected, actual) => [
      ...(expected.method === actual.method && expected.path === actual.path
        ? []
        : [`${name} is ${actual.method} ${actual.path}, not ${expected.method} ${expected.path}`]),
      ...compareLists((each) => `parameter ${each} of ${name}`, expected.parameters, [
        ...actual.parameters.filter((parameter) => !(`${name}.${parameter}` in notSent)),
        ...expected.parameters.filter((parameter) => described.every_call?.includes(parameter)),
      ]),
      ...compareLists((each) => `body field ${each} of ${name}`, expected.body, actual.body),
    ]),
    ...compare("model", documented.models, described.models ?? documented.models, (name, expected, actual) =>
      compareLists((each) => `field ${each} of ${name}`, expected, actual),
    ),
    ...compare("event", documented.events, described.events ?? documented.events, (name, expected, actual) =>
      expected === actual ? [] : [`the data of ${name} is a ${actual}, not a ${expected}`],
    ),
    ...compare("error code", documented.errors, described.errors ?? documented.errors, (name, expected, actual) =>
      expected === actual ? [] : [`${name} is a ${actual}, not a ${expected}`],
    ),
  ];
}

/**
 * The models to compare. The fields of a nested model are compared as leaves of its parent, and events by their types.
 */
export const comparedModels = ({ models }: Pick<ClientInterface, "models">): string[] =>
  models.filter(({ name, isNested }) => !isNested && name !== "Event").map(({ name }) => name);

/** The interface in the form of a driver's description. */
function interfaceDescription({ operations, models, eventTypes, errorCodes }: ClientInterface) {
  const byName = <T>(entries: (readonly [string, T])[]): Record<string, T> => Object.fromEntries(entries);
  const names = (items: { name: string }[]): string[] => items.map(({ name }) => name);
  return {
    operations: byName(
      operations.map(({ id, httpMethod, path, pathParameters, queryParameters, body, isIdempotent, isConditional }) => {
        const headers = [...(isIdempotent ? ["idempotency_key"] : []), ...(isConditional ? ["if_match"] : [])];
        const parameters = [...names(pathParameters), ...names(queryParameters), ...headers];
        return [id, { method: httpMethod, path, parameters, body: names(body) }];
      }),
    ),
    models: byName(comparedModels({ models }).map((name) => [name, leaves({ kind: "model", name }, models)])),
    events: byName(eventTypes.map(({ type, data }) => [type, data])),
    errors: byName(errorCodes.map(({ code, error }) => [code, error])),
  };
}

/** The dotted paths of all fields within a type that are not objects. */
function leaves(type: Type, models: ClientInterface["models"], path = ""): string[] {
  if (type.kind === "list") return leaves(type.items, models, path);
  if (type.kind !== "model") return [path];
  const fields = models.find(({ name }) => name === type.name)?.fields ?? [];
  return fields.flatMap((field) => leaves(field.type, models, path === "" ? field.name : `${path}.${field.name}`));
}

function compare<T>(
  label: string,
  expected: Record<string, T>,
  actual: Record<string, T>,
  comparePair: (name: string, expected: T, actual: T) => string[],
): string[] {
  const sharedNames = Object.keys(expected).filter((name) => Object.hasOwn(actual, name));
  return [
    ...compareLists((name) => `${label} ${name}`, Object.keys(expected), Object.keys(actual)),
    ...sharedNames.flatMap((name) => comparePair(name, expected[name] as T, actual[name] as T)),
  ];
}

function compareLists(label: (name: string) => string, expected: string[], actual: string[]): string[] {
  return [
    ...expected.filter((name) => !actual.includes(name)).map((name) => `the ${label(name)} is missing`),
    ...actual.filter((name) => !expected.includes(name)).map((name) => `the ${label(name)} is not in the document`),
  ];
}
