import "./english.ts";
import { describe, expect, test } from "vitest";
import { parseSearch, stringifySearch } from "../src/api/search-params.ts";
import { router } from "../src/routes.tsx";

/** Values that an address may give to any parameter. */
const oddValues = [
  "",
  " ",
  "4xx",
  "null",
  "true",
  "NaN",
  "-1",
  "0",
  "1.5",
  "1e999",
  "007",
  "99999999999999999999",
  "[]",
  "[1]",
  "{}",
  '{"a":1}',
  '"quoted"',
  "toString",
  "__proto__",
  "constructor",
  "%",
  "%00",
  "%ff",
  "%u0041",
  "%ED%A0%80",
  "\u202Eabc",
  "<script>",
  "//evil.example",
  "/\\evil.example",
  "javascript:alert(1)",
  "2026-02-30",
  "0000-01-01T00:00:00Z",
  "+275760-09-13",
  "x".repeat(10_000),
];

type Read = (search: Record<string, unknown>) => Record<string, unknown>;

const paths = Object.keys(router.routesByPath).map((path) => path.replace(/\$\w+/g, "1"));

function searchAt(path: string, query: string): { search: Record<string, unknown>; read: Read | undefined } {
  const match = router.matchRoutes(path, router.options.parseSearch(query)).at(-1);
  if (match === undefined) throw new Error(`Nothing matches ${path}.`);
  expect(match.searchError).toBeUndefined();
  const { validateSearch } = router.routesById[match.routeId].options as { validateSearch?: Read };
  return { search: match.search as Record<string, unknown>, read: validateSearch };
}

const setNames = (search: object) =>
  Object.entries(search).flatMap(([name, value]) => (value === undefined ? [] : [name]));

describe("every page accepts any query string", () => {
  test("the list has more than 20 pages, with the request log among them", () => {
    expect(paths.length).toBeGreaterThan(20);
    expect(paths).toContain("/log");
  });

  test.each(paths)("%s ignores invalid parameters", (path) => {
    const { read } = searchAt(path, "");
    const names = Object.keys(read?.({}) ?? {});
    if (read !== undefined) expect(names).not.toEqual([]);
    for (const name of [...names, "unknown", "__proto__"])
      for (const value of oddValues)
        for (const query of [
          `?${name}=${value}`,
          `?${name}=${encodeURIComponent(value)}`,
          `?${name}=1&${name}=${value}`,
        ]) {
          const { search } = searchAt(path, query);
          // Unknown parameters must not reach the page's API calls. The explorer's further parameters are fields of a
          // call.
          if (read !== undefined && path !== "/explorer")
            expect(names, query.slice(0, 100)).toEqual(expect.arrayContaining(setNames(search)));
          if (!names.includes(name)) continue;
          // Reading the page's own address again must return the same parameters.
          const secondReading = read?.(parseSearch(stringifySearch({ [name]: search[name] })));
          expect(secondReading?.[name], query.slice(0, 100)).toEqual(search[name]);
          expect(["undefined", "string", "number"]).toContain(typeof search[name]);
        }
  });

  test.each([
    ["/log", "status=4xx", "status"],
    ["/log", "from=yesterday", "from"],
    ["/log", "to=%2B275760-09-13", "to"],
    ["/analytics", "key=all", "key"],
    ["/webhooks/1", "state=lost", "state"],
    ["/webhooks/1", "from=[]", "from"],
    ["/webhooks/doctor", "endpoint=-1", "endpoint"],
    ["/market", "bpm_min=1e300", "bpm_min"],
    ["/studio", "show=all", "show"],
    ["/sign-in", "next=//evil.example", "next"],
    ["/register", "next=https://evil.example", "next"],
    ["/sign-in", "next=/", "next"],
    ["/explorer", "call=1.5", "call"],
  ])("%s?%s sets no parameter, because its value is invalid", (path, query, name) => {
    expect(searchAt(path, `?${query}`).search[name]).toBeUndefined();
  });

  test.each([
    ["/log", "status=404&class=4xx&text=140&key=7", { status: 404, class: "4xx", text: "140", key: 7 }],
    ["/log", "from=2026-11-01T00:00:00Z&request=5e10", { from: "2026-11-01T00:00:00.000Z", request: "5e10" }],
    ["/sign-in", "next=%2Flog%3Fstatus%3D404", { next: "/log?status=404" }],
    ["/sales", "from=2026-11-02&to=2026-11-01&page=2", { from: "2026-11-02", to: undefined, page: 2 }],
  ])("%s?%s sets the parameters whose values are valid", (path, query, expected) => {
    expect(searchAt(path, `?${query}`).search).toMatchObject(expected);
  });
});
