import { describe, expect, test } from "vitest";
import { convert } from "./convert.ts";
import { Slugs } from "./slugs.ts";

const sources = { titleOf: (name: string) => `Title of ${name}`, sizeOf: () => ({ width: 640, height: 400 }) };
const html = async (markdown: string, name = "webhooks"): Promise<string> =>
  (await convert(name, markdown, sources)).html;

describe("an anchor", () => {
  test.each([
    ["When the signature does not match", "when-the-signature-does-not-match"],
    ["429: a limit is exhausted", "429-a-limit-is-exhausted"],
    ["`GET /beats`", "get-beats"],
    ["Größe & Maß", "größe--maß"],
    ["under_score", "under_score"],
  ])("for %j is %s", (heading, slug) => {
    expect(new Slugs().next(heading)).toBe(slug);
  });

  test("has a number if an earlier heading has the same text", async () => {
    const { headings } = await convert("webhooks", "# A\n\n## Same\n\n## Same\n\n### Same", sources);
    expect(headings.map(({ id }) => id)).toEqual(["same", "same-1", "same-2"]);
  });
});

describe("a link", () => {
  test.each([
    ["to a document", "[a](orders.md)", `<a href="/portal/docs/orders">a</a>`],
    ["to a heading", "[a](api/orders.md#order-states)", `<a href="/portal/docs/api/orders#order-states">a</a>`],
    ["to the API's first page", "[a](api/README.md)", `<a href="/portal/docs/api">a</a>`],
    ["within the document", "[a](#events)", `<a href="/portal/docs/webhooks#events">a</a>`],
    ["elsewhere", "[a](https://example.com/?a&b)", `<a href="https://example.com/?a&amp;b" rel="noreferrer">a</a>`],
    ["to a file of the repository", "[a](../LICENSE)", `<span title="../LICENSE in the repository">a</span>`],
    ["to a decision", "[a](decisions/README.md)", `<span title="decisions/README.md in the repository">a</span>`],
    [
      "whose text is the file's name",
      "[api/orders.md](api/orders.md)",
      `<a href="/portal/docs/api/orders">Title of api/orders</a>`,
    ],
  ])("%s", async (_, markdown, expected) => {
    expect(await html(markdown)).toBe(`<p>${expected}</p>`);
  });

  test("to or from the README of a client library leads to the page, and names a file without a page", async () => {
    expect(await html("[README](../clients/go/README.md#errors)")).toContain(`href="/portal/docs/clients/go#errors"`);
    expect(await html("[a](../../docs/webhooks.md)", "clients/go")).toContain(`href="/portal/docs/webhooks"`);
    expect(await html("[a](examples/mixing.mjs)", "clients/javascript")).toContain(
      "examples/mixing.mjs in the repository",
    );
  });

  test("leads from a document of docs/api to the parent folder", async () => {
    expect(await html("[a](../webhooks.md)", "api/events")).toContain(`href="/portal/docs/webhooks"`);
  });
});

describe("the HTML of a document", () => {
  test("has each table in a focusable group", async () => {
    expect(await html("| a | b |\n|---|---|\n| `1` | 2 |")).toMatch(
      /^<div class="table" tabindex="0" role="group" aria-label="Table"><table><thead><tr><th scope="col">a<\/th>/,
    );
  });

  test("has no table header if the header cells are empty", async () => {
    expect(await html("| | |\n|---|---|\n| 1 | 2 |")).not.toContain("<th");
  });

  test("highlights code of a known language, and escapes all code", async () => {
    expect(await html('```js\nconst a = "<b>";\n```')).toContain(`<span class="sh-keyword">const</span>`);
    expect(await html('```js\nconst a = "<b>";\n```')).toContain("&lt;b&gt;");
    expect(await html("```\n<b>\n```")).toContain("<code>&lt;b&gt;</code>");
  });

  test("reserves space for pictures before they load", async () => {
    const { html: text, images } = await convert("buying", "![A & b](images/a.png)", sources);
    expect(text).toContain(`alt="A &amp; b" width="640" height="400" loading="lazy"`);
    expect(images).toEqual(["images/a.png"]);
  });

  test("shows HTML from the Markdown as text", async () => {
    expect(await html("a <img src=x onerror=alert(1)> b")).toBe("<p>a &lt;img src=x onerror=alert(1)&gt; b</p>");
    expect(await html("<script>alert(1)</script>")).not.toContain("<script");
  });
});

test("a section has the plain text below its heading, without code blocks", async () => {
  const { sections } = await convert(
    "webhooks",
    "# A\n\nOne `<two>` & three.\n\n## B\n\n- four\n- [five](orders.md)\n\n```\nsix\n```\n",
    sources,
  );
  expect(sections).toEqual([
    { id: "", heading: "A", text: "One <two> & three." },
    { id: "b", heading: "B", text: expect.stringMatching(/^four ?five$/) },
  ]);
});
