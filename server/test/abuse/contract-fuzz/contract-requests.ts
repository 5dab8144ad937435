import fc from "fast-check";
import { apiDocument, type JsonSchema, type PlacedOperation } from "../../harness/documents/promised-responses.ts";
import { hostileTexts } from "./hostile-texts.ts";

/** Whether the document allows a request. "unclear": it does, and the service may still refuse it as malformed. */
type Validity = "valid" | "unclear" | "invalid";

interface Part<Value> {
  value: Value;
  validity: Validity;
}

/** Whose key a request carries. */
export type Credential = "all permissions" | "no permission" | "bad" | "none";

/** A request made from the document, relative to a prefix. Its URL and headers hold visible ASCII and spaces only. */
export interface GeneratedRequest {
  method: string;
  /** Path and query, percent-encoded, behind the prefix. */
  url: string;
  headers: Record<string, string>;
  body: Buffer | null;
  credential: Credential;
  /** Of parameters, headers and body together; the credential aside. */
  validity: Validity;
}

const consoleType = "application/vnd.beatmarket.console+json";

/**
 * Requests of one operation: most are valid or nearly so, since a request that is wrong in everything is refused at the
 * first of its mistakes and tries nothing else.
 */
export function requestsOf(operation: PlacedOperation, form: "reference" | "console"): fc.Arbitrary<GeneratedRequest> {
  const accept = form === "console" ? consoleType : "application/json";
  const bodySchema = operation.requestBody?.content["application/json"].schema;
  return fc
    .record({
      path: pathOf(operation),
      query: queryOf(operation),
      headers: headersOf(operation, accept),
      body:
        bodySchema === undefined
          ? fc.constant<Part<Buffer | null>>({ value: null, validity: "valid" })
          : bodyOf(bodySchema),
      credential: fc.oneof(
        { weight: 20, arbitrary: fc.constant<Credential>("all permissions") },
        { weight: 3, arbitrary: fc.constantFrom<Credential>("no permission", "bad", "none") },
      ),
      contentType: fc.oneof(
        { weight: 20, arbitrary: fc.constant(valid("application/json")) },
        {
          weight: 1,
          arbitrary: fc.constantFrom(...["text/plain", "application/xml", "", "application/json;;;"].map(unclear)),
        },
      ),
    })
    .map(({ path, query, headers, body, credential, contentType }) => ({
      method: operation.method,
      url: path.value + query.value,
      headers: { ...headers.value, ...(body.value !== null && { "content-type": contentType.value }) },
      body: body.value,
      credential,
      validity: together([path, query, headers, body, ...(body.value === null ? [] : [contentType])]),
    }));
}

const valid = <Value>(value: Value): Part<Value> => ({ value, validity: "valid" });
const unclear = <Value>(value: Value): Part<Value> => ({ value, validity: "unclear" });
const invalid = <Value>(value: Value): Part<Value> => ({ value, validity: "invalid" });

function together(parts: readonly Part<unknown>[]): Validity {
  const found = new Set(parts.map(({ validity }) => validity));
  if (found.has("invalid")) return "invalid";
  return found.has("unclear") ? "unclear" : "valid";
}

/** Mostly what is valid, at times what is at an edge of it, seldom what is not. */
const mixed = <Value>(
  good: fc.Arbitrary<Part<Value>>,
  edge: fc.Arbitrary<Part<Value>>,
  bad: fc.Arbitrary<Part<Value>>,
) => fc.oneof({ weight: 6, arbitrary: good }, { weight: 2, arbitrary: edge }, { weight: 1, arbitrary: bad });

const isInteger = (text: string): boolean => /^-?\d+$/.test(text);
const notIntegers = hostileTexts.filter((text) => !isInteger(text));
const bigIntegers = ["2147483648", "9007199254740993", "9223372036854775808", `-${"9".repeat(40)}`, "9".repeat(400)];

function integerTexts({ minimum, maximum }: JsonSchema): fc.Arbitrary<Part<string>> {
  if (minimum === undefined || maximum === undefined)
    // An id: any integer is one.
    return mixed(
      fc.integer({ min: 1, max: 120 }).map((id) => valid(String(id))),
      fc.constantFrom("0", "-1", "-0", "007", ...bigIntegers).map(valid),
      fc.constantFrom(...notIntegers).map(invalid),
    );
  return mixed(
    fc.integer({ min: minimum, max: Math.min(maximum, 200) }).map((number) => valid(String(number))),
    fc.constantFrom(minimum, maximum, Math.trunc(maximum / 2)).map((number) => valid(String(number))),
    fc.oneof(
      fc.constantFrom(String(minimum - 1), String(maximum + 1), ...bigIntegers).map(invalid),
      fc.constantFrom(...notIntegers).map(invalid),
    ),
  );
}

/** What is text to the document may still be nothing for the service: NUL, blanks, an `after` that nobody made. */
function texts({ minLength = 0, maxLength = 300 }: JsonSchema): fc.Arbitrary<Part<string>> {
  const words = fc
    .array(fc.constantFrom("dark", "trap", "140", "né", "ビート", "c#", "o'brien"), { minLength: 1, maxLength: 4 })
    .map((list) => list.join(" "));
  const isShort = (text: string) => [...text].length <= maxLength;
  return mixed(
    words.map((text) => valid([...text].slice(0, maxLength).join("").trim() || "x".repeat(minLength))),
    fc.oneof(
      fc.constantFrom(minLength, maxLength).map((length) => unclear("x".repeat(length))),
      fc.string({ unit: "grapheme", maxLength: Math.min(maxLength, 60) }).map(unclear),
      fc.constantFrom(...hostileTexts.filter(isShort)).map(unclear),
    ),
    fc.constant(invalid("x".repeat(maxLength + 1))),
  );
}

function parameterTexts(name: string, schema: JsonSchema): fc.Arbitrary<Part<string>> {
  if (schema.enum !== undefined)
    return mixed(
      fc.constantFrom(...schema.enum).map(valid),
      fc.constantFrom(...schema.enum).map((text) => invalid(text.toUpperCase())),
      fc.constantFrom(...hostileTexts).map(invalid),
    );
  // Only the service makes these.
  if (name === "after") return afterTexts(schema).map(({ value }) => unclear(value));
  // A request that waits takes as long as it asks to.
  if (name === "wait")
    return integerTexts({ ...schema, minimum: 0, maximum: 0 }).map((part) =>
      part.validity === "invalid" && part.value === "1" ? invalid("31") : part,
    );
  if (schema.type === "integer") return integerTexts(schema);
  if (schema.type === "number") return numberTexts(schema);
  if (schema.type === "boolean") return parameterTexts(name, { enum: ["true", "false"] });
  if (schema.type === "array") return listTexts(name, schema);
  if (schema.format === "date-time") return timeTexts();
  if (name === "key" || name === "key_compatible") return keyTexts(schema);
  const { pattern } = schema;
  if (pattern === undefined) return texts(schema);
  const given = texts(schema).map((part) => (new RegExp(pattern).test(part.value) ? part : unclear(part.value)));
  if (!pattern.startsWith("^")) return given;
  const { maxLength = Number.POSITIVE_INFINITY } = schema;
  const matching = fc.stringMatching(new RegExp(pattern)).filter((text) => text.length <= maxLength);
  return fc.oneof(given, matching.map(valid));
}

const numberTexts = ({ minimum = 0, maximum = 0 }: JsonSchema): fc.Arbitrary<Part<string>> =>
  mixed(
    fc.integer({ min: minimum * 100, max: Math.min(maximum, 50) * 100 }).map((cents) => valid(String(cents / 100))),
    fc.constantFrom(String(minimum), String(maximum), "7.50").map(valid),
    fc.constantFrom(String(minimum - 1), String(maximum + 1), "1e3", "", "Infinity", "0x10").map(invalid),
  );

/** Lists with commas between. A text of more than letters and spaces may be more values than one. */
function listTexts(name: string, { items = {}, maxItems = 9 }: JsonSchema): fc.Arbitrary<Part<string>> {
  const one = parameterTexts(name, items).map((part) =>
    items.enum !== undefined || items.type === "integer" || /^[\p{L} ]*$/u.test(part.value)
      ? part
      : unclear(part.value),
  );
  // No schema can say which names these are.
  if (name === "fields") return one.map(({ value }) => unclear(value));
  const isGood = ({ value, validity }: Part<string>) => validity === "valid" && /^[^0][^,]{0,8}$/.test(value);
  return fc.oneof(
    { weight: 4, arbitrary: one },
    {
      weight: 2,
      arbitrary: fc
        .uniqueArray(one.filter(isGood), {
          minLength: 2,
          maxLength: Math.min(3, maxItems),
          selector: ({ value }) => value,
        })
        .map((parts) => valid(parts.map(({ value }) => value).join(","))),
    },
    { weight: 1, arbitrary: fc.constantFrom(",", "1,,2", "dark,dark").map(invalid) },
  );
}

const timeTexts = (): fc.Arbitrary<Part<string>> =>
  mixed(
    fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date("2100-01-01") })
      .map((at) => valid(at.toISOString())),
    fc.constantFrom("2026-11-20", "2026-11-20T12:00:00+02:00", "0000-01-01T00:00:00Z").map(unclear),
    fc.constantFrom("yesterday", "2026-02-30T00:00:00Z", "2026-11-20T25:00:00Z", "1").map(invalid),
  );

const keyTexts = (schema: JsonSchema): fc.Arbitrary<Part<string>> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom("Am", "C major", "8B", "Gb minor").map(valid) },
    { weight: 1, arbitrary: texts(schema).map(({ value }) => unclear(value)) },
  );

const afterTexts = (schema: JsonSchema): fc.Arbitrary<Part<string>> =>
  schema.type === "integer"
    ? integerTexts(schema)
    : fc.oneof(texts(schema), fc.base64String({ maxLength: 60 }).map(unclear));

function pathOf({ path, parameters }: PlacedOperation): fc.Arbitrary<Part<string>> {
  const places = parameters.filter((parameter) => parameter.in === "path");
  // An empty one is another path.
  const values = places.map(({ name, schema }) => parameterTexts(name, schema).filter(({ value }) => value !== ""));
  return fc.tuple(...values).map((parts) => ({
    value: places.reduce(
      (text, { name }, index) => text.replace(`{${name}}`, () => encodeURIComponent(parts[index]?.value ?? "")),
      path,
    ),
    validity: together(parts),
  }));
}

/** Groups of parameters, two of which may contradict each other. */
const groups = [
  ["bpm", "bpm_min", "bpm_max", "bpm_tolerance", "half_double"],
  ["price_min", "price_max"],
  ["duration_min", "duration_max"],
  ["created_after", "created_before"],
  ["key", "key_compatible"],
];

/** Whether the values of these parameters, each right, may be refused together; no schema says so. */
function mayContradict(names: readonly string[]): boolean {
  return (
    groups.some((group) => names.filter((name) => group.includes(name)).length > 1) ||
    names.some((name) => name === "bpm_tolerance" || name === "half_double") ||
    (names.length > 1 && names.includes("ids")) ||
    (names.includes("q") && names.includes("type"))
  );
}

function queryOf({ parameters }: PlacedOperation): fc.Arbitrary<Part<string>> {
  // Of many parameters a few at a time.
  const absentWeight = Math.max(8, 4 * (parameters.length - 4));
  const known = parameters
    .filter((parameter) => parameter.in === "query")
    .map(({ name, schema, required }) => {
      const given = parameterTexts(name, schema).map((part) => ({
        ...part,
        value: [`${name}=${encodeURIComponent(part.value)}`],
      }));
      const absent = fc.constant<Part<string[]>>(required ? invalid([]) : valid([]));
      // Seldom used, so that the rest is not always refused for its sake.
      const weight = name === "after" ? 1 : 8;
      return fc.oneof({ weight, arbitrary: given }, { weight: required ? 1 : absentWeight, arbitrary: absent });
    });
  const strange = fc.oneof(
    fc.constantFrom(
      "q[]=1",
      "limit=1&limit=2",
      "__proto__=1",
      "constructor=1",
      "toString",
      "=",
      "&&",
      "%",
      "%zz=1",
      "a=%ff%fe",
    ),
    fc.constantFrom(...hostileTexts).map((text) => `${encodeURIComponent(text)}=1`),
  );
  const more = fc.oneof(
    { weight: 15, arbitrary: fc.constant<Part<string[]>>(valid([])) },
    // "&&" says nothing, and is nothing wrong.
    { weight: 1, arbitrary: strange.map((text) => unclear([text])) },
  );
  return fc.tuple(...known, more).map((parts) => {
    const pairs = parts.flatMap(({ value }) => value);
    const validity = together(parts);
    const isUnclear = validity === "valid" && mayContradict(pairs.map((pair) => pair.split("=")[0] ?? ""));
    return { value: pairs.length === 0 ? "" : `?${pairs.join("&")}`, validity: isUnclear ? "unclear" : validity };
  });
}

function headersOf({ parameters }: PlacedOperation, accept: string): fc.Arbitrary<Part<Record<string, string>>> {
  const own = parameters
    .filter((parameter) => parameter.in === "header")
    .map(({ name }) =>
      fc.oneof(
        { weight: 2, arbitrary: fc.constant<Part<Record<string, string>>>(valid({})) },
        { weight: 4, arbitrary: fc.uuid().map((key) => valid({ [name]: key })) },
        { weight: 1, arbitrary: fc.constantFrom("x".repeat(255), "!", "~").map((key) => unclear({ [name]: key })) },
        {
          weight: 1,
          arbitrary: fc.constantFrom("", " ", "a b", "x".repeat(256), "é").map((key) => unclear({ [name]: key })),
        },
      ),
    );
  const accepted = fc.oneof(
    { weight: 20, arbitrary: fc.constant<Part<Record<string, string>>>(valid({ accept })) },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom(
          "*/*",
          "text/html",
          ";",
          ",,,",
          "a/b;q=x",
          `${accept};q=0`,
          `${accept};q=2`,
          "x".repeat(500),
          "application/*;q=0.1",
        )
        .map((value) => unclear({ accept: value })),
    },
  );
  const more = fc.oneof(
    { weight: 8, arbitrary: fc.constant<Record<string, string>>({}) },
    {
      weight: 1,
      arbitrary: fc.constantFrom<Record<string, string>>(
        { "if-none-match": "*" },
        { "if-none-match": `"${"x".repeat(300)}", W/"", ,` },
        { "accept-encoding": "br;q=1, gzip;q=0, *;q=x" },
        { "accept-encoding": "identity;q=0" },
        { "x-explorer-key": "1" },
        { "x-forwarded-for": "127.0.0.1", "x-forwarded-proto": "http", forwarded: "for=127.0.0.1" },
        { "x-http-method-override": "DELETE", "x-original-url": "/metrics", "x-rewrite-url": "/metrics" },
        { range: "bytes=0-1", "if-match": "*", "if-modified-since": "never" },
        { cookie: "__Host-beatmarket.session_token=forged.forged", origin: "https://evil.example" },
      ),
    },
  );
  return fc.tuple(accepted, more, ...own).map(([its, others, ...rest]) => ({
    value: Object.assign({}, its.value, others, ...rest.map(({ value }) => value)),
    validity: together([its, ...rest]),
  }));
}

const webAddresses = [
  "https://example.com",
  "http://a.example:8080/b?c=d&e[]=%20#f",
  "https://user:password@[::1]:1/",
  "https://xn--bcher-kva.example/~a;b=c",
];

/** A JSON value for a body's field. */
function fieldValues(name: string, schema: JsonSchema): fc.Arbitrary<Part<unknown>> {
  const wrong: unknown[] = [null, true, 1.5, -1e308, [], {}, ["x"], { toString: 1 }, { $ne: "" }];
  if (schema.anyOf !== undefined) {
    const [first = {}] = schema.anyOf;
    return fc.oneof(
      { weight: 1, arbitrary: fc.constant(valid(null)) },
      { weight: 4, arbitrary: fieldValues(name, first) },
    );
  }
  if (schema.enum !== undefined)
    return mixed(
      fc.constantFrom<unknown>(...schema.enum).map(valid),
      fc.constantFrom(...schema.enum).map((text) => invalid(` ${text}`)),
      fc.constantFrom<unknown>(...wrong, ...hostileTexts).map(invalid),
    );
  if (schema.type === "integer")
    return mixed<unknown>(
      fc.integer({ min: 1, max: 120 }).map(valid),
      fc.constantFrom(0, -1, 2_147_483_648, Number.MAX_SAFE_INTEGER, 1e300).map(valid),
      fc.constantFrom<unknown>(...wrong, "1", ...hostileTexts).map(invalid),
    );
  const good =
    schema.format === "uri"
      ? fc.constantFrom(...webAddresses).map(valid)
      : fc.constantFrom("pm_card_visa", "pm_card_visa_chargeDeclined", "Ada", "é 🎵").map(valid);
  return mixed<unknown>(
    good,
    texts(schema).map(({ value }) => unclear(value)),
    fc
      .oneof(
        fc.constant("x".repeat((schema.maxLength ?? 2_000) + 1)),
        // null clears a field that takes it.
        fc.constantFrom(...wrong.filter((value) => value !== null)),
      )
      .map(invalid),
  );
}

function bodyOf(schema: JsonSchema): fc.Arbitrary<Part<Buffer | null>> {
  const { properties = {}, required = [] } = resolved(schema);
  const fields = Object.entries(properties).map(([name, its]) =>
    fc.oneof(
      {
        weight: 12,
        arbitrary: fieldValues(name, its).map((part) => ({
          ...part,
          value: [[name, part.value]] as [string, unknown][],
        })),
      },
      {
        weight: required.includes(name) ? 1 : 6,
        arbitrary: fc.constant<Part<[string, unknown][]>>(required.includes(name) ? invalid([]) : valid([])),
      },
    ),
  );
  const objects = fc.tuple(...fields).map((parts) => ({
    value: Object.fromEntries(parts.flatMap(({ value }) => value)),
    validity: together(parts),
  }));
  return fc.oneof(
    {
      weight: 20,
      arbitrary: objects.map(({ value, validity }) => ({ value: Buffer.from(JSON.stringify(value)), validity })),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(objects, fc.constantFrom(...hostileTexts, "id", "user_id", "status", "amount", "is_producer"))
        .map(([{ value }, name]) =>
          // Built as text: a literal's __proto__ would set the prototype.
          invalid(Buffer.from(`{${JSON.stringify(name)}:1,${JSON.stringify(value).slice(1).replace(/^}$/, '"x":1}')}`)),
        ),
    },
    { weight: 2, arbitrary: fc.constantFrom(...notObjects()).map((bytes) => invalid(bytes)) },
    {
      weight: 1,
      arbitrary: fc.uint8Array({ minLength: 1, maxLength: 200 }).map((bytes) => invalid(Buffer.from(bytes))),
    },
  );
}

const notObjects = (): Buffer[] =>
  [
    "",
    " ",
    "null",
    "[]",
    '"text"',
    "1",
    "{",
    "{}}",
    '{"a":1,}',
    "{'a':1}",
    "\ufeff",
    '{"display_name":"a","display_name":"b"}',
    '{"beat_id":1,"beat_id":2,"payment_method":"x"}',
    '{"payment_method":"\\ud800","display_name":"\\udfff","beat_id":1}',
    `${"[".repeat(40_000)}${"]".repeat(40_000)}`,
    `{"bio":${'{"a":'.repeat(15_000)}1${"}".repeat(15_000)}}`,
    `{"bio":"${"\\u0000".repeat(10)}"}`,
    `{"beat_id":${"9".repeat(5_000)},"payment_method":"x","bio":1}`,
    `{"bio":"${"x".repeat(101_000)}"}`,
  ]
    .map((text) => Buffer.from(text))
    .concat(
      Buffer.from([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d]),
      Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]),
    );

function resolved(schema: JsonSchema): JsonSchema {
  const name = schema.$ref?.split("/").at(-1);
  return name === undefined ? schema : (apiDocument.components.schemas[name] ?? {});
}
