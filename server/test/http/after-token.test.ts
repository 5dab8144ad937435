import { hash } from "node:crypto";
import { ApiError } from "@beatmarket/foundation/errors.ts";
import { decodeAfter, encodeAfter, type KeyType, type Seek } from "@beatmarket/http/listing/after-token.ts";
import fc from "fast-check";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { testDatabase } from "../harness/database/database.ts";

const { query: db } = await testDatabase();
const scope = "beats newest";
const keyTypes: KeyType[] = ["bigint", "text", "timestamptz"];

/** A token with a valid checksum, which anyone can compute. */
const forged = (text: string): string =>
  Buffer.concat([hash("sha256", `${scope}\0${text}`, "buffer").subarray(0, 8), Buffer.from(text)]).toString(
    "base64url",
  );

/** Null for a refusal. Any error except invalid_request fails the test. */
function read(token: string, keyType: KeyType): Seek | null {
  try {
    return decodeAfter(token, scope, { keyType });
  } catch (error) {
    expect(error).toMatchObject({
      status: 400,
      code: "invalid_request",
      details: expect.stringMatching("next_page_url"),
    });
    expect(error).toBeInstanceOf(ApiError);
    return null;
  }
}

describe("an after token", () => {
  test.each([
    [5, "bigint"],
    [-5, "bigint"],
    ["Ærø 🎵", "text"],
    ["", "text"],
    ["2026-11-22T06:27:49.000Z", "timestamptz"],
  ] as const)("with the key %s is decoded to the position that was encoded", (key, keyType) => {
    for (const direction of ["forward", "backward"] as const)
      expect(decodeAfter(encodeAfter({ direction, key, id: 7 }, scope), scope, { keyType })).toEqual({
        direction,
        key,
        id: 7,
      });
  });

  test("may have a text as id, where the listing's ids are texts", () => {
    const seek = { direction: "forward", key: 5, id: "upl_1" } as const;
    const token = encodeAfter(seek, scope);
    expect(decodeAfter(token, scope, { keyType: "bigint", idType: "text" })).toEqual(seek);
    expect(read(token, "bigint")).toBeNull();
  });

  test.each([
    "",
    "null",
    "7",
    "{}",
    "[]",
    "[1,2]",
    "[1,2,3,4]",
    "[2,5,7]",
    "[true,5,7]",
    "[1,null,7]",
    "[1,[5],7]",
    '[1,{"a":1},7]',
    "[1,5,null]",
    "[1,5,0]",
    '[1,5,"7"]',
    "[1,5,7.5]",
    "[1,5,1e300]",
    "[1,5.5,7]",
    "[1,1e300,7]",
    '[1,"now",7]',
    '[1,"infinity",7]',
    '[1,"2026-02-30T00:00:00.000Z",7]',
    '[1,"-000001-01-01T00:00:00.000Z",7]',
    '[1,"+275760-09-13T00:00:00.000Z",7]',
    "not json",
  ])("forged as %s is refused where the key is a number or a time", (text) => {
    expect(read(forged(text), "bigint")).toBeNull();
    expect(read(forged(text), "timestamptz")).toBeNull();
  });

  test("with NUL or half a surrogate pair is refused if the key is a text", () => {
    for (const key of ["\\u0000", "a\\u0000", "\\ud800", "\\udc00\\ud800"])
      expect(read(forged(`[1,"${key}",7]`), "text")).toBeNull();
  });

  test("that is forged from any JSON is refused, or is a position that PostgreSQL accepts", async () => {
    const place = fc.oneof(
      fc.jsonValue(),
      fc.integer(),
      fc.string({ unit: "binary" }),
      fc.date().map((date) => date?.toJSON()),
    );
    const texts = fc.sample(
      fc.oneof(
        fc
          .tuple(fc.oneof(fc.constantFrom(0, 1), place), place, fc.oneof(fc.nat(), place))
          .map((parts) => JSON.stringify(parts)),
        fc.json(),
        fc.string(),
      ),
      { numRuns: 600, seed: 15 },
    );
    const results = texts.flatMap((text) =>
      keyTypes.map((keyType) => ({ keyType, seek: read(forged(text), keyType) })),
    );
    const accepted = results.filter((each): each is { keyType: KeyType; seek: Seek } => each.seek !== null);
    for (const keyType of keyTypes) {
      const seeks = accepted.filter((each) => each.keyType === keyType).map(({ seek }) => seek);
      expect(seeks.length).toBeGreaterThan(0);
      const places = seeks.map(({ key, id }) => sql`(${key}::${sql.raw(keyType)}, ${id}::bigint)`);
      await sql`select * from (values ${sql.join(places)}) as places`.execute(db);
    }
  });
});
