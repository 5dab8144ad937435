import fc from "fast-check";
import { exampleSandboxId } from "../../../tools/test-mode.ts";
import type { PlacedOperation } from "../../harness/documents/promised-responses.ts";
import { hostileTexts } from "./hostile-texts.ts";
import { parameterTexts } from "./parameter-texts.ts";
import { invalid, type KnownIds, type Part, together, unclear, type Validity, valid } from "./parts.ts";
import { binaryBodies, bodyOf } from "./request-bodies.ts";
import { headersOf } from "./request-headers.ts";

/** The kind of key that a request carries. "no permission": a valid key without the permission of the operation. */
export type Credential = "all permissions" | "no permission" | "bad" | "none";

/**
 * A request that is generated from the document, relative to a prefix. URL and headers contain only visible ASCII and
 * spaces.
 */
export interface GeneratedRequest {
  method: string;
  /** Path and query, percent-encoded, after the prefix. */
  url: string;
  headers: Record<string, string>;
  body: Buffer | null;
  credential: Credential;
  /** The validity of parameters, headers and body together, without the credential. */
  validity: Validity;
}

const consoleType = "application/vnd.beatmarket.console+json";

/**
 * Generates requests of one operation. Most are valid or nearly valid: the service refuses a request with many mistakes
 * at the first mistake, so the others would stay untested.
 */
export function requestsOf(
  operation: PlacedOperation,
  form: "reference" | "console",
  knownIds: KnownIds,
): fc.Arbitrary<GeneratedRequest> {
  const accept = form === "console" ? consoleType : "application/json";
  const [type = "", { schema = {} } = {}] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  return fc
    .record({
      path: pathOf(operation, knownIds),
      query: queryOf(operation),
      headers: headersOf(operation, accept),
      body:
        operation.requestBody === undefined
          ? fc.constant<Part<Buffer | null>>({ value: null, validity: "valid" })
          : schema.format === "binary"
            ? binaryBodies(operation.requestBody.required)
            : bodyOf(schema, knownIds),
      credential: fc.oneof(
        { weight: 20, arbitrary: fc.constant<Credential>("all permissions") },
        { weight: 3, arbitrary: fc.constantFrom<Credential>("no permission", "bad", "none") },
      ),
      contentType: fc.oneof(
        { weight: 20, arbitrary: fc.constant(valid(type)) },
        {
          weight: 1,
          arbitrary: fc.constantFrom(...["text/plain", "application/xml", "", `${type};;;`].map(unclear)),
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

function pathOf({ path, parameters }: PlacedOperation, knownIds: KnownIds): fc.Arbitrary<Part<string>> {
  const places = parameters.filter((parameter) => parameter.in === "path");
  // With an empty value, the path would name another operation.
  const values = places.map(({ name, schema }) => {
    const documentedTexts = parameterTexts(name, schema).filter(({ value }) => value !== "");
    const existingIds =
      {
        beat_id: knownIds.beats.map(String),
        upload_id: knownIds.uploads,
        playlist_id: knownIds.playlists,
        license_id: knownIds.licenses,
        sandbox_id: [exampleSandboxId],
      }[name] ?? [];
    return existingIds.length === 0
      ? documentedTexts
      : fc.oneof(
          { weight: 2, arbitrary: documentedTexts },
          { weight: 3, arbitrary: fc.constantFrom(...existingIds).map(valid) },
        );
  });
  return fc.tuple(...values).map((parts) => ({
    value: places.reduce(
      (text, { name }, index) => text.replace(`{${name}}`, () => encodeURIComponent(parts[index]?.value ?? "")),
      path,
    ),
    validity: together(parts),
  }));
}

/** Groups of parameters that may contradict each other. */
const groups = [
  ["bpm", "bpm_min", "bpm_max", "bpm_tolerance", "half_double"],
  ["price_min", "price_max"],
  ["duration_min", "duration_max"],
  ["created_after", "created_before"],
  ["from", "to"],
  ["key", "key_compatible"],
];

/** Whether the server may refuse these parameters together, although each alone is valid. No schema can express it. */
function mayContradict(names: readonly string[]): boolean {
  return (
    groups.some((group) => names.filter((name) => group.includes(name)).length > 1) ||
    names.some((name) => name === "bpm_tolerance" || name === "half_double") ||
    (names.length > 1 && names.includes("ids")) ||
    (names.includes("q") && names.includes("type"))
  );
}

function queryOf({ parameters }: PlacedOperation): fc.Arbitrary<Part<string>> {
  // If an operation has many parameters, a request sends only a few of them.
  const absentWeight = Math.max(8, 4 * (parameters.length - 4));
  const documentedPairs = parameters
    .filter((parameter) => parameter.in === "query")
    .map(({ name, schema, required }) => {
      const present = parameterTexts(name, schema).map((part) => ({
        ...part,
        value: [`${name}=${encodeURIComponent(part.value)}`],
      }));
      const absentPair = fc.constant<Part<string[]>>(required ? invalid([]) : valid([]));
      // Few requests have this parameter, because the service refuses most values.
      const weight = name === "after" ? 1 : 8;
      return fc.oneof({ weight, arbitrary: present }, { weight: required ? 1 : absentWeight, arbitrary: absentPair });
    });
  const undocumentedPair = fc.oneof(
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
  const undocumentedPairs = fc.oneof(
    { weight: 15, arbitrary: fc.constant<Part<string[]>>(valid([])) },
    // "&&" contains an empty parameter, which is allowed.
    { weight: 1, arbitrary: undocumentedPair.map((text) => unclear([text])) },
  );
  return fc.tuple(...documentedPairs, undocumentedPairs).map((parts) => {
    const pairs = parts.flatMap(({ value }) => value);
    const validity = together(parts);
    const isUnclear = validity === "valid" && mayContradict(pairs.map((pair) => pair.split("=")[0] ?? ""));
    return { value: pairs.length === 0 ? "" : `?${pairs.join("&")}`, validity: isUnclear ? "unclear" : validity };
  });
}
