import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { installLine } from "../../../contract/snippets/install.ts";
import type { Language } from "../../../contract/snippets/language.ts";
import { declarationsOf, type Library, libraries } from "./libraries.ts";
import { Pages, type Reference, readOperations, referenceOf } from "./reference.ts";

const clients = join(import.meta.dirname, "../../../clients");
const read = (path: string): Promise<string> => readFile(join(clients, path), "utf8");

/** Public names to look for: nearly all of JavaScript and Python, the exceptions of PHP, the models of Ruby and Go. */
const publicNames: Record<string, () => Promise<string[]>> = {
  javascript: async () => {
    const lists = [...(await read("javascript/src/index.ts")).matchAll(/\{([^}]+)\}/g)].flatMap(([, list = ""]) =>
      list.split(","),
    );
    return lists
      .map((each) => each.replace(/\btype /, "").trim())
      .filter((each) => each !== "" && !each.includes(" as ") && each !== "version");
  },
  python: async () => {
    const list = /__all__ = \[.*\n([\s\S]+?)\]/.exec(await read("python/src/beatmarket/__init__.py"))?.[1] ?? "";
    // The reference leaves out the `Async` classes, which have the same methods. NOT_GIVEN is not a class.
    const names = [...list.matchAll(/"([A-Z]\w+)"/g)].map(([, name = ""]) => name);
    return names.filter((name) => name !== "NOT_GIVEN" && (!name.startsWith("Async") || name === "AsyncClient"));
  },
  php: async () => (await readdir(join(clients, "php/src/Exception"))).map((file) => file.replace(/\.php$/, "")),
  ruby: async () =>
    [...(await read("ruby/sig/generated.rbs")).matchAll(/^ {2}class (\w+) < Model/gm)].map(([, name = ""]) => name),
  go: async () =>
    [...(await read("go/models_generated.go")).matchAll(/^type ([A-Z]\w+) /gm)].map(([, name = ""]) => name),
};

/** The headings of classes, and of methods with their full names. */
const headings = ({ reference, types }: Reference): string[] =>
  [...`${reference}\n${types}`.matchAll(/^###? (?:new )?`?(?:new )?(.+?)`?$/gm)].map(([, title = ""]) => title);

/** The part of a page below a heading. */
const below = (page: string, title: string): string => page.split(`\n### \`${title}\`\n`)[1]?.split("\n### ")[0] ?? "";

describe.each(Object.entries(libraries))("the reference of %s", (language, library) => {
  let pages: Reference;
  beforeAll(async () => {
    pages = await referenceOf(language);
  });

  test("has a signature and a description of every operation, and the document's example if there is one", async () => {
    for (const [name, { "x-codeSamples": samples }] of await readOperations()) {
      const [first = "", second] = name.split(".");
      const title = library.call(second === undefined ? null : first, library.methodName(second ?? first));
      const part = below(pages.reference, title);
      expect(part, title).toContain(`\`\`\`${library.code}\n`);
      expect(part.split("```")[2]?.trim(), title).not.toBe("");
      if (samples !== undefined)
        expect(part.split("\nExample:\n")[1] ?? "", title).toContain(library.methodName(second ?? first));
    }
  });

  test("has the line that installs the library from a server", () => {
    const caFile = ".data/tls/ca.pem";
    const connection = { baseUrl: "https://localhost:8443/v1", keyVariable: "KEY", caFile };
    const line = installLine(language as Language, connection);
    expect(pages.reference.split("## Index")[0]).toContain(`\`\`\`sh\n${line}\n\`\`\``);
  });

  test("has the library's public names", async () => {
    const names = (await publicNames[language]?.()) ?? [];
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !headings(pages).includes(name))).toEqual([]);
  });

  test("has links that lead to headings", () => {
    for (const [page, text] of Object.entries(pages)) {
      const toOwnPage = [...text.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = ""]) => anchor);
      const otherPage = page === "types" ? "reference" : "types";
      const toOtherPage = [...text.matchAll(new RegExp(`\\(${language}-${otherPage}\\.md#([^)]+)\\)`, "g"))].map(
        ([, anchor = ""]) => anchor,
      );
      expect(toOwnPage.filter((anchor) => !anchors(text).has(anchor))).toEqual([]);
      expect(toOtherPage.filter((anchor) => !anchors(pages[otherPage]).has(anchor))).toEqual([]);
      expect(toOtherPage.length + toOwnPage.length).toBeGreaterThan(50);
    }
  });

  test("cannot be generated for a library that lacks the method of an operation", async () => {
    const operations = new Map([
      ...(await readOperations()),
      ["beats.play", { operationId: "playBeat", summary: "Play" }],
    ]);
    const source = await declarationsOf(library as Library);
    expect(() => new Pages(language, library as Library, source, operations)).toThrow(
      `The ${library.label} library has no beats.${library.methodName("play")}.`,
    );
  });
});

const anchors = (page: string): Set<string> =>
  new Set(
    [...page.replace(/```[\s\S]*?```/g, "").matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );

test.each([
  ["javascript", "testing.response"],
  ["ruby", "Testing.response"],
  ["go", "beatmarkettest.Response"],
  ["php", "FakeTransport.example"],
])("the reference of %s has the recorded examples for tests", async (language, title) => {
  expect(below((await referenceOf(language)).reference, title)).toContain("getBeat");
});

test("a method has a table of parameters with types and descriptions, and its errors", async () => {
  expect(below((await referenceOf("python")).reference, "client.uploads.wait")).toContain("| `upload_id` | `str` |");
  expect(below((await referenceOf("php")).reference, "$client->beats->list")).toContain(
    "| `$limit` | `int\\|null` | The number of results on a page (1 to 100; default: 20). |",
  );
  expect(below((await referenceOf("go")).reference, "client.Beats.List")).toContain("| `PriceMax` | [`Opt[float64]`]");
  expect(below((await referenceOf("javascript")).reference, "client.beats.list")).toContain(
    "| `price_max?` | `number \\| null`",
  );
  expect(below((await referenceOf("ruby")).reference, "client.orders.download")).toContain("`ChecksumError`");
});
