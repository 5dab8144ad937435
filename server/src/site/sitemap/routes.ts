import { Readable } from "node:stream";
import { ApiError, notFound } from "@beatmarket/foundation/errors.ts";
import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import type { HttpResponse } from "@beatmarket/http/http-response.ts";
import { matchesEntityTag } from "@beatmarket/http/negotiation/entity-tag.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import type { RequestContext } from "@beatmarket/http/request-context.ts";
import type { Queryable, ReadServer } from "../../database/connect.ts";
import { type ListedNoun, listAddressFiles, listedNouns, readAddresses } from "../../resources/beats/queries.ts";
import { legalPages } from "../../site-settings.ts";
import { sitePart } from "../html/document.ts";
import { freshSeconds, type PublicPage, type PublicReads } from "../public-reads.ts";

interface SitemapParts {
  server: ReadServer;
  reads: PublicReads;
  publicUrl: string;
}

/** The lifetime of the index, which reads every beat. The files of the index are always current. */
const indexSeconds = 600;
const rowsPerChunk = 1_000;
/** The maximum number of concurrent readers. Each reads up to 50,000 rows. */
const maxReaders = 4;
const xml = "application/xml; charset=utf-8";
const declaration = `<?xml version="1.0" encoding="UTF-8"?>\n`;
const namespace = `xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"`;

/**
 * The files for search engines: /robots.txt, and the sitemaps with the addresses of all listed beats, their producers,
 * and the fixed pages.
 */
export function sitemapRoutes({ server, reads, publicUrl }: SitemapParts): Route[] {
  const base = escapeHtml(publicUrl);
  const pages = ["/", "/changelog", ...legalPages.map(({ path }) => path)];
  const pagesFile = `<sitemap><loc>${base}/sitemaps/pages.xml</loc></sitemap>\n`;
  let readers = 0;

  async function* write(db: Queryable, noun: ListedNoun, file: number): AsyncGenerator<string, void> {
    readers += 1;
    try {
      yield `${declaration}<urlset ${namespace}>\n`;
      for await (const rows of readAddresses(db, noun, file, rowsPerChunk))
        yield rows
          .map(
            ({ name, updated_at }) =>
              `<url><loc>${base}/${noun}/${escapeHtml(encodeURIComponent(name))}</loc>${lastChangeOf(noun, updated_at)}</url>\n`,
          )
          .join("");
      yield "</urlset>\n";
    } finally {
      readers -= 1;
    }
  }

  async function makeIndex(): Promise<PublicPage> {
    const entries: string[] = [];
    for (const noun of listedNouns)
      for (const { number, lastChange } of await listAddressFiles(server.query, noun))
        entries.push(
          `<sitemap><loc>${base}/sitemaps/${noun}-${number}.xml</loc>${lastChangeOf(noun, lastChange)}</sitemap>\n`,
        );
    return sitePart(`${declaration}<sitemapindex ${namespace}>\n${pagesFile}${entries.join("")}</sitemapindex>\n`, xml);
  }

  async function sendFile(context: RequestContext): Promise<HttpResponse> {
    const [, noun, digits] = /^(beats|producers)-(0|[1-9]\d{0,5})\.xml$/.exec(context.params.file ?? "") ?? [];
    if (!isListedNoun(noun)) throw noSuchFile();
    const number = Number(digits);
    const { representation } = await reads.page(`sitemap ${noun} ${number}`, context, async () => {
      const [file] = await listAddressFiles(server.query, noun, number);
      if (file === undefined) throw noSuchFile();
      return sitePart(`"${file.count}-${file.lastChange.getTime()}"`, "text/plain");
    });
    const etag = representation.body.toString();
    const headers = { etag, "cache-control": `public, max-age=${freshSeconds}`, "content-type": xml };
    if (matchesEntityTag(context.requestHeaders["if-none-match"], etag)) return { status: 304, headers };
    if (context.method === "HEAD") return { status: 200, headers };
    if (readers >= maxReaders)
      throw new ApiError(503, "server_error", "Too many readers", "Read this file again in 30 seconds.", {
        headers: { "retry-after": "30" },
        refusedBy: "overload",
      });
    return { status: 200, headers, body: Readable.from(write(server.query, noun, number), { highWaterMark: 1 }) };
  }

  return [
    openRoute("/robots.txt", () => ({
      status: 200,
      headers: { "content-type": "text/plain; charset=utf-8", "cache-control": `public, max-age=${freshSeconds}` },
      body: `User-agent: *
Disallow: /portal/api/
Disallow: /site/
Disallow: /basket
Disallow: /pay/
Disallow: /downloads/
Sitemap: ${publicUrl}/sitemap.xml
`,
    })),
    openRoute("/sitemap.xml", async (context) => {
      const { representation } = await reads.page("sitemap", context, makeIndex, indexSeconds);
      return representation;
    }),
    openRoute("/sitemaps/pages.xml", () => ({
      status: 200,
      headers: { "content-type": xml, "cache-control": `public, max-age=${freshSeconds}` },
      body: `${declaration}<urlset ${namespace}>\n${pages.map((path) => `<url><loc>${base}${path}</loc></url>\n`).join("")}</urlset>\n`,
    })),
    openRoute("/sitemaps/:file", sendFile),
  ];
}

/** Producers get no `lastmod`, because their page also changes with their beats, but the producer's row does not. */
const lastChangeOf = (noun: ListedNoun, updatedAt: Date): string =>
  noun === "producers" ? "" : `<lastmod>${updatedAt.toISOString()}</lastmod>`;

const isListedNoun = (noun: string | undefined): noun is ListedNoun => listedNouns.some((each) => each === noun);

const noSuchFile = (): ApiError => notFound("There is no such file of addresses; /sitemap.xml lists them.");
