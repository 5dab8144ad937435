import { Readable } from "node:stream";
import { byteOrderMark, csvText } from "@beatmarket/foundation/text/csv.ts";
import { timestamp } from "@beatmarket/http/formats.ts";
import type { Content } from "@beatmarket/http/http-response.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import Type from "typebox";
import {
  countFreeDownloads,
  type ListedDownload,
  listFreeDownloads,
} from "../../resources/free-downloads/free-downloads.ts";
import { portalHeaders, portalRoute } from "../route.ts";

const closed = { additionalProperties: false };
const downloadsPerPage = 20;

const FreeDownloadsQuery = Type.Object({
  page: Type.Integer({
    minimum: 1,
    maximum: 2_147_483_647,
    default: 1,
    description: "The number of the page, from 1.",
  }),
});

const FreeDownloads = Type.Object(
  {
    downloads: Type.Array(
      Type.Object(
        {
          email: Type.String(),
          beat_id: Type.Integer(),
          title: Type.String(),
          confirmed_at: Type.String({ format: "date-time" }),
        },
        closed,
      ),
      { description: "The downloads whose consent is still valid, 20 a page, the newest first." },
    ),
    total: Type.Integer(),
    page: Type.Integer(),
    last_page: Type.Integer(),
  },
  closed,
);

/** The addresses that requested free downloads of the account's beats. */
export const freeDownloadsRoute = portalRoute({
  operationId: "listFreeDownloads",
  permission: "studio:read",
  method: "GET",
  path: "/studio/free-downloads",
  tag: "Studio",
  summary: "List the e-mail addresses that requested a free download and agreed to mails of the producer",
  query: FreeDownloadsQuery,
  response: FreeDownloads,
  handle: async ({ db, account, query: { page } }) => {
    const [total, downloads] = await Promise.all([
      countFreeDownloads(db, account.userId),
      listFreeDownloads(db, account.userId, { limit: downloadsPerPage, offset: (page - 1) * downloadsPerPage }),
    ]);
    return {
      downloads: downloads.map(({ email, beat_id, title, confirmed_at }) => ({
        email,
        beat_id,
        title,
        confirmed_at: timestamp(confirmed_at),
      })),
      total,
      page,
      last_page: Math.max(1, Math.ceil(total / downloadsPerPage)),
    };
  },
});

const columns: [name: string, value: (download: ListedDownload) => string][] = [
  ["email", ({ email }) => csvText(email)],
  ["beat_id", ({ beat_id }) => String(beat_id)],
  ["title", ({ title }) => csvText(title)],
  ["confirmed_at", ({ confirmed_at }) => timestamp(confirmed_at)],
  ["consent", ({ consent }) => csvText(consent)],
];
const batchSize = 1_000;

/** The addresses as CSV, newest first. The portal's OpenAPI document does not describe files. */
export const freeDownloadsFile: Route = {
  operationId: null,
  method: "GET",
  path: "/studio/free-downloads.csv",
  access: { by: "session", required: true, permission: "studio:read" },
  headers: { ...portalHeaders, "content-disposition": `attachment; filename="free-downloads.csv"` },
  waits: true,
  handle: async ({ db, account, underPermit }) => {
    const rows = rowsOf((below) =>
      underPermit(() => listFreeDownloads(db, account?.userId ?? 0, { ...below, limit: batchSize })),
    );
    return {
      status: 200,
      headers: { "content-type": "text/csv; charset=utf-8" },
      body: Readable.from(rows, { objectMode: false }),
    };
  },
  respond: (response) => response as Content,
};

async function* rowsOf(readPage: (below: { below?: number }) => Promise<ListedDownload[]>): AsyncGenerator<string> {
  yield `${byteOrderMark}${columns.map(([name]) => name).join(",")}\r\n`;
  let downloads: ListedDownload[] = [];
  do {
    const last = downloads.at(-1);
    downloads = await readPage(last === undefined ? {} : { below: last.id });
    yield downloads.map((download) => `${columns.map(([, value]) => value(download)).join(",")}\r\n`).join("");
  } while (downloads.length === batchSize);
}
