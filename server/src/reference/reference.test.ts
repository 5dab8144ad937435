import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ApiDocument, groupsOf } from "@beatmarket/api-reference/document.ts";
import { hashSource } from "@beatmarket/http/hash-source.ts";
import { openRoutes } from "@beatmarket/http/testing/routes.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import openapi from "../../../contract/openapi.json" with { type: "json" };
import { referenceRoutes } from "./reference.ts";

const document = openapi as unknown as ApiDocument;
const operations = groupsOf(document).flatMap((group) => group.operations.map((operation) => ({ group, operation })));
let folder = "";
let app: ReturnType<typeof openRoutes>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "beatmarket-reference-"));
  await mkdir(join(folder, ".vite"));
  const manifest = {
    "src/site/reference.ts": {
      file: "assets/reference-1.js",
      imports: ["_shared.js"],
      css: ["assets/reference-1.css"],
    },
    "_shared.js": { file: "assets/shared-1.js", css: ["assets/shared-1.css"] },
  };
  await writeFile(join(folder, ".vite/site.json"), JSON.stringify(manifest));
  app = openRoutes(routesFor(document));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const brand = { name: "Beat Marketplace", style: "", logo: null };
const routesFor = (apiDocument: object, built = folder) => referenceRoutes(async () => apiDocument, built, brand);
const page = async (address: string): Promise<string> => {
  const { statusCode, body } = await app.inject(address);
  expect(statusCode).toBe(200);
  return body;
};

describe("a page", () => {
  test("has a policy that allows only our own origin, and inline only the color scheme", async () => {
    const { headers, body } = await app.inject("/explorer/beats");
    expect(headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(headers["x-frame-options"]).toBe("SAMEORIGIN");
    const inline = [...body.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text = ""]) => hashSource(text));
    expect(inline).toHaveLength(1);
    expect(String(headers["content-security-policy"])).toContain(
      `default-src 'none'; script-src 'self' ${inline[0]}; style-src 'self';`,
    );
    expect(String(headers["content-security-policy"])).not.toMatch(/https?:|\*|unsafe/);
    // Without the block of JSON with the texts of scripts, which does not run.
    expect(body).not.toMatch(/<style|<script(?!>| type="module"| type="application\/json")| style="| on\w+="/);
    expect([...body.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map(([, href]) => href)).toEqual([
      "/portal/assets/shared-1.css",
      "/portal/assets/reference-1.css",
    ]);
    expect(body).toContain(`src="/portal/assets/reference-1.js"`);
  });

  test("is compressed, and 304 if it has not changed", async () => {
    const { headers } = await app.inject({ url: "/explorer/beats", headers: { "accept-encoding": "br" } });
    expect(headers["content-encoding"]).toBe("br");
    const again = await app.inject({
      url: "/explorer/beats",
      headers: { "accept-encoding": "br", "if-none-match": String(headers.etag) },
    });
    expect(again.statusCode).toBe(304);
  });

  test("for an unknown group is 404 and names the address of the reference", async () => {
    const { statusCode, body } = await app.inject("/explorer/nothing");
    expect(statusCode).toBe(404);
    expect(body).toContain("/explorer");
  });

  test("is 503 without a build, and says how to build", async () => {
    const { statusCode, body } = await openRoutes(routesFor(document, join(folder, "none"))).inject("/explorer");
    expect(statusCode).toBe(503);
    expect(body).toContain("build-portal.mjs");
  });

  test("has unique ids, and every link within the reference leads to one", async () => {
    const groups = groupsOf(document).map(({ slug }) => `/explorer/${slug}`);
    const pages = new Map(
      await Promise.all(["/explorer", ...groups].map(async (address) => [address, await page(address)] as const)),
    );
    const idsOf = (html = ""): string[] => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id);
    for (const [address, html] of pages) {
      expect(new Set(idsOf(html)).size, address).toBe(idsOf(html).length);
      const links = [...html.matchAll(/ href="((?:\/explorer|#)[^"]*)"/g)].map(([, href = ""]) => href);
      const brokenLinks = links
        .filter((href) => href !== "/explorer/openapi.json")
        .filter((href) => {
          const [path, id] = href.split("#");
          const target = pages.get(path || address);
          return target === undefined || (id !== undefined && !idsOf(target).includes(id));
        });
      expect(brokenLinks, address).toEqual([]);
    }
  });
});

test("the overview lists every operation and webhook", async () => {
  const html = await page("/explorer");
  expect(operations.length).toBeGreaterThan(30);
  for (const { group, operation } of operations)
    expect(html).toContain(`href="/explorer/${group.slug}#${operation.operationId}"`);
});

test.each(operations.map(({ group, operation }) => [operation.operationId, group, operation] as const))(
  "%s has its parameters, code samples, statuses, and, unless it is a webhook, a link to the explorer",
  async (id, group, operation) => {
    const pageHtml = await page(`/explorer/${group.slug}`);
    const html = pageHtml.slice(pageHtml.indexOf(`<section class="operation" id="${id}"`)).split("</section>")[0] ?? "";
    for (const { name } of operation.parameters ?? []) expect(html).toContain(`<code class="name">${name}</code>`);
    const samples = operation["x-codeSamples"] ?? [];
    for (const { label } of samples) expect(html).toContain(`aria-label="${id} in ${label}"`);
    // All but curl have a library.
    expect(html.split('<p class="install">').slice(1)).toHaveLength(Math.max(0, samples.length - 1));
    for (const status of Object.keys(operation.responses)) expect(html).toContain(`>${status}</`);
    expect(html.includes(`href="/portal/explorer?operation=${id}"`)).toBe(group.kind === "operations");
  },
);
