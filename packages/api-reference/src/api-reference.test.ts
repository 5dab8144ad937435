import { describe, expect, test } from "vitest";
import { type ApiDocument, groupsOf, resolved } from "./document.ts";
import { fieldsOf, prose } from "./field-list.ts";
import { operationSection, type ReferenceSite } from "./operation-section.ts";

const document = {
  info: { title: "Library" },
  tags: [{ name: "Books", description: "Books on the shelves." }, { name: "Readers" }],
  paths: {
    "/books/{id}": {
      get: {
        operationId: "getBook",
        tags: ["Books"],
        summary: "Get a book",
        description: "One `book`.\n\nPermission: `books:read`.",
        "x-permission": "books:read",
        "x-codeSamples": [
          { lang: "shell", label: "curl", source: "curl /books/1\n" },
          { lang: "ruby", label: "Ruby", source: "books.get(1)\n", "x-install": "gem install library" },
        ],
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
        responses: {
          200: {
            description: "The book.",
            content: {
              "application/json": { schema: { $ref: "#/components/schemas/Book" }, example: { title: "Emma" } },
              "application/vnd.library+json": { schema: { $ref: "#/components/schemas/Book" }, example: { data: {} } },
            },
          },
          404: { $ref: "#/components/responses/NotFound" },
        },
      },
    },
  },
  webhooks: { "book.lent": { $ref: "#/components/pathItems/book.lent" } },
  components: {
    schemas: {
      Book: { type: "object", properties: { title: { type: "string" } } },
      Tree: { type: "object", properties: { child: { $ref: "#/components/schemas/Tree" } } },
    },
    responses: { NotFound: { description: "There is no such book." } },
    pathItems: {
      "book.lent": { post: { operationId: "bookLent", responses: { "2XX": { description: "Received." } } } },
    },
  },
} satisfies ApiDocument;

const site: ReferenceSite = {
  highlighted: (code, language) => `<i class="${language}">${code}</i>`,
  installation: (command) => `<p class="install">${command}</p>`,
  formNames: { "application/json": "Plain form", "application/vnd.library+json": "Wrapped form" },
  explorerUrl: (operationId) => `/try?operation=${operationId}`,
  errorUrl: (status) => `/errors#${status}`,
};

const groups = groupsOf(document);
const sectionOf = (group: number): string => {
  const { kind, operations } = groups[group] as (typeof groups)[number];
  return operations.map((operation) => operationSection(site, document, operation, kind)).join("");
};

test("the pages are the tags with operations, and the webhooks", () => {
  expect(groups.map(({ slug, operations }) => [slug, operations.map(({ path }) => path)])).toEqual([
    ["books", ["/books/{id}"]],
    ["webhooks", ["book.lent"]],
  ]);
});

describe("an operation", () => {
  const html = sectionOf(0);

  test("shows its permission once, and links to the site's pages", () => {
    expect(html.split("books:read")).toHaveLength(2);
    expect(html).toContain(`href="/try?operation=getBook"`);
    expect(html).toContain(`href="/errors#404"`);
  });

  test("has its programs in the site's colours, with the command that installs a library", () => {
    expect(html).toContain(`<i class="ruby">books.get(1)</i>`);
    expect(html.split(`<p class="install">`)).toEqual([
      expect.anything(),
      expect.stringMatching(/^gem install library/),
    ]);
  });

  test("names the forms of a response", () => {
    expect(html).toContain("<summary>Plain form ");
    expect(html).toContain("<summary>Wrapped form ");
    expect(html).toContain(`aria-label="A response of getBook: Wrapped form"`);
  });
});

test("a webhook has the response of its receiver, and no link to the explorer", () => {
  const html = sectionOf(1);
  expect(html).toContain("Your response");
  expect(html).not.toContain("/try?");
});

describe("a schema", () => {
  test("that contains itself ends", () => {
    const html = fieldsOf(document, { $ref: "#/components/schemas/Tree" });
    expect(html.split(`<code class="name">child</code>`).length).toBeGreaterThan(2);
    expect(html.length).toBeLessThan(20_000);
  });

  test.each([
    ["an enumeration", { enum: ["wav", "mp3"] }, "<code>wav</code>, <code>mp3</code>"],
    ["a nullable text", { anyOf: [{ type: "string" }, { type: "null" }] }, "string or null"],
    ["a list", { type: "array", items: { type: "integer" }, maxItems: 3 }, "list of integer"],
    ["limits", { type: "integer", minimum: 1, maximum: 1000 }, "1 to 1,000"],
    ["a default", { type: "boolean", default: false }, "default <code>false</code>"],
    ["markup in a description", { type: "string", description: "<b> & `a<b`" }, "&lt;b&gt; &amp; <code>a&lt;b</code>"],
  ])("shows %s", (_, field, shown) => {
    const html = fieldsOf(document, { type: "object", required: ["field"], properties: { field } });
    expect(html).toContain(shown);
    expect(html).toContain(`<span class="required">required</span>`);
  });
});

test("a text keeps code and emphasis, and no HTML", () => {
  expect(prose("One <b>.\n\n**Two** `x`")).toBe("<p>One &lt;b&gt;.</p>\n<p><strong>Two</strong> <code>x</code></p>");
});

test("the error for a reference that leads nowhere names the reference", () => {
  expect(() => resolved(document, { $ref: "#/components/schemas/Missing" })).toThrow("#/components/schemas/Missing");
});
