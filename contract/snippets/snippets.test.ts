import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { type Connection, typedCall } from "./call.ts";
import { installLine } from "./install.ts";
import { type Language, languageLabels } from "./language.ts";
import { operations } from "./operations.ts";
import { snippetFor } from "./snippets.ts";

const document = JSON.parse(await readFile(new URL("../openapi.json", import.meta.url), "utf8"));
const connection: Connection = { baseUrl: "https://api.example.com/v1", keyVariable: "BEATMARKET_API_KEY" };
const languages = Object.keys(languageLabels) as Language[];
const libraries = languages.filter((language) => language !== "curl");

interface Parameter {
  name: string;
  in: string;
}

test("the methods take all parameters of the operations with code in contract/openapi.json, except the `after` token of pages", () => {
  const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(
      methods as Record<
        string,
        { operationId: string; parameters: Parameter[]; requestBody?: object; "x-codeSamples"?: object[] }
      >,
    )
      .filter(([, operation]) => operation["x-codeSamples"] !== undefined)
      .map(([method, { operationId, parameters, requestBody }]) => {
        const inBody = JSON.stringify(requestBody ?? {}).match(/#\/components\/schemas\/(\w+)/)?.[1];
        const hasPages = parameters.some(({ name }) => name === "page");
        return {
          operationId,
          method: method.toUpperCase(),
          path,
          names: parameters
            .filter(({ in: place, name }) => place !== "header" && !(hasPages && name === "after"))
            .map(({ name }) => name)
            .sort(),
          idempotent: parameters.some(({ name }) => name === "Idempotency-Key"),
          body: inBody === undefined ? [] : Object.keys(document.components.schemas[inBody].properties),
        };
      }),
  );
  const offered = Object.entries(operations).map(([operationId, value]) => ({
    operationId,
    method: value.method,
    path: value.path,
    names: [...Object.keys(value.positional), ...Object.keys(value.query)].sort(),
    idempotent: value.idempotent === true,
    body: Object.keys(value.body ?? {}),
  }));
  const byId = (a: { operationId: string }, b: { operationId: string }) => (a.operationId < b.operationId ? -1 : 1);
  expect(offered.sort(byId)).toEqual(documented.sort(byId));
});

test.each(libraries)(
  "the library of %s is installed from the server that a call goes to, with the CA of that server if it has one",
  (language) => {
    const line = installLine(language, connection);
    expect(line).toMatch(
      /^curl --fail --remote-name 'https:\/\/api\.example\.com\/portal\/packages\/beatmarket[\w.-]+' && /,
    );
    const ownInstallLine = installLine(language, { ...connection, caFile: "/it's/ca.pem" });
    expect(ownInstallLine).toBe(line?.replace("--fail", "--fail --cacert '/it'\\''s/ca.pem'"));
  },
);

test("docs/client-libraries.md has the command of each library", async () => {
  const guide = await readFile(new URL("../../docs/client-libraries.md", import.meta.url), "utf8");
  const local: Connection = { baseUrl: "https://localhost:8443/v1", keyVariable: "KEY", caFile: "ca.pem" };
  for (const language of libraries) expect(guide).toContain(`\`\`\`sh\n${installLine(language, local)}\n\`\`\``);
});

test.each(libraries)("a %s snippet uses the typed method for a call that it can make", (language) => {
  expect(snippetFor(language, { method: "get", path: "/beats/7/similar", query: { limit: "3" } }, connection)).toMatch(
    language === "go"
      ? /Beats\.Similar\(\s*context\.Background\(\),\s*7,\s*.*Some\(3\)/
      : /beats(\.|->)similar\(7, .*3/,
  );
});

test.each([
  ["the console form", { operationId: "getBeat", parameters: { beat_id: 1 }, form: "console" }],
  ["an unknown parameter", { operationId: "listBeats", query: { genr: 3 } }],
  ["a value of another type", { operationId: "listBeats", query: { limit: "many" } }],
  ["a list with a value of another type", { operationId: "listBeats", query: { genre: "3,four" } }],
  ["a list with an empty value", { operationId: "listBeats", query: { tag: "dark,,lo-fi" } }],
  ["a switch that is neither on nor off", { operationId: "listBeats", query: { half_double: "yes" } }],
  ["an identifier that is not a number", { method: "GET", path: "/beats/abc" }],
  ["a field that is missing", { operationId: "createOrder", body: { beat_id: 1 } }],
  ["a body that is not an object", { operationId: "createOrder", body: [1] }],
  ["an inherited name", { operationId: "listBeats", query: { constructor: 1 } }],
  ["another path", { method: "GET", path: "/nowhere" }],
] as const)("a call with %s is written as a raw request", (_, call) => {
  for (const language of libraries)
    expect(snippetFor(language, call as never, connection)).toMatch(
      language === "go" ? /client\.Request\(/ : /(\.|->)request\(/,
    );
});

test.each(libraries)("a %s snippet saves a file by the method, in either form", (language) => {
  for (const form of [undefined, "console"] as const)
    expect(snippetFor(language, { operationId: "exportBeats", form }, connection)).toMatch(
      language === "go"
        ? /Exports\.Beats\(context\.Background\(\), "beats\.ndjson\.gz"\)/
        : /exports(\.|->)beats\(["']beats\.ndjson\.gz["']\)/,
    );
});

test("a curl snippet saves a file, resumes a partial file, and does not save the text of an error", () => {
  expect(snippetFor("curl", { method: "GET", path: "/exports/beats.ndjson.gz" }, connection)).toContain(
    "--fail --output 'beats.ndjson.gz' --continue-at -",
  );
});

test("a list becomes an array, a single value of a list stays single, and other values have their types", () => {
  const query = {
    genre: "3,4",
    producer: "7",
    tag: "dark,lo-fi",
    bpm: "140",
    bpm_tolerance: "2.5",
    half_double: "true",
  };
  expect(typedCall({ operationId: "listBeats", query })?.named).toEqual([
    ["genre", [3, 4]],
    ["producer", 7],
    ["tag", ["dark", "lo-fi"]],
    ["bpm", 140],
    ["bpm_tolerance", 2.5],
    ["half_double", true],
  ]);
  const call = { operationId: "listBeats", query: { ...query, created_after: "2026-11-01" } };
  for (const [language, expectedText] of [
    ["javascript", 'genre: [3, 4],\n  producer: 7,\n  tag: ["dark", "lo-fi"],'],
    ["python", 'half_double=True,\n    created_after="2026-11-01"'],
    ["php", "bpmTolerance: 2.5,\n    halfDouble: true,\n    createdAfter: '2026-11-01'"],
    ["ruby", 'tag: ["dark", "lo-fi"],'],
    ["curl", "genre=3,4&producer=7&tag=dark,lo-fi&bpm=140"],
  ] as const)
    expect(snippetFor(language, call, connection)).toContain(expectedText);
});

test("null is omitted from a query and kept in a body", () => {
  expect(typedCall({ operationId: "listBeats", query: { genre: null, limit: 2 } })?.named).toEqual([["limit", 2]]);
  expect(typedCall({ operationId: "updateProfile", body: { bio: null } })?.named).toEqual([["bio", null]]);
});

test("an impossible call and an invalid name of a variable are refused", () => {
  const refused = [{ operationId: "toString" }, { method: "GET" }, { path: "/beats" }, { method: "G'T", path: "/" }];
  for (const call of refused) expect(() => snippetFor("curl", call, connection)).toThrow(RangeError);
  const call = { operationId: "listGenres" };
  expect(() => snippetFor("curl", call, { ...connection, keyVariable: "K; rm -rf ~" })).toThrow(RangeError);
});

test.each(languages)("a %s snippet escapes invisible and reordering characters", (language) => {
  const hidden = ["\u202e", "\u200b", "\0", "\u2028", "\u{e0001}", "\ud800"];
  const body = { display_name: hidden.join("-") };
  const snippet = snippetFor(language, { operationId: "updateProfile", body }, connection);
  for (const character of hidden) expect(snippet).not.toContain(character);
  expect(snippet).toMatch(/202e/i);
});
