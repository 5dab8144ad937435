import { notFound } from "@beatmarket/foundation/errors.ts";
import { onFirstUse } from "@beatmarket/foundation/first-use.ts";
import { quoted } from "@beatmarket/foundation/text/secrets.ts";
import { Representation } from "@beatmarket/http/negotiation/representation.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import { assetsOf } from "../site/assets.ts";
import { type ApiDocument, type Group, groupsOf } from "./document.ts";
import { contentSecurityPolicy, type ReferenceAssets, referenceDocument } from "./html/layout.ts";
import { groupMain, overviewMain } from "./html/pages.ts";

const entry = "src/site/reference.ts";

const headers = {
  "content-security-policy": contentSecurityPolicy,
  "x-frame-options": "SAMEORIGIN",
  "referrer-policy": "no-referrer",
  "cache-control": "no-cache",
  vary: "Accept-Encoding",
};

/**
 * The API reference, for an OpenAPI document: `/explorer` lists every call, `/explorer/{group}` has those of a tag, or the
 * webhooks. Pages are HTML, each made once; `folder` is the built portal, which has their style and script. Each operation
 * links to the portal's explorer, which sends calls.
 */
export function referenceRoutes(described: object, folder: string): Route[] {
  const document = described as ApiDocument;
  const json = new Representation(JSON.stringify(described), "application/json");
  const groups = groupsOf(document);
  const pages = new Map(
    [null, ...groups].map((shown) => [
      shown?.slug ?? "",
      onFirstUse(async () => render(document, groups, shown, await assetsOf(folder, entry))),
    ]),
  );
  const page = (address: string) =>
    openRoute(
      address,
      ({ params }) => {
        const find = pages.get(params.group ?? "");
        if (find === undefined)
          throw notFound(`There is no ${quoted(params.group ?? "")} here. The reference is at /explorer.`);
        return find();
      },
      { headers },
    );
  return [
    openRoute("/explorer/openapi.json", () => json, {
      headers: { "cache-control": "no-cache", vary: "Accept-Encoding" },
    }),
    page("/explorer"),
    page("/explorer/:group"),
  ];
}

/** The page of a group, or the overview. */
function render(
  document: ApiDocument,
  groups: readonly Group[],
  shown: Group | null,
  assets: ReferenceAssets,
): Representation {
  const { title } = document.info;
  const html = referenceDocument(assets, {
    title: shown === null ? title : `${shown.name} · ${title}`,
    groups,
    shown,
    main: shown === null ? overviewMain(document, groups) : groupMain(document, shown),
  });
  return new Representation(html, "text/html; charset=utf-8");
}
