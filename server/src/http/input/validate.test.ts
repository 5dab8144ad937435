import Type from "typebox";
import { describe, expect, it } from "vitest";
import { readParameters } from "./validate.ts";

const schema = Type.Object({
  page: Type.Integer({ minimum: 1, maximum: 2_147_483_647, default: 1 }),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
  genre: Type.Optional(Type.Integer()),
  sort: Type.Enum(["newest", "popular"], { default: "newest" }),
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 5 })),
});
const read = (query: string) => readParameters(schema, new URLSearchParams(query));

describe("readParameters", () => {
  it("fills in defaults and leaves absent optional ones out", () => {
    expect(read("")).toEqual({ page: 1, limit: 20, sort: "newest" });
  });

  it("reads integers, enumerations and text", () => {
    expect(read("page=2&limit=100&genre=-7&sort=popular&q=a%20b")).toEqual({
      page: 2,
      limit: 100,
      genre: -7,
      sort: "popular",
      q: "a b",
    });
  });

  it("reads an id no key can have, however large, as one nobody has", () => {
    expect(read("genre=99999999999999999999999")).toMatchObject({ genre: 0 });
  });

  it.each([
    ["genre=trap", "genre", /genre parameter must be a valid integer/],
    ["genre=", "genre", /valid integer/],
    ["genre=1.0", "genre", /valid integer/],
    ["genre=1e3", "genre", /valid integer/],
    ["genre=0x10", "genre", /valid integer/],
    ["genre=%201", "genre", /valid integer/],
    ["genre=+1", "genre", /valid integer/],
    ["genre=%D9%A1", "genre", /valid integer/],
    ["limit=0", "limit", /integer from 1 to 100/],
    ["limit=101", "limit", /integer from 1 to 100.*"101"/],
    ["limit=-1", "limit", /integer from 1 to 100/],
    ["page=0", "page", /from 1 to 2,147,483,647/],
    ["page=2147483648", "page", /from 1 to 2,147,483,647/],
    ["sort=Newest", "sort", /one of newest, popular/],
    ["page=1&page=2", "page", /more than once/],
    ["q=", "q", /must not be empty/],
    ["q=%20%20", "q", /must not be empty/],
    ["q=abcdef", "q", /at most 5 characters; it has 6/],
    ["genr=3", "genr", /Unknown parameter "genr"\. Did you mean genre\?/],
    ["Limit=3", "Limit", /Did you mean limit\?/],
    ["frobnicate=3", "frobnicate", /Known parameters: page, limit, genre, sort, q/],
    ["__proto__=3", "__proto__", /Unknown parameter/],
    ["genre[]=3", "genre[]", /Did you mean genre\?/],
  ])("refuses %s and names the parameter", (query, parameter, details) => {
    expect(() => read(query)).toThrow(
      expect.objectContaining({
        status: 400,
        code: "invalid_request",
        details: expect.stringMatching(details),
        refusedBy: `parameter:${parameter}`,
      }),
    );
  });

  it("says that an endpoint takes no parameters", () => {
    expect(() => readParameters(Type.Object({}), new URLSearchParams("page=1"))).toThrow(
      expect.objectContaining({ details: expect.stringContaining("takes no parameters") }),
    );
  });

  it("names a required parameter that is missing", () => {
    expect(() => readParameters(Type.Object({ q: Type.String() }), [])).toThrow(
      expect.objectContaining({ details: "The q parameter is required." }),
    );
  });
});
