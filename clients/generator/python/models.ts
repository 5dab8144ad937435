import type { ClientInterface, Field, Model, Type } from "../interface/types.ts";
import { argument, bracketed, docstring, exported, importing, inPython, module } from "./text.ts";

/** The type of a field in a response. Enumerations are open. */
export function typeName(type: Type): string {
  switch (type.kind) {
    case "integer":
      return "int";
    case "number":
      return "float";
    case "boolean":
      return "bool";
    case "any":
      return "Any";
    case "enum":
      return `${type.name} | str`;
    case "model":
      return type.name;
    case "list":
      return `list[${typeName(type.items)}]`;
    case "map":
      return `dict[str, ${typeName(type.values)}]`;
    case "union":
      return type.members.map(typeName).join(" | ");
    default:
      return "str";
  }
}

/** The names of the models within a type. */
export function modelsIn(type: Type): string[] {
  if (type.kind === "model") return [type.name];
  if (type.kind === "list") return modelsIn(type.items);
  if (type.kind === "union") return type.members.flatMap(modelsIn);
  return [];
}

/** The models that occur only in requests. Programs pass them as dicts. */
export function requestModels(api: ClientInterface): Set<string> {
  const names = api.operations.flatMap(({ body }) => body.flatMap(({ type }) => modelsIn(type)));
  const usedModels = new Set(api.models.flatMap(({ fields }) => fields.flatMap(({ type }) => modelsIn(type))));
  return new Set(names.filter((name) => !usedModels.has(name)));
}

/** The lines of a model's fields, except those that its parent has with the same description. */
export function fieldLines(model: Model, allModels: readonly Model[]): string[] {
  const parent = allModels.find(({ name }) => name === model.parent);
  const isOwn = (field: Field): boolean =>
    JSON.stringify(field) !== JSON.stringify(parent?.fields.find(({ name }) => name === field.name));
  return model.fields.filter(isOwn).flatMap((field) => {
    const facet = facetCounts[`${model.name}.${field.name}`];
    const fieldType = facet === undefined ? typeName(field.type) : `list[${facet}]`;
    const type = field.isNullable || !field.isRequired ? `${fieldType} | None` : fieldType;
    return [
      `    ${field.name}: ${type}${field.isRequired ? "" : " = None"}`,
      ...(field.description ? docstring(inPython(field.description), "    ") : []),
    ];
  });
}

/** The class for a part of a feed. */
export const feedLines = (model: string, key: string): string[] => [
  `class ${model}Page(Model):`,
  `    """A page of ${key}, in the order of commits."""`,
  "",
  `    ${key}: list[${model}]`,
  "    next: int",
  '    """The position to continue from."""',
];

export function enums(api: ClientInterface): string {
  return module("Known values of fields and arguments. The API may add values.", [
    "from typing import Literal",
    "",
    ...exported(api.enums.map(({ name }) => name)),
    "",
    ...api.enums.flatMap(({ name, values }) =>
      bracketed(
        `${name} = Literal[`,
        values.map((value) => JSON.stringify(value)),
        "]",
        "",
      ),
    ),
  ]);
}

export function models(api: ClientInterface): string {
  const requests = requestModels(api);
  const classModels = api.models.filter(({ name }) => name !== "Event");
  const feeds = api.operations.flatMap(({ result }) =>
    result.kind === "positions" && result.model !== "Event" ? [result] : [],
  );
  const enumNames = new Set<string>();
  for (const { name: model, fields } of classModels)
    for (const { type } of fields) if (!requests.has(model)) for (const name of enumsIn(type)) enumNames.add(name);
  return module("The objects of the API.", [
    ...importing("typing", ["Literal", ...(requests.size > 0 ? ["TypedDict"] : [])]),
    "",
    ...importing("..model", ["Model"]),
    ...importing(".enums", enumNames),
    "",
    ...exported([
      ...classModels.map(({ name }) => name),
      "ReadyUpload",
      ...countNames,
      ...feeds.map(({ model }) => `${model}Page`),
    ]),
    "",
    "",
    ...classModels
      .map((model) =>
        requests.has(model.name)
          ? requestLines(model)
          : [
              `class ${model.name}(${model.parent ?? "Model"}):`,
              ...docstring(inPython(model.description), "    "),
              "",
              ...fieldLines(model, classModels),
            ],
      )
      .concat([readyUpload, ...counts])
      .concat(feeds.map(({ model, key }) => feedLines(model, key)))
      .flatMap((lines, index) => (index === 0 ? lines : ["", "", ...lines])),
  ]);
}

/** The class of the counts of each facet. In the shared model, `value` is a union. */
const facetCounts: Readonly<Record<string, string>> = {
  "Facets.genre": "GenreCount",
  "Facets.key": "TextCount",
  "Facets.bpm": "NumberCount",
  "Facets.price": "NumberCount",
  "Facets.tag": "TextCount",
};

const countLines = (name: string, described: string, value: string): string[] => [
  `class ${name}(FacetCount):`,
  `    """How many beats have ${described}."""`,
  "",
  `    value: ${value}`,
];
const countNames = ["GenreCount", "TextCount", "NumberCount"];
const counts = [
  countLines("GenreCount", "a genre", "GenreName"),
  countLines("TextCount", 'a key, as it is in beats ("" for an unknown one), or a tag', "str"),
  countLines("NumberCount", "a bpm or a price in a range of values, of which `value` is the lowest", "float"),
];

/** The result of `uploads.wait`. */
const readyUpload = [
  "class ReadyUpload(Upload):",
  '    """An upload that is ready: beats can be created from it."""',
  "",
  '    status: Literal["ready"]',
  "    sha256: str",
  '    """The SHA-256 of the file that you uploaded, in hex."""',
  "    rejection: None = None",
];

/** A dictionary of a request. The functional syntax of TypedDict allows keywords as names, such as `from`. */
function requestLines({ name, description, fields }: Model): string[] {
  if (fields.some(({ name: field }) => argument(field) !== field))
    return [
      `${name} = TypedDict(`,
      `    "${name}",`,
      "    {",
      ...fields.map(({ name: field, type }) => `        "${field}": ${typeName(type)},`),
      "    },",
      "    total=False,",
      ")",
      `${name}.__doc__ = ${JSON.stringify(inPython(description))}`,
    ];
  return [
    `class ${name}(TypedDict, total=False):`,
    ...docstring(inPython(description), "    "),
    "",
    ...fields.map(({ name: field, type }) => `    ${field}: ${typeName(type)}`),
  ];
}

export function events(api: ClientInterface): string {
  const event = api.models.find(({ name }) => name === "Event") as Model;
  const feed = api.operations.find(({ result }) => result.kind === "positions" && result.model === "Event");
  const names = [...new Set(api.eventTypes.map(({ data }) => data))];
  const common = event.fields.filter(({ name }) => name !== "type" && name !== "data");
  const eventClass = (name: string, doc: string, type: string, data: string): string[] => [
    "",
    "",
    `class ${name}(BaseEvent):`,
    ...docstring(doc, "    "),
    "",
    `    type: Literal["${type}"]`,
    `    data: ${data}`,
  ];
  return module("Events of the account. Distinguish them by `type`, with isinstance, or match.", [
    "from typing import Any, Literal",
    "",
    ...importing("..model", ["Model"]),
    ...importing(".models", names),
    "",
    ...exported(["Event", "EventPage", "UnknownEvent", ...api.eventTypes.map(({ name }) => name)]),
    "",
    "",
    "class BaseEvent(Model):",
    `    """${inPython(event.description)}"""`,
    "",
    ...fieldLines({ ...event, fields: common }, []),
    "",
    "    @classmethod",
    "    def _kind(cls, fields: dict[str, Any]) -> Any:",
    '        return EVENTS.get(str(fields.get("type")), UnknownEvent)',
    ...api.eventTypes.flatMap(({ type, name, data, description }) =>
      eventClass(name, `\`${type}\`: ${description.charAt(0).toLowerCase()}${description.slice(1)}`, type, data),
    ),
    ...eventClass(
      "UnknownEvent",
      "An event of a type that is newer than this version. The text below stands for its `type`, so that type checkers narrow the known types.",
      "(newer than this client)",
      "Any",
    ),
    "",
    "",
    "Event = (",
    ...api.eventTypes.map(({ name }, index) => `    ${index === 0 ? "" : "| "}${name}`),
    "    | UnknownEvent",
    ")",
    '"""An event, as webhooks deliver it. A comparison of its `type` narrows it, and so the type of its `data`."""',
    "",
    "",
    ...(feed?.result.kind === "positions" ? feedLines("Event", feed.result.key) : []),
    "",
    "",
    "EVENTS: dict[str, type[BaseEvent]] = {",
    ...api.eventTypes.map(({ type, name }) => `    "${type}": ${name},`),
    "}",
    '"""The class of each event type."""',
  ]);
}

export function errors(api: ClientInterface): string {
  return module("The error of each code of the API.", [
    ...importing("..errors", ["APIStatusError", ...api.errorCodes.map(({ error }) => error)]),
    "",
    "ERRORS: dict[str, type[APIStatusError]] = {",
    ...api.errorCodes.map(({ code, error }) => `    "${code}": ${error},`),
    "}",
    '"""The error class of each code, for statuses without a class."""',
  ]);
}

/** The names of the enumerations within a type. */
export function enumsIn(type: Type): string[] {
  if (type.kind === "enum") return [type.name];
  if (type.kind === "list") return enumsIn(type.items);
  if (type.kind === "union") return type.members.flatMap(enumsIn);
  return [];
}
