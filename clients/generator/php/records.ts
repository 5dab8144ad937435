import type { GeneratedFile } from "../emitter.ts";
import { settingsRecord, settingsRecordUses } from "./settings.ts";
import { comment, file } from "./text.ts";

/**
 * A class of values that calls accept and return, in addition to models. Its readonly properties are the constructor's
 * arguments, in this order.
 */
interface PhpRecord {
  name: string;
  about: string;
  /** Whether applications also create it, for example in tests. */
  isConstructed?: boolean;
  /** The record whose properties come first. */
  parent?: string;
  /** The type and description of each property, by name. */
  properties: Record<string, { type: string; doc?: string; text?: string }>;
}

const kind = { type: "string", text: "one of Value\\FileKind" };
const wholeBytes = { type: "int", text: "of the whole file" };

const records: PhpRecord[] = [
  {
    name: "RateLimit",
    about: "The rate limit of the key: the window with the fewest requests left.",
    isConstructed: true,
    properties: {
      limit: { type: "int", text: "requests that the window allows" },
      remaining: { type: "int", text: "requests left in the window" },
      reset: { type: "int", text: "Unix time in seconds at which the next request becomes available" },
      retryAfter: { type: "?int", text: "seconds to wait before the next request; null if the response has none" },
    },
  },
  {
    name: "BeatBatch",
    about: "Beats by their ids, in that order.",
    properties: {
      beats: { type: "array", doc: "list<BeatDetail>" },
      missing: { type: "array", doc: "list<int>", text: "ids without a beat" },
    },
  },
  {
    name: "UploadProgress",
    about: "The progress of an upload.",
    properties: {
      uploadId: { type: "string", text: "the id for uploads->resume(), also in a later process" },
      sent: { type: "int", text: "bytes that the service has" },
      bytes: wholeBytes,
    },
  },
  {
    name: "DownloadProgress",
    about: "The progress of a download.",
    properties: {
      kind,
      received: { type: "int", text: "bytes of the file that are on the disk" },
      bytes: wholeBytes,
    },
  },
  {
    name: "DownloadedFile",
    about: "A file of an order on the disk, whose bytes are those that the service lists.",
    properties: {
      kind,
      filename: { type: "string", text: "the name that the service lists" },
      bytes: { type: "int", text: "the size" },
      sha256: { type: "string", text: "of the bytes, in hex" },
      path: { type: "string", text: "where it is" },
    },
  },
  {
    name: "RequestInfo",
    about: "One attempt of a request, as it begins: what onRequest gets.",
    properties: {
      method: { type: "string" },
      path: { type: "string", text: "without the query" },
      operation: {
        type: "?string",
        text: "of the API, such as listBeats; null for request() and for links of files",
      },
      attempt: { type: "int", text: "from 1" },
      requestHeaders: {
        type: "array",
        doc: "array<string, string>",
        text: "by lower-case name; of the key, only the end is shown",
      },
    },
  },
  {
    name: "ResponseInfo",
    about: "One attempt of a request, when it has ended: what onResponse gets.",
    parent: "RequestInfo",
    properties: {
      status: { type: "?int", text: "null without a response" },
      durationMs: { type: "float", text: "until the last byte of the body" },
      requestId: { type: "?string", text: "the header X-Request-Id" },
      error: {
        type: "?\\Throwable",
        text: "what the attempt failed with: an error response, or no complete one; null if it succeeded",
      },
    },
  },
  {
    name: "OrderArchive",
    about: "A downloaded ZIP of all files of an order.",
    properties: { path: { type: "string", text: "the file, a ZIP" }, response: { type: "Response" } },
  },
  {
    name: "SalesExport",
    about: "A downloaded month of sales.",
    properties: { path: { type: "string", text: "the file, CSV with a header line" }, response: { type: "Response" } },
  },
];

const absent = `/** The default of each field of an update: the field is not sent, whereas null clears it. */
enum Absent
{
    case Field;
}
`;

/** The result of a call whose list has no pages. */
const collection: GeneratedFile = {
  path: "php/src/Collection.php",
  text: file(
    "BeatMarket",
    [],
    `/**
 * A list without pages.
 *
 * @template T
 * @implements \\IteratorAggregate<int, T>
 * @implements \\ArrayAccess<int, T>
 */
final class Collection implements \\IteratorAggregate, \\ArrayAccess, \\Countable, \\JsonSerializable
{
    /**
     * @internal
     * @param list<T> $data
     */
    public function __construct(public readonly array $data, public readonly Response $response)
    {
    }

    /** @return \\ArrayIterator<int, T> */
    public function getIterator(): \\ArrayIterator
    {
        return new \\ArrayIterator($this->data);
    }

    public function count(): int
    {
        return count($this->data);
    }

    public function offsetExists(mixed $offset): bool
    {
        return isset($this->data[$offset]);
    }

    /** @return T */
    public function offsetGet(mixed $offset): mixed
    {
        return $this->data[$offset];
    }

    public function offsetSet(mixed $offset, mixed $value): void
    {
        throw new \\Error('Cannot modify a readonly list');
    }

    public function offsetUnset(mixed $offset): void
    {
        $this->offsetSet($offset, null);
    }

    /** @return list<T> */
    public function jsonSerialize(): array
    {
        return $this->data;
    }
}
`,
  ),
};

/** All records are in one file, because each is only a few lines. */
export const recordFiles = (): GeneratedFile[] => [
  {
    path: "php/src/Generated/records.php",
    text: file(
      "BeatMarket",
      ["BeatMarket\\Model\\BeatDetail", ...settingsRecordUses],
      [absent, ...records.map(recordOf), settingsRecord].join("\n"),
    ).replace("declare(", "// phpcs:disable PSR1.Classes.ClassDeclaration.MultipleClasses\n\ndeclare("),
  },
  collection,
];

function recordOf({ name, about, isConstructed, parent, properties }: PhpRecord): string {
  const documented = Object.entries(properties).filter(([, { doc, text }]) => doc !== undefined || text !== undefined);
  const tags = documented.map(([property, { type, doc, text = "" }]) => ({
    tag: "@param",
    type: doc ?? type.replace(/^\?(.*)/, "$1|null"),
    name: `$${property}`,
    text,
  }));
  const parameters = Object.entries(properties).map(
    ([property, { type }]) => `        public readonly ${type} $${property},\n`,
  );
  const inherited = Object.keys(records.find((record) => record.name === parent)?.properties ?? {});
  const before = parent === undefined ? "" : `        ${parent} $begun,\n`;
  const call = inherited.map((property) => `            $begun->${property},\n`).join("");
  const body = parent === undefined ? "" : `        parent::__construct(\n${call}        );\n`;
  const isParent = records.some((record) => record.parent === name);
  return `${comment([about], [], "")}${isParent ? "" : "final "}class ${name}${parent === undefined ? "" : ` extends ${parent}`}
{
${comment(isConstructed === true ? [] : ["@internal"], tags, "    ")}    public function __construct(
${before}${parameters.join("")}    ) {
${body}    }
}
`;
}
