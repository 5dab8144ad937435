import { openRoutes } from "@beatmarket/http/testing/routes.ts";
import { expect, test } from "vitest";
import { testApi } from "../../test/harness/api.ts";
import { apiCatalogRoutes } from "./api-catalog.ts";

const app = openRoutes(
  apiCatalogRoutes({ site: "Beat Marketplace", publicUrl: "https://beats.example.com", version: "1.0.0" }),
);

interface LinkSet {
  linkset: { anchor: string; item?: { href: string }[]; "service-desc"?: { href: string }[] }[];
}

test("the catalog is a link set of RFC 9727, for every origin", async () => {
  const { headers, body, statusCode } = await app.inject({ url: "/.well-known/api-catalog" });
  expect(statusCode).toBe(200);
  expect(headers["content-type"]).toBe('application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"');
  expect(headers["access-control-allow-origin"]).toBe("*");
  const { linkset } = JSON.parse(body) as LinkSet;
  expect(linkset[0]).toEqual({
    anchor: "https://beats.example.com/.well-known/api-catalog",
    item: [{ href: "https://beats.example.com/v1" }, { href: "https://beats.example.com/mcp" }],
  });
});

test("each description that the catalog names exists", async () => {
  const api = await testApi();
  const { linkset } = (await api.get("/.well-known/api-catalog", { key: null })).json() as LinkSet;
  const descriptions = linkset.flatMap((entry) => entry["service-desc"] ?? []);
  const paths = descriptions.map(({ href }) => new URL(href).pathname);
  const flows = ["buy", "checkout", "events", "mirror", "playlist"].map((name) => `/arazzo/${name}.yaml`);
  expect(paths).toEqual(["/openapi.json", ...flows, "/server.json"]);
  for (const path of paths) expect((await api.get(path, { key: null })).statusCode, path).toBe(200);
});

test("server.json names the address, and the key as a secret", async () => {
  const server = (await app.inject({ url: "/server.json" })).json();
  expect(server).toMatchObject({
    name: "com.example.beats/beatmarket",
    remotes: [
      {
        type: "streamable-http",
        url: "https://beats.example.com/mcp",
        headers: [{ name: "Authorization", isRequired: true, isSecret: true }],
      },
    ],
  });
  expect(server.description.length).toBeLessThanOrEqual(100);
});
