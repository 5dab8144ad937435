import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { HttpResponse } from "@beatmarket/http/http-response.ts";
import { matchesEntityTag } from "@beatmarket/http/negotiation/entity-tag.ts";
import { Representation } from "@beatmarket/http/negotiation/representation.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import { notBuilt } from "../portal/web-app.ts";
import { logoPath, type SiteBrand } from "./brand.ts";

const headers = {
  "cache-control": "public, max-age=300",
  // An SVG that is opened by itself runs and loads nothing.
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  "cross-origin-resource-policy": "cross-origin",
};

/** The logo, also for mails and other sites, and the manifest of the web app. `folder` has the built portal. */
export const brandRoutes = ({ name, logo }: SiteBrand, folder: string): Route[] => {
  const manifest = new Representation(
    JSON.stringify({
      name,
      short_name: name,
      start_url: "/",
      display: "browser",
      icons: [{ src: logoPath, sizes: "any", type: logo?.contentType ?? "image/svg+xml" }],
    }),
    "application/manifest+json",
  );
  return [
    openRoute("/site.webmanifest", () => manifest, { headers: { "cache-control": "public, max-age=300" } }),
    // Browsers request the second one with files that are not pages.
    ...[logoPath, "/favicon.ico"].map((path) =>
      openRoute(
        path,
        async ({ requestHeaders }): Promise<HttpResponse | Representation> => {
          if (logo === null) return new Representation(await ownLogo(folder), "image/svg+xml");
          const { etag, contentType, bytes } = logo;
          if (matchesEntityTag(requestHeaders["if-none-match"], etag)) return { status: 304, headers: { etag } };
          return { status: 200, headers: { etag, "content-type": contentType }, body: bytes };
        },
        { headers },
      ),
    ),
  ];
};

const ownLogo = (folder: string): Promise<string> =>
  readFile(join(folder, "icon.svg"), "utf8").catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ENOENT" ? notBuilt() : error;
  });
