import { camelCase } from "../case.ts";
import type { GeneratedFile } from "../emitter.ts";
import { comment, file, methodHead, type Tag } from "./text.ts";

/** An argument of a method. */
export interface PhpArgument {
  name: string;
  /** The PHP type; empty if PHP cannot express it. */
  type: string;
  /** The PHPDoc type, if it is more specific. */
  doc?: string;
  text?: string;
  /** The code of the default. */
  value?: string;
}

/** A method that calls hand-written code: for a raw request, for several requests or none, or for files. */
export interface Composed {
  /** The resource that has the method; null for a method of the client itself. */
  resource: string | null;
  name: string;
  prose: string[];
  arguments: PhpArgument[];
  /** The PHP type, and the PHPDoc type if it is more specific. */
  returns: { type: string; doc?: string; text?: string };
  throws: [exception: string, text: string][];
  /** Classes that the code names, in addition to those in the types. */
  uses: string[];
  code: string[];
}

const anyFailure: [string, string] = ["BeatMarketException", ""];
const secretsType = "#[\\SensitiveParameter] string|array|false|null";
const rawBody: PhpArgument = {
  name: "body",
  type: "mixed",
  text: "the raw bytes, a string: file_get_contents('php://input')",
};
const secrets: PhpArgument = {
  name: "secrets",
  type: secretsType,
  doc: "string|list<string>|false|null",
  text: "the whole secret, whsec_ included, or several during a rotation",
};

const composed: Composed[] = [
  {
    resource: null,
    name: "request",
    prose: ["Sends any request below the base URL, with the same key, retries and exceptions as the other methods."],
    arguments: [
      { name: "method", type: "string", text: "such as GET" },
      { name: "path", type: "string", text: "such as /beats, percent-encoded" },
      { name: "query", type: "array", doc: "array<string, mixed>", text: "null values are omitted", value: "[]" },
      {
        name: "body",
        type: "mixed",
        text: "sent as JSON; null sends no body, [] an empty list, new \\stdClass() an empty object",
        value: "null",
      },
      { name: "headers", type: "array", doc: "array<string, string>", text: "override the library's", value: "[]" },
    ],
    returns: { type: "Response" },
    throws: [
      ["APIStatusException", "if the status is not 2xx, or the body is not a JSON object or list (204 has none)"],
      ["APIConnectionException", "if there is no response"],
      ["InvalidArgumentException", "if the request is invalid"],
    ],
    uses: ["BeatMarket\\Response"],
    code: ["return $this->connection->request($method, $path, $query, $body, $headers);"],
  },
  {
    resource: "beats",
    name: "get_many",
    prose: [
      "Gets beats by their ids, in that order and with their licenses, with a request for every 100. A beat whose id is given twice is returned once.",
    ],
    arguments: [{ name: "beatIds", type: "array", doc: "list<int>" }],
    returns: { type: "BeatBatch" },
    throws: [anyFailure],
    uses: ["BeatMarket\\BeatBatch"],
    code: ["return $this->connection->batch($beatIds, fn (array $ids): BeatPage => $this->list(ids: $ids));"],
  },
  {
    resource: "events",
    name: "stream",
    prose: [
      "The events after a position and each new one as it happens, one by one and without end (server-sent events). Once the stream has begun, it is resumed after lost connections, restarts of the service and rate limits.",
    ],
    arguments: [
      { name: "after", type: "?int", text: "as for list()", value: "null" },
      { name: "type", type: "?string", text: "as for list()", value: "null" },
    ],
    returns: { type: "EventStream" },
    throws: [],
    uses: ["BeatMarket\\EventStream"],
    code: ["return new EventStream($this->connection, $type, $after);"],
  },
  {
    resource: "webhooks",
    name: "unwrap",
    prose: [
      "Verifies a webhook request and returns its event. A recorded request that is sent again later is refused by its time; within the tolerance, and for deliveries that the service repeats, deduplicate by the event's id.",
    ],
    arguments: [
      rawBody,
      {
        name: "headers",
        type: "array",
        doc: "array<array-key, mixed>",
        text: "of getallheaders(), of $_SERVER, or lists of strings as in PSR-7 and Symfony requests",
      },
      secrets,
      {
        name: "tolerance",
        type: "int|float|null",
        text: "seconds that webhook-timestamp may be in the past or the future. Null verifies X-Webhook-Signature instead, which has no time",
        value: "self::TOLERANCE_SECONDS",
      },
    ],
    returns: { type: "Event" },
    throws: [
      [
        "SignatureVerificationException",
        "if the signature matches no secret, or the time is outside the tolerance: respond with 401",
      ],
      [
        "InvalidArgumentException",
        "if a secret or the tolerance is invalid, or the body is already parsed or not an event",
      ],
    ],
    uses: ["BeatMarket\\Http\\Signatures", "BeatMarket\\Model\\Event"],
    code: ["return Signatures::unwrap($body, $headers, $secrets, $tolerance);"],
  },
  {
    resource: "webhooks",
    name: "verify",
    prose: ["Verifies a signature. Throws if it is invalid."],
    arguments: [
      rawBody,
      { name: "signature", type: "?string", text: "the header X-Webhook-Signature; null if absent" },
      secrets,
    ],
    returns: { type: "void" },
    throws: [
      ["SignatureVerificationException", "if the signature matches no secret: respond with 401"],
      ["InvalidArgumentException", "if the secret is missing, or the body is already parsed"],
    ],
    uses: ["BeatMarket\\Http\\Signatures"],
    code: ["Signatures::verify($body, [$signature], $secrets);"],
  },
  {
    resource: "webhooks",
    name: "sign",
    prose: ["The headers that a delivery of this event has, for tests of a receiver."],
    arguments: [
      { name: "body", type: "string", text: "the event as JSON, with its id" },
      {
        name: "secret",
        type: "#[\\SensitiveParameter] string",
        text: "the whole secret, whsec_ included",
      },
      { name: "at", type: "?\\DateTimeInterface", text: "the time of the delivery, now by default", value: "null" },
    ],
    returns: { type: "array", doc: "array<string, string>" },
    throws: [["InvalidArgumentException", "if the body is not an event, or the secret is invalid"]],
    uses: ["BeatMarket\\Http\\Signatures"],
    code: ["return Signatures::sign($body, $secret, $at);"],
  },
];

/** The class of webhooks, which works without a client. */
export const webhooksFile = (): GeneratedFile => {
  const { methods, uses } = composedOf("webhooks");
  const code = `/** Verifies webhook requests. Needs no client and no API key. */
final class Webhooks
{
    /** How many seconds the time of a request may differ from the clock, as Standard Webhooks recommends. */
    public const TOLERANCE_SECONDS = 300;

${methods.join("\n")}}
`;
  return { path: "php/src/Webhooks.php", text: file("BeatMarket", uses, code) };
};

/** The methods of a resource or of the client that are defined here or in `others`, with the classes that they use. */
export function composedOf(resource: string | null, others: Composed[] = []): { methods: string[]; uses: string[] } {
  const own = [...composed, ...others].filter((each) => each.resource === resource);
  const thrown = own.flatMap(({ throws }) => throws.map(([name]) => `BeatMarket\\Exception\\${name}`));
  return { methods: own.map(methodOf), uses: [...own.flatMap(({ uses }) => uses), ...thrown] };
}

function methodOf({ name, prose, arguments: all, returns, throws, code }: Composed): string {
  const tags: Tag[] = [
    ...all.map(tagOf),
    ...(returns.doc === undefined && returns.text === undefined
      ? []
      : [{ tag: "@return", type: returns.doc ?? returns.type, name: "", text: returns.text ?? "" }]),
    ...throws.map(([type, text]) => ({ tag: "@throws", type, name: "", text })),
  ];
  const head = signature(`public function ${camelCase(name)}(`, all, `): ${returns.type}`);
  const body = code.map((line) => (line === "" ? "\n" : `        ${line}\n`)).join("");
  return `${comment(prose, tags, "    ")}${head}${body}    }\n`;
}

/** The head of a method with its opening brace. */
export const signature = (open: string, all: readonly PhpArgument[], close: string): string =>
  methodHead(open, all.map(codeOf), close);

const codeOf = ({ name, type, value }: PhpArgument): string =>
  `${type} $${name}${value === undefined ? "" : ` = ${value}`}`;

/** The PHPDoc tag of an argument. */
export const tagOf = ({ name, type, doc, text }: PhpArgument): Tag => ({
  tag: "@param",
  type: doc ?? type.replace(/^(#\S+ )?\?(.*)/, "$2|null").replace(/^#\S+ /, ""),
  name: `$${name}`,
  text: text ?? "",
});
