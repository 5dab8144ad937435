import type { GeneratedFile } from "../emitter.ts";
import { comment, file } from "./text.ts";

/** What calls take and return in addition to models: readonly properties, which the constructor takes in this order. */
interface PhpRecord {
  name: string;
  about: string;
  /** Whether applications make it too, such as in tests. */
  isConstructed?: boolean;
  /** By name: the type, and what it is. */
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
    about: "How far an upload is.",
    properties: {
      uploadId: { type: "string", text: "what uploads->resume() takes, also in a later process" },
      sent: { type: "int", text: "bytes that the service has" },
      bytes: wholeBytes,
    },
  },
  {
    name: "DownloadProgress",
    about: "How far a download is.",
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
      filename: { type: "string", text: "what the service calls it" },
      bytes: { type: "int", text: "the size" },
      sha256: { type: "string", text: "of the bytes, in hex" },
      path: { type: "string", text: "where it is" },
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

/** The records in one file: each is a few lines, which a file of its own would double. */
export const recordFiles = (): GeneratedFile[] => [
  {
    path: "php/src/Generated/records.php",
    text: file("BeatMarket", ["BeatMarket\\Model\\BeatDetail"], records.map(recordOf).join("\n")).replace(
      "declare(",
      "// phpcs:disable PSR1.Classes.ClassDeclaration.MultipleClasses\n\ndeclare(",
    ),
  },
];

function recordOf({ name, about, isConstructed, properties }: PhpRecord): string {
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
  return `${comment([about], [], "")}final class ${name}
{
${comment(isConstructed === true ? [] : ["@internal"], tags, "    ")}    public function __construct(
${parameters.join("")}    ) {
    }
}
`;
}
