import { type PhpArgument, signature, tagOf } from "./composed.ts";
import { comment } from "./text.ts";

const nullable = (type: string, doc?: string) => ({
  type: `?${type}`,
  ...(doc !== undefined && { doc: `${doc}|null` }),
  value: "null",
});

/** The settings of a client, in the order of its constructor. */
const settings: PhpArgument[] = [
  {
    name: "apiKey",
    type: "#[\\SensitiveParameter] string|false|null",
    text: "default: BEATMARKET_API_KEY; false, as from getenv(), counts as absent",
    value: "null",
  },
  {
    name: "baseUrl",
    ...nullable("string"),
    text: "default: BEATMARKET_BASE_URL, else https://localhost:8443/v1",
  },
  {
    name: "caFile",
    ...nullable("string"),
    text: "PEM file of the certificate authorities to trust; default: BEATMARKET_CA_FILE, else the system's authorities",
  },
  {
    name: "timeout",
    type: "float",
    text: "seconds per attempt, from connecting to the last byte of the body",
    value: "30",
  },
  {
    name: "maxRetries",
    type: "int",
    text: "attempts after the first: without a response, and for 408, 423, 429, 460, 500, 502, 503, 504, and 409 with Retry-After",
    value: "2",
  },
  {
    name: "maxRetryAfter",
    type: "int",
    text: "seconds; the call throws if the service asks for a longer wait",
    value: "60",
  },
  {
    name: "logger",
    type: "LoggerInterface|\\Closure|null",
    text: "PSR-3, or a function with the parameters of its log(); logs each attempt, without key and bodies",
    value: "null",
  },
  {
    name: "transport",
    type: "Transport|ClientInterface|null",
    text: "a PSR-18 client; default: ext-curl",
    value: "null",
  },
  {
    name: "sleep",
    ...nullable("\\Closure", "\\Closure(float): void"),
    text: "waits the given number of seconds between attempts; default: usleep()",
  },
  {
    name: "headers",
    type: "array",
    doc: "array<string, string>",
    text: "sent with each request to the API",
    value: "[]",
  },
  {
    name: "userAgentSuffix",
    ...nullable("string"),
    text: "such as my-shop/1.2, sent after the client's own User-Agent",
  },
  {
    name: "allowHttp",
    type: "bool",
    text: "allows a baseUrl in plain http on any host, for mock servers and side-cars; others can read the key; without it, only for this machine",
    value: "false",
  },
  {
    name: "onRequest",
    ...nullable("\\Closure", "\\Closure(RequestInfo): mixed"),
    text: "called when an attempt begins; what it throws, the call throws",
  },
  {
    name: "onResponse",
    ...nullable("\\Closure", "\\Closure(ResponseInfo): mixed"),
    text: "called when an attempt has ended",
  },
];

/** The settings that a copy of a client may change. */
const options: PhpArgument[] = [
  { name: "timeout", ...nullable("float"), text: "seconds per attempt; null, here and below, keeps the value" },
  { name: "maxRetries", ...nullable("int") },
  { name: "maxRetryAfter", ...nullable("int"), text: "seconds" },
  {
    name: "headers",
    type: "array",
    doc: "array<string, string>",
    text: "sent as well, or instead of the client's",
    value: "[]",
  },
  {
    name: "query",
    type: "array",
    doc: "array<string, mixed>",
    text: "fields that are added to the query of each call; one that it sends itself is refused",
    value: "[]",
  },
  {
    name: "body",
    type: "array",
    doc: "array<string, mixed>",
    text: "fields that are added to the JSON body of each call, as $query",
    value: "[]",
  },
];

const passed = (all: readonly PhpArgument[]): string =>
  all.map(({ name }) => `            ${name}: $${name},\n`).join("");

const invalid = { tag: "@throws", type: "InvalidArgumentException", name: "" };

/** The constructor of a client, and the method that copies it. */
export const settingMethods: string[] = [
  `${comment(
    [],
    [...settings.map(tagOf), { ...invalid, text: "if the key is missing or a setting is invalid" }],
    "    ",
  )}${signature("public function __construct(", settings, ")")}        $this->connect(self::open(new Settings(
${passed(settings)}        )));
    }
`,
  `${comment(
    ["A copy of this client with other options, over the same connection: $client->with(timeout: 5)->beats->get(1)."],
    [...options.map(tagOf), { ...invalid, text: "if an option is invalid" }],
    "    ",
  )}${signature("public function with(", options, "): static")}        $copy = (new \\ReflectionClass($this))->newInstanceWithoutConstructor();
        $copy->connect(new Connection($this->connection->baseUrl, $this->connection->sender->with(
${passed(options)}        )));

        return $copy;
    }
`,
];

export const settingUses = [
  "BeatMarket\\Exception\\InvalidArgumentException",
  "BeatMarket\\Http\\Transport",
  "BeatMarket\\RequestInfo",
  "BeatMarket\\ResponseInfo",
  "BeatMarket\\Settings",
  "Psr\\Http\\Client\\ClientInterface",
  "Psr\\Log\\LoggerInterface",
];

/** The settings as one value, which the constructor passes on. */
export const settingsRecord = `/**
 * The settings of a client, as they were given.
 *
 * @internal
 */
final class Settings
{
${comment(
  [],
  settings.filter(({ doc }) => doc !== undefined).map(({ text: _, ...rest }) => tagOf(rest)),
  "    ",
)}    public function __construct(
${settings.map(({ name, type }) => `        ${type.replace(/^(#\S+ )?/, "$1public readonly ")} $${name},\n`).join("")}    ) {
    }
}
`;

export const settingsRecordUses = [
  "BeatMarket\\Http\\Transport",
  "Psr\\Http\\Client\\ClientInterface",
  "Psr\\Log\\LoggerInterface",
];
