import { camelCase, pascalCase } from "../case.ts";
import type { GeneratedFile } from "../emitter.ts";
import type { ClientInterface, Field, Model, Operation } from "../interface/types.ts";
import { comment, constant, file, list, type Tag } from "./text.ts";
import { described, docType, modelsIn, readers, responseModels, withValues } from "./types.ts";

/** The classes of responses: models, pages with additional fields, and pages of feeds. */
export function modelFiles(api: ClientInterface): GeneratedFile[] {
  const text = described(api);
  const inResponses = responseModels(api);
  return [
    ...api.models.filter(({ name }) => inResponses.has(name)).map((model) => modelFile(model, api, text)),
    readyUpload,
    feedPage,
    ...api.operations.flatMap((operation) => pageFile(operation, text)),
  ];
}

/** The result of `uploads->wait()`. */
const readyUpload: GeneratedFile = {
  path: "php/src/Model/ReadyUpload.php",
  text: file(
    "BeatMarket\\Model",
    [],
    `${comment(
      ["An upload that is ready: beats can be created from it."],
      [
        {
          tag: "@property-read",
          type: "string",
          name: "$sha256",
          text: "The SHA-256 of the file that you uploaded, in hex.",
        },
        { tag: "@property-read", type: "'ready'", name: "$status", text: "" },
        { tag: "@property-read", type: "null", name: "$rejection", text: "" },
      ],
      "",
    )}final class ReadyUpload extends Upload\n{\n}\n`,
  ),
};

/** The parent class of the pages of feeds, whose position always has the same name. */
const feedPage: GeneratedFile = {
  path: "php/src/FeedPage.php",
  text: file(
    "BeatMarket",
    [],
    `${comment(
      ["A page of a feed, in the order of commits."],
      [{ tag: "@property-read", type: "int", name: "$next", text: "the position to continue from" }],
      "",
    )}abstract class FeedPage extends Model
{
    public readonly ?Response $response;

    /** @internal use fromArray() */
    public function __construct(array $wire, ?Response $response = null)
    {
        parent::__construct($wire, $response);
        $this->response = $response;
    }
}
`,
  ),
};

function modelFile(model: Model, api: ClientInterface, text: (value: string) => string): GeneratedFile {
  const { name, parent, description } = model;
  const inherited = api.models.find((model) => model.name === parent)?.fields ?? [];
  const own = model.fields.filter((field) => !inherited.some((each) => each.name === field.name));
  const isParent = name === "Upload" || api.models.some((model) => model.parent === name);
  const isEvent = own.some(({ name: fieldName, type }) => fieldName === "data" && type.kind === "any");
  const code = [
    comment(
      [text(description)],
      own.map((field) => propertyTag(field, text)),
      "",
    ),
    `${isParent ? "" : "final "}class ${name} extends ${parent ?? "Model"}\n{\n`,
    isEvent ? `${eventModels(api)}\n` : "",
    fieldsConstant(own, parent !== null),
    isEvent ? eventReaders : "",
    "}\n",
  ].join("");
  const uses = [
    ...(parent === null ? ["BeatMarket\\Model"] : []),
    ...(isEvent ? ["BeatMarket\\Value\\EventType"] : []),
  ];
  return { path: `php/src/Model/${name}.php`, text: file("BeatMarket\\Model", uses, code) };
}

function propertyTag(field: Field, text: (value: string) => string): Tag {
  const type = field.type.kind === "any" && field.name === "data" ? "Model" : docType(field.type);
  return {
    tag: "@property-read",
    type: field.isNullable || !field.isRequired ? `${type}|null` : type,
    name: `$${camelCase(field.name)}`,
    text: text(withValues(field, true)),
  };
}

function fieldsConstant(fields: Field[], isChild: boolean): string {
  const lines = fields.map(
    ({ name, type }) =>
      `        '${camelCase(name)}' => ${list("[", [`'${name}'`, ...readers(type)], "]", "        ")},\n`,
  );
  return `    public const FIELDS = [\n${isChild ? "        ...parent::FIELDS,\n" : ""}${lines.join("")}    ];\n`;
}

function eventModels({ eventTypes }: ClientInterface): string {
  const lines = eventTypes.map(({ type, data }) => `        EventType::${constant(type)} => ${data}::class,\n`);
  return `    /** The model of each type's data. The data of an unknown type is a Model itself. */
    public const MODELS = [
${lines.join("")}    ];
`;
}

const eventReaders = `
    /** @internal */
    protected static function readers(string $property, array $wire): array
    {
        return $property === 'data'
            ? [self::MODELS[is_string($wire['type'] ?? null) ? $wire['type'] : ''] ?? Model::class]
            : parent::readers($property, $wire);
    }
`;

/** The name of the class of an operation's pages. */
export function pageClass({ result, method }: Operation): string | null {
  if (result.kind === "positions") return `${result.model}Page`;
  if (result.kind !== "pages" || result.extras.length === 0) return null;
  return result.items.length === 1 ? `${result.items[0]?.model}Page` : `${pascalCase(method)}Page`;
}

function pageFile(operation: Operation, text: (value: string) => string): GeneratedFile[] {
  const { result } = operation;
  const name = pageClass(operation);
  if (name === null) return [];
  if (result.kind === "positions") {
    const items: Field = {
      name: result.key,
      type: { kind: "list", items: { kind: "model", name: result.model } },
      isRequired: true,
      isNullable: false,
      description: "",
    };
    const next: Field = {
      ...items,
      name: "next",
      type: { kind: "integer" },
      description: "The position to continue from.",
    };
    const tags = [items, next].map((field) => propertyTag(field, text));
    const code = `${comment([`A page of ${result.key}, in the order of commits.`], tags, "")}final class ${name} extends FeedPage
{
${fieldsConstant([items, next], false)}}
`;
    const uses = ["BeatMarket\\FeedPage", `BeatMarket\\Model\\${result.model}`];
    return [{ path: `php/src/Page/${name}.php`, text: file("BeatMarket\\Page", uses, code) }];
  }
  if (result.kind !== "pages") return [];
  // A page with lists of several models offers each list by its name.
  const lists = result.items.map(({ key, model }) => ({ name: key, type: { kind: "model" as const, name: model } }));
  const listTags = lists.map(({ name: listName, type }): Tag => {
    return {
      tag: "@property-read",
      type: `list<${type.name}>`,
      name: `$${camelCase(listName)}`,
      text: "Of this page.",
    };
  });
  const tags = [...(lists.length > 1 ? listTags : []), ...result.extras.map((field) => propertyTag(field, text))];
  const models = [...result.items.map(({ model }) => model), ...result.extras.flatMap(({ type }) => modelsIn(type))];
  const generic: Tag[] =
    lists.length > 1
      ? [{ tag: "@extends", type: `Page<${lists.map(({ type }) => type.name).join("|")}>`, name: "", text: "" }]
      : [
          { tag: "@template", type: `T of ${lists[0]?.type.name}`, name: "", text: "" },
          { tag: "@extends", type: "Page<T>", name: "", text: "" },
        ];
  const order = lists.map(({ name: listName }) => listName).join(", then its ");
  const about = `One page of ${lists.length > 1 ? "results" : lists[0]?.name}. foreach iterates over all pages${
    lists.length > 1 ? `: over each page's ${order}` : ", with the same filters"
  }.`;
  const code = `${comment([about], [...tags, ...generic], "")}final class ${name} extends Page
{
${fieldsConstant(result.extras, true)}}
`;
  const uses = ["BeatMarket\\Page", ...models.map((model) => `BeatMarket\\Model\\${model}`)];
  return [{ path: `php/src/Page/${name}.php`, text: file("BeatMarket\\Page", uses, code) }];
}
