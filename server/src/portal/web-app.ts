import { readFile, stat } from "node:fs/promises";
import type { IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { ApiError, notFound } from "@beatmarket/foundation/errors.ts";
import { quoted } from "@beatmarket/foundation/text/secrets.ts";
import type { Content, HttpResponse } from "@beatmarket/http/http-response.ts";
import { chooseEncoding } from "@beatmarket/http/negotiation/encodings.ts";
import { prefersMarkdown } from "@beatmarket/http/negotiation/prefers-markdown.ts";
import { Representation } from "@beatmarket/http/negotiation/representation.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import type { RequestContext } from "@beatmarket/http/request-context.ts";
import send from "@fastify/send";
import type { Language } from "../../../contract/texts/languages.ts";
import { languageVary, readerLocale } from "../access/reader-locale.ts";

/**
 * The policy allows only the inline scripts of the build, by hash, and requests only to this origin. Styles have
 * 'unsafe-inline', because Mantine writes style elements. Covers and previews are allowed from https:, because the
 * producers of an imported catalogue host them.
 */
const contentSecurityPolicy = (inlineScripts: readonly string[]): string =>
  [
    "default-src 'none'",
    `script-src ${["'self'", ...inlineScripts].join(" ")}`,
    "style-src 'self' 'unsafe-inline'",
    "connect-src 'self'",
    "img-src 'self' data: blob: https:",
    "media-src 'self' blob: https:",
    "font-src 'self'",
    "frame-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");

const pageHeaders = {
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
  "cache-control": "no-cache",
};
const immutable = { "cache-control": "public, max-age=31536000, immutable" };
const revalidated = { "cache-control": "no-cache" };

/** The paths of the app's route table, below /portal. `$…Id` is a number, except `$uploadId`; `$page` is a document. */
export const pages = [
  "/",
  "/account",
  "/account/data",
  "/account/log",
  "/account/security",
  "/account/sessions",
  "/admin",
  "/admin/accounts",
  "/admin/accounts/$userId",
  "/admin/audit",
  "/admin/beats",
  "/admin/calls",
  "/admin/calls/$callId",
  "/admin/errors",
  "/admin/imports",
  "/admin/imports/$runId",
  "/admin/orders",
  "/admin/orders/$orderId",
  "/admin/reports",
  "/admin/payouts",
  "/admin/webhooks",
  "/analytics",
  "/claim",
  "/confirm",
  "/confirm-email",
  "/device",
  "/docs",
  "/docs/$page",
  "/docs/api/$page",
  "/docs/clients/$page",
  "/earnings",
  "/explorer",
  "/forgot-password",
  "/join",
  "/keys",
  "/library",
  "/library/$orderId/contact",
  "/library/$orderId/license",
  "/library/$orderId/receipt",
  "/log",
  "/market",
  "/market/beats/$beatId",
  "/organisation",
  "/sandboxes",
  "/register",
  "/reset-password",
  "/sales",
  "/sales/orders/$orderId",
  "/sign-in",
  "/studio",
  "/studio/beats/$beatId",
  "/studio/discounts",
  "/studio/free-downloads",
  "/studio/uploads/$uploadId",
  "/undo-email",
  "/webhooks",
  "/webhooks/$endpointId",
  "/webhooks/deliveries/$deliveryId",
  "/webhooks/doctor",
] as const;

/**
 * The page of the app's router for a path below /portal; undefined if none. `guides` are the paths of the documents.
 */
function pageAt(path: string, guides: ReadonlySet<string>): string | undefined {
  const parts = path.split("/");
  return pages.find((page) => {
    const folders = page.split("/");
    if (page.endsWith("$page")) return folders.length === parts.length && guides.has(path);
    return folders.length === parts.length && folders.every((part, index) => matchesPart(part, parts[index] ?? ""));
  });
}

/** Whether a part of a path matches a part of a page's path. Parameters are numbers, except ids of uploads. */
function matchesPart(part: string, value: string): boolean {
  if (part === "$uploadId") return value !== "";
  return part.startsWith("$") ? /^\d{1,15}$/.test(value) : part === value;
}

/** The HTML file of a page in a language. The build writes one file for each page and language (portal/pages.ts). */
const fileOf = (language: Language, page: string): string => `pages/${language}${page === "/" ? "/index" : page}.html`;

/** Reads a list of the build: "docs" has the paths of the documents, "inline-scripts" the hashes for the policy. */
async function readBuilt(folder: string, name: "docs" | "inline-scripts"): Promise<string[]> {
  try {
    return JSON.parse(await readFile(join(folder, `.vite/${name}.json`), "utf8")) as string[];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") throw notBuilt();
    throw error;
  }
}

/**
 * Serves the web app of the build in `folder` at /portal. Files whose names contain their hash are immutable; other
 * responses, such as a guide as Markdown, are revalidated. Any other path is a page of the app's router, or 404 if the
 * router has no such page. A cookie, which the app sets, has the language of the reader or account. `fillIn` writes the
 * name of the site into a page.
 */
export function webAppRoutes(folder: string, fillIn: (html: string) => string): Route[] {
  const html = new FilledPages(folder, fillIn);
  const file = async (context: RequestContext, root: string, path: string, headers: Record<string, string>) => {
    const file = await findFile(root, path, context.requestHeaders, headers);
    if (file === null) throw notFound(`There is nothing at ${quoted(context.path)}.`);
    return file;
  };
  const page = async (context: RequestContext): Promise<Content> => {
    const path = `/${(context.params["*"] ?? "").replace(/\/$/, "")}`;
    if (/^\/docs\/.+\.md$/.test(path))
      return file(context, join(folder, "docs"), path.slice("/docs/".length), revalidated);
    if (path.startsWith("/docs") && prefersMarkdown(context.requestHeaders.accept ?? "")) {
      const markdown = await markdownOf(context, path);
      if (markdown !== null) return markdown;
    }
    const pagePath = pageAt(path, new Set(path.startsWith("/docs/") ? await readBuilt(folder, "docs") : []));
    const policy = contentSecurityPolicy(await readBuilt(folder, "inline-scripts"));
    const { language } = readerLocale(context);
    const isGuide = path.startsWith("/docs");
    const headers = {
      ...pageHeaders,
      vary: `${isGuide ? "Accept, " : ""}Accept-Encoding, ${languageVary}`,
      "content-language": language,
      "content-security-policy": policy,
    };
    const representation = await html.read(fileOf(language, pagePath ?? "/missing"));
    if (pagePath === undefined) return missing(representation, headers);
    Object.assign(context.headers, headers);
    return representation;
  };
  /** A guide as Markdown, or at /docs the list of all guides; null for an unknown guide. */
  const markdownOf = async (context: RequestContext, path: string): Promise<HttpResponse | null> => {
    const headers = { ...revalidated, vary: "Accept, Accept-Encoding" };
    if (path === "/docs") return findFile(folder, "llms.txt", context.requestHeaders, headers);
    const name = path.slice("/docs/".length);
    for (const file of [`${name}.md`, `${name}/README.md`]) {
      const docsFile = await findFile(join(folder, "docs"), file, context.requestHeaders, headers);
      if (docsFile !== null) return docsFile;
    }
    return null;
  };
  return [
    openRoute("/portal", page),
    openRoute("/portal/*", page),
    openRoute("/portal/assets/*", (context) =>
      file(context, join(folder, "assets"), context.params["*"] ?? "", immutable),
    ),
    openRoute("/portal/packages/*", (context) =>
      file(context, join(folder, "packages"), context.params["*"] ?? "", revalidated),
    ),
    openRoute("/portal/icon.svg", (context) => file(context, folder, "icon.svg", revalidated)),
    openRoute("/llms.txt", (context) => file(context, folder, "llms.txt", revalidated)),
  ];
}

/** The page of the app that says that the requested page does not exist, with the status 404. */
const missing = ({ body, contentType }: Representation, headers: Record<string, string>): HttpResponse => ({
  status: 404,
  headers: { ...headers, "content-type": contentType },
  body,
});

/** A cache of pages that contain the name of the site. A page is filled in again if its file changes. */
class FilledPages {
  readonly #folder: string;
  readonly #fillIn: (html: string) => string;
  readonly #pages = new Map<string, { changedMs: number; representation: Representation }>();

  constructor(folder: string, fillIn: (html: string) => string) {
    this.#folder = folder;
    this.#fillIn = fillIn;
  }

  /** `name` must be a page of the build. This bounds the cache. */
  async read(name: string): Promise<Representation> {
    try {
      const file = join(this.#folder, name);
      const { mtimeMs: changedMs } = await stat(file);
      const page = this.#pages.get(name);
      if (page?.changedMs === changedMs) return page.representation;
      const html = this.#fillIn(await readFile(file, "utf8"));
      const representation = new Representation(html, "text/html; charset=utf-8");
      this.#pages.set(name, { changedMs, representation });
      return representation;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") throw notBuilt();
      throw error;
    }
  }
}

/**
 * Reads a file below `root`, in the best accepted encoding that has a compressed file. Null if there is no such file.
 */
async function findFile(
  root: string,
  path: string,
  requestHeaders: Pick<IncomingHttpHeaders, "accept-encoding">,
  headers: Record<string, string>,
): Promise<HttpResponse | null> {
  const encoding = chooseEncoding(requestHeaders["accept-encoding"], Number.POSITIVE_INFINITY);
  const suffix = { br: ".br", gzip: ".gz" };
  const request = { headers: requestHeaders } as never;
  const options = { root, index: false as const, cacheControl: false, dotfiles: "ignore" as const };
  const compressed = encoding === null ? null : await send(request, encodeURI(path + suffix[encoding]), options);
  const file =
    compressed !== null && compressed.type === "file" ? compressed : await send(request, encodeURI(path), options);
  if (file.type !== "file") {
    file.stream.destroy();
    return null;
  }
  const ownHeaders = Object.fromEntries(
    Object.entries(file.headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const type = send.mime.getType(path) ?? "application/octet-stream";
  return {
    status: file.statusCode,
    headers: {
      ...ownHeaders,
      "content-type": send.isUtf8MimeType(type) ? `${type}; charset=utf-8` : type,
      ...(file === compressed && encoding !== null && { "content-encoding": encoding }),
      vary: "Accept-Encoding",
      ...headers,
    },
    body: file.stream,
  };
}

export const notBuilt = (): ApiError =>
  new ApiError(
    503,
    "server_error",
    "The portal is not built",
    "npm start builds it. To build it for a server that was started in another way: node scripts/build-portal.mjs.",
  );
