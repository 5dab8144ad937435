import { readdirSync, readFileSync } from "node:fs";
import type { Clock } from "@beatmarket/foundation/clock.ts";
import type { HttpResponse } from "@beatmarket/http/http-response.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";

export interface CatalogParts {
  publicUrl: string;
  /** The operator's name of the site. */
  site: string;
  /** The version of the API's document. */
  version: string;
}

const flowsFolder = new URL("../../../contract/arazzo/", import.meta.url);
/** The workflows of the API in the format Arazzo 1.0, by file name. */
const flows = readdirSync(flowsFolder)
  .sort()
  .map((name) => ({ path: `/arazzo/${name}`, text: readFileSync(new URL(name, flowsFolder), "utf8") }));

const linksetType = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

/**
 * Documents by which programs discover the API, readable for every origin:
 * - /.well-known/api-catalog: the APIs of this server and their descriptions, as a link set (RFC 9727, RFC 9264).
 * - /arazzo: the workflows of the API.
 * - /server.json: the MCP server in the format of registries.
 */
export function apiCatalogRoutes({ publicUrl, site, version }: CatalogParts): Route[] {
  const link = (path: string, type: string, title?: string) => ({
    href: `${publicUrl}${path}`,
    type,
    ...(title !== undefined && { title }),
  });
  const catalog = json(linksetType, {
    linkset: [
      {
        anchor: `${publicUrl}/.well-known/api-catalog`,
        item: [{ href: `${publicUrl}/v1` }, { href: `${publicUrl}/mcp` }],
      },
      {
        anchor: `${publicUrl}/v1`,
        "service-desc": [
          link("/openapi.json", "application/vnd.oai.openapi+json;version=3.1"),
          ...flows.map(({ path }) => link(path, "application/vnd.oai.workflows+yaml;version=1.0")),
        ],
        "service-doc": [
          link("/explorer", "text/html", "Reference"),
          link("/portal/docs", "text/html", "Guides"),
          link("/changelog", "text/html", "Changelog"),
          link("/llms.txt", "text/plain", "Guides for language models"),
        ],
        "service-meta": [
          link("/changelog.json", "application/feed+json", "Changes of the API"),
          link("/changelog.atom", "application/atom+xml", "Changes of the API"),
        ],
        status: [link("/api/v2/status.json", "application/json")],
      },
      {
        anchor: `${publicUrl}/mcp`,
        "service-desc": [link("/server.json", "application/json", "MCP server")],
        "service-doc": [link("/portal/docs/agents", "text/html", "For agents")],
      },
    ],
  });
  const server = json("application/json", {
    $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    name: `${reversedHost(publicUrl)}/beatmarket`,
    title: site,
    description: "Find music beats, compare licenses and buy them after a person agrees.",
    version,
    websiteUrl: `${publicUrl}/portal/docs/agents`,
    remotes: [
      {
        type: "streamable-http",
        url: `${publicUrl}/mcp`,
        headers: [
          {
            name: "Authorization",
            description: "Bearer and an API key of the developer portal: Bearer bm_…",
            isRequired: true,
            isSecret: true,
          },
        ],
      },
    ],
  });
  return [
    openRoute("/.well-known/api-catalog", () => catalog),
    openRoute("/server.json", () => server),
    ...flows.map(({ path, text }) => openRoute(path, () => document("application/yaml", text))),
  ];
}

const document = (contentType: string, body: string): HttpResponse => ({
  status: 200,
  headers: { "content-type": contentType, "cache-control": "public, max-age=300", "access-control-allow-origin": "*" },
  body,
});

const json = (contentType: string, value: object): HttpResponse => document(contentType, JSON.stringify(value));

/** A name in a registry begins with the publisher's domain: com.example.beats for beats.example.com. */
const reversedHost = (publicUrl: string): string => new URL(publicUrl).hostname.split(".").reverse().join(".");

const dayMs = 86_400_000;
/** The lifetime of security.txt. RFC 9116 recommends less than a year. */
const validDays = 180;

export interface WellKnownParts {
  publicUrl: string;
  clock: Clock;
}

/**
 * The address of the page that changes a password, for browsers, and the contact for reports of vulnerabilities
 * (RFC 9116).
 */
export const wellKnownRoutes = ({ publicUrl, clock }: WellKnownParts): Route[] => [
  openRoute("/.well-known/change-password", () => ({
    status: 302,
    headers: { location: "/portal/account/security", "cache-control": "no-store" },
    body: "",
  })),
  openRoute("/.well-known/security.txt", () => ({
    status: 200,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "public, max-age=86400" },
    body: `Contact: ${publicUrl}/contact
Expires: ${expiry(clock.nowMs())}
Preferred-Languages: en
Canonical: ${publicUrl}/.well-known/security.txt
`,
  })),
];

/** The time of expiry is a midnight, so that the file does not change during a day. */
const expiry = (nowMs: number): string =>
  new Date((Math.floor(nowMs / dayMs) + validDays) * dayMs).toISOString().replace(".000", "");
