import type { ClientInterface, Type } from "../../generator/interface/types.ts";

/** A driver's description of its client; see README.md, "describe". */
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
  const documented = expected(api);
  return [
    ...compare("operation", documented.operations, described.operations, (name, wanted, given) => [
      ...(wanted.method === given.method && wanted.path === given.path
        ? []
        : [`${name} is ${given.method} ${given.path}, not ${wanted.method} ${wanted.path}`]),
      ...compareLists(`parameter of ${name}`, wanted.parameters, [
        ...given.parameters.filter((parameter) => !(`${name}.${parameter}` in notSent)),
        ...wanted.parameters.filter((parameter) => described.every_call?.includes(parameter)),
      ]),
      ...compareLists(`body field of ${name}`, wanted.body, given.body),
    ]),
    ...compare("model", documented.models, described.models ?? documented.models, (name, wanted, given) =>
      compareLists(`field of ${name}`, wanted, given),
    ),
    ...compare("event", documented.events, described.events ?? documented.events, (name, wanted, given) =>
      wanted === given ? [] : [`the data of ${name} is a ${given}, not a ${wanted}`],
    ),
    ...compare("error code", documented.errors, described.errors ?? documented.errors, (name, wanted, given) =>
      wanted === given ? [] : [`${name} is a ${given}, not a ${wanted}`],
    ),
  ];
}

/**
 * The models to compare. The fields of a nested model are compared as leaves of its parent, and events by their types.
 */
export const comparedModels = ({ models }: Pick<ClientInterface, "models">): string[] =>
  models.filter(({ name, isNested }) => !isNested && name !== "Event").map(({ name }) => name);

/** The interface in the form of a driver's description. */
function expected({ operations, models, eventTypes, errorCodes }: ClientInterface) {
  const named = <T>(entries: (readonly [string, T])[]): Record<string, T> => Object.fromEntries(entries);
  const names = (all: { name: string }[]): string[] => all.map(({ name }) => name);
  return {
    operations: named(
      operations.map(({ id, httpMethod, path, pathParameters, queryParameters, body, isIdempotent, isConditional }) => {
        const headers = [...(isIdempotent ? ["idempotency_key"] : []), ...(isConditional ? ["if_match"] : [])];
        const parameters = [...names(pathParameters), ...names(queryParameters), ...headers];
        return [id, { method: httpMethod, path, parameters, body: names(body) }];
      }),
    ),
    models: named(comparedModels({ models }).map((name) => [name, leaves({ kind: "model", name }, models)])),
    events: named(eventTypes.map(({ type, data }) => [type, data])),
    errors: named(errorCodes.map(({ code, error }) => [code, error])),
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
  what: string,
  wanted: Record<string, T>,
  given: Record<string, T>,
  both: (name: string, wanted: T, given: T) => string[],
): string[] {
  const shared = Object.keys(wanted).filter((name) => Object.hasOwn(given, name));
  return [
    ...compareLists(what, Object.keys(wanted), Object.keys(given)),
    ...shared.flatMap((name) => both(name, wanted[name] as T, given[name] as T)),
  ];
}

function compareLists(what: string, wanted: string[], given: string[]): string[] {
  return [
    ...wanted.filter((one) => !given.includes(one)).map((one) => `the ${what} ${one} is missing`),
    ...given.filter((one) => !wanted.includes(one)).map((one) => `the ${what} ${one} is not in the document`),
  ];
}
