import { createHash } from "node:crypto";
import fc from "fast-check";
import { firstVersion } from "../../../src/access/versions.ts";
import type { JsonSchema, PlacedOperation } from "../../harness/documents/promised-responses.ts";
import { hostileTexts } from "./hostile-texts.ts";
import { invalid, mixedParts, type Part, together, unclear, valid } from "./parts.ts";
import { binaryContents } from "./request-bodies.ts";

type Headers = Record<string, string>;

/** Request headers: headers that the document lists for the operation, and headers that any request may have. */
export function headersOf({ parameters }: PlacedOperation, accept: string): fc.Arbitrary<Part<Headers>> {
  const documentedHeaders = parameters
    .filter((parameter) => parameter.in === "header")
    .map(({ name, schema, required }) => {
      const present = headerTexts(name, schema).map((part) => ({ ...part, value: { [name]: part.value } as Headers }));
      const noHeader = fc.constant<Part<Headers>>(required ? invalid({}) : valid({}));
      // The service refuses most values, so without a low weight the other headers would seldom be tested.
      const isUnclear = name === "If-Match" || name === "Upload-Checksum";
      const optionalWeight = isUnclear ? 1 : 6;
      const weight = required ? 20 : optionalWeight;
      return fc.oneof({ weight, arbitrary: present }, { weight: required ? 1 : 2, arbitrary: noHeader });
    });
  const acceptHeaders = fc.oneof(
    { weight: 20, arbitrary: fc.constant<Part<Headers>>(valid({ accept })) },
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
  const undocumentedHeaders = fc.oneof(
    { weight: 8, arbitrary: fc.constant<Headers>({}) },
    {
      weight: 1,
      arbitrary: fc.constantFrom<Headers>(
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
  return fc
    .tuple(acceptHeaders, undocumentedHeaders, ...documentedHeaders)
    .map(([acceptHeader, undocumented, ...documented]) => ({
      value: Object.assign({}, acceptHeader.value, undocumented, ...documented.map(({ value }) => value)),
      validity: together([acceptHeader, ...documented]),
    }));
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const metadata = (kind: string, filename: string): string => `kind ${base64(kind)},filename ${base64(filename)}`;

function headerTexts(name: string, schema: JsonSchema): fc.Arbitrary<Part<string>> {
  switch (name) {
    case "If-Match":
      // Only the service can create valid versions.
      return fc
        .constantFrom("*", '"v0-gone"', 'W/"1"', '"1", "2"', "", "é", '"'.repeat(999), "x".repeat(1_001))
        .map(unclear);
    case "Beat-Version":
      // The document describes the first version.
      return fc.oneof(
        { weight: 20, arbitrary: fc.constant(valid(firstVersion.date)) },
        {
          weight: 1,
          arbitrary: fc.constantFrom("", "2026-11-19", "2026", "1", "é", "2026-11-20, 2026-11-28").map(invalid),
        },
      );
    case "Upload-Metadata":
      return mixedParts(
        fc.constantFrom("audio", "stems", "cover").map((kind) => valid(metadata(kind, "Über.bin"))),
        fc
          .constantFrom("", ",", "kind", "kind !", "é", metadata("video", "a"), `${metadata("audio", "a")},kind YQ==`)
          .map(unclear),
        fc.constantFrom(...hostileTexts).map((text) => unclear(metadata("audio", text))),
      );
    case "Upload-Checksum":
      return fc.oneof(
        fc
          .tuple(fc.constantFrom("sha1", "sha256", "md5"), fc.constantFrom(...binaryContents))
          // The digest of the sent body, or of another one.
          .map(([algorithm, bytes]) => unclear(`${algorithm} ${createHash(algorithm).update(bytes).digest("base64")}`)),
        fc.constantFrom("", "sha1", "sha1 AA==", "md5  ", "crc32 AAAA", "sha256 é", "x".repeat(500)).map(unclear),
      );
  }
  if (schema.enum !== undefined)
    return fc.oneof(
      { weight: 20, arbitrary: fc.constantFrom(...schema.enum).map(valid) },
      { weight: 1, arbitrary: fc.constantFrom("", "0.2.2", "1", "é", `${schema.enum[0]}, 2`).map(invalid) },
    );
  if (schema.type === "integer") return countTexts(schema);
  return fc.oneof(
    { weight: 4, arbitrary: fc.uuid().map(valid) },
    { weight: 1, arbitrary: fc.constantFrom("x".repeat(255), "!", "~").map(unclear) },
    { weight: 1, arbitrary: fc.constantFrom("", " ", "a b", "x".repeat(256), "é").map(unclear) },
  );
}

/** A size in bytes, or an offset in a file. A large one may exceed the limit for a file of its kind. */
const countTexts = ({ minimum = 0 }: JsonSchema): fc.Arbitrary<Part<string>> =>
  mixedParts(
    fc.constantFrom(minimum, 1, 7, 1_000).map((count) => valid(String(count))),
    fc.constantFrom("007", "20000001", "9007199254740993", "9".repeat(400), " 1").map(unclear),
    fc.constantFrom(String(minimum - 1), "", "x", "1.5", "1e3", "0x10", "é").map(invalid),
  );
