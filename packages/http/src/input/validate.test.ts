import Type from "typebox";
import { describe, expect, it } from "vitest";
import { readBody } from "./body.ts";
import { readQueryString } from "./query-string.ts";
import { readParameters, readPathParameters, readValues } from "./validate.ts";

const schema = Type.Object({
  page: Type.Integer({ minimum: 1, maximum: 2_147_483_647, default: 1 }),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
  genre: Type.Optional(Type.Integer()),
  sort: Type.Enum(["newest", "popular"], { default: "newest" }),
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 5 })),
});
const readQuery = (query: string) => readParameters(schema, new URLSearchParams(query));

describe("readParameters", () => {
  it("fills in defaults and omits absent optional parameters", () => {
    expect(readQuery("")).toEqual({ page: 1, limit: 20, sort: "newest" });
  });

  it("reads integers, enumerations and text", () => {
    expect(readQuery("page=2&limit=100&genre=-7&sort=popular&q=a%20b")).toEqual({
      page: 2,
      limit: 100,
      genre: -7,
      sort: "popular",
      q: "a b",
    });
  });

  it("reads an id beyond the maximum of a database key as 0, which no row has", () => {
    expect(readQuery("genre=99999999999999999999999")).toMatchObject({ genre: 0 });
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
    expect(() => readQuery(query)).toThrow(
      expect.objectContaining({
        status: 400,
        code: "invalid_request",
        details: expect.stringMatching(details),
        refusedBy: `parameter:${parameter}`,
      }),
    );
  });

  it("reports that an endpoint has no parameters", () => {
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

const refusal = (details: RegExp, status = 400) =>
  expect.objectContaining({ status, details: expect.stringMatching(details) });

describe("readValues of a body", () => {
  const read = (value: unknown) =>
    readValues("field", Type.Object({ per_day: Type.Integer({ minimum: 0, maximum: 1_000 }) }), [["per_day", value]]);

  it.each([0, 1_000])("reads the integer %s, which is a bound of its range", (value) => {
    expect(read(value)).toEqual({ per_day: value });
  });

  it.each([-1, 1_001, Number.MAX_SAFE_INTEGER + 1])(
    "refuses the integer %s, which is outside of its range",
    (value) => {
      expect(() => read(value)).toThrow(refusal(/^The per_day field must be from 0 to 1,000\.$/));
    },
  );
});

describe("readQueryString", () => {
  it.each([
    [
      "q=%C3%A9&page=2",
      [
        ["q", "é"],
        ["page", "2"],
      ],
    ],
    ["q=100%25", [["q", "100%"]]],
    ["q=%EF%BF%BD", [["q", "\uFFFD"]]],
    [
      "q=a+b%20c&q",
      [
        ["q", "a b c"],
        ["q", ""],
      ],
    ],
    ["", []],
  ])("reads %s", (query, parameters) => {
    expect(readQueryString(query)).toEqual(parameters);
  });

  it.each(["q=%E0%A4%A", "page=1&q=%ff%fe", "q=%C0%80", "q=%ED%A0%80", "q=%F5%80%80%80", "q=%E9"])(
    "refuses %s, and names the parameter and the remedy",
    (query) => {
      expect(() => readQueryString(query)).toThrow(refusal(/^The q parameter is not UTF-8\. Percent-encode/));
    },
  );

  it.each([
    ["q=%zz", /^The q parameter has a percent sign that begins no code/],
    ["page=1&q=100%", /^The q parameter has a percent sign/],
    ["q=a%2", /^The q parameter has a percent sign/],
    ["q=%u00e9", /^The q parameter has a percent sign/],
    ["%zz=1", /^The %zz parameter has a percent sign/],
    ["q=a%00b", /^The q parameter must not contain control characters/],
    ["q=%0A", /^The q parameter must not contain control characters/],
    ["q=%C2%85", /^The q parameter must not contain control characters/],
    ["q=%7F", /^The q parameter must not contain control characters/],
    ["q=\u00c3\u00a9", /^The q parameter has bytes that are not percent-encoded/],
  ])("refuses %s, and explains why", (query, details) => {
    expect(() => readQueryString(query)).toThrow(refusal(details));
  });

  it("refuses a name that is not UTF-8", () => {
    expect(() => readQueryString("%ff=1")).toThrow(refusal(/not UTF-8/));
  });
});

describe("an id beyond the maximum", () => {
  const ids = Type.Object({ beat_id: Type.Integer(), copies: Type.Integer({ minimum: 1, maximum: 9, default: 1 }) });

  it("is 404 in an object of a list", () => {
    const list = Type.Object({ items: Type.Array(Type.Object({ beat_id: Type.Integer() })) });
    const body: [string, unknown][] = [["items", [{ beat_id: 1 }, { beat_id: 1e300 }]]];
    expect(() => readValues("field", list, body)).toThrow(
      refusal(/^The given beat_id does not exist; ids go up to/, 404),
    );
  });

  it.each(["99999999999999999999999", "-99999999999999999999999", "9007199254740992"])("is 404 in a path: %s", (id) => {
    expect(() => readPathParameters(ids, [["beat_id", id]])).toThrow(
      refusal(new RegExp(`^The beat_id ${id} does not exist; ids go up to 9,007,199,254,740,991\\.$`), 404),
    );
  });

  it("is clipped in the message", () => {
    expect(() => readPathParameters(ids, [["beat_id", "1".repeat(10_000)]])).toThrow(refusal(/^.{0,140}$/, 404));
  });

  it("is not quoted from a body, whose numbers are rounded", () => {
    const readBodyWithId = () => readBody(ids, "application/json", Buffer.from('{"beat_id":9007199254740993}'));
    expect(readBodyWithId).toThrow(
      refusal(/^The given beat_id does not exist; ids go up to 9,007,199,254,740,991\.$/, 404),
    );
  });

  it("is 404 in a body, after the other fields are validated", () => {
    const readJson = (json: string) => readBody(ids, "application/json", Buffer.from(json));
    expect(() => readJson('{"beat_id":99999999999999999999999}')).toThrow(refusal(/^The given beat_id does not/, 404));
    expect(() => readJson('{"beat_id":99999999999999999999999,"copies":"two"}')).toThrow(refusal(/copies/));
  });
});

describe("a text field", () => {
  const fields = Type.Object({
    name: Type.Optional(Type.String({ minLength: 1 })),
    description: Type.Optional(Type.String({ maxLength: 100 })),
    bio: Type.Optional(Type.Union([Type.String({ minLength: 1, "x-multiline": true }), Type.Null()])),
    payment_method: Type.Optional(Type.String({ "x-no-card-number": true })),
    password: Type.Optional(Type.String({ "x-verbatim": true })),
  });
  const readFields = (body: object) => readBody(fields, "application/json", Buffer.from(JSON.stringify(body)));

  it.each(["\u200b", " \u200b\u200d ", "\u3164", "\u00ad", "\u200e", "\u2800"])(
    "needs a visible character: %j",
    (text) => {
      for (const name of ["name", "description", "bio"])
        expect(() => readFields({ [name]: text })).toThrow(refusal(/has no visible character; write at least one/));
    },
  );

  it.each(["a\u202eb", "\u2066a\u2069", "\u202d1", "a\u2067"])("must not change the direction of text: %j", (text) => {
    for (const name of ["name", "description", "bio"])
      expect(() => readFields({ [name]: text })).toThrow(refusal(/direction of text .* leave them out\.$/));
  });

  it.each(["Ærø", "سلام\u200f!", "می\u200cخواهم", "👩\u200d🎤", "…", "愛"])("may be %j", (text) => {
    expect(readFields({ name: text, description: text, bio: text })).toEqual({
      name: text,
      description: text,
      bio: text,
    });
  });

  it("may be empty without a minimum length; a password may contain invisible characters", () => {
    expect(readFields({ description: "", password: "\u202e\u200b" })).toEqual({
      description: "",
      password: "\u202e\u200b",
    });
  });

  it.each(["4242424242424242", "4242 4242-4242.4242", "４２４２４２４２４２４２４２４２", "501800000009"])(
    "for a payment method refuses the card number %s without repeating it",
    (payment_method) => {
      expect(() => readFields({ payment_method })).toThrow(
        refusal(/^The payment_method field has a card number\. Never send one here: [^0-9]*$/),
      );
    },
  );

  it.each(["name", "bio"])("must be well-formed Unicode: %s", (name) => {
    for (const half of ["\\ud800", "a\\udc00", "\\udc00\\ud800"])
      expect(() => readBody(fields, "application/json", Buffer.from(`{"${name}":"${half}"}`))).toThrow(
        refusal(/surrogate/),
      );
    for (const bytes of [[0xff], [0xed, 0xa0, 0x80], [0xc3]])
      expect(() =>
        readBody(
          fields,
          "application/json",
          Buffer.concat([Buffer.from(`{"${name}":"`), Buffer.from(bytes), Buffer.from('"}')]),
        ),
      ).toThrow(refusal(/not valid UTF-8/));
  });

  it("is not quoted from a broken body", () => {
    const invalidJson = Buffer.from('{"payment_method":"4242424242424242" x}');
    expect(() => readBody(fields, "application/json", invalidJson)).toThrow(
      refusal(/^The body is not valid JSON: [^"]*$/),
    );
    expect(() => readBody(fields, "application/json", Buffer.from("secret-of-mine"))).toThrow(
      refusal(/^(?!.*secret-of)/),
    );
  });
});
