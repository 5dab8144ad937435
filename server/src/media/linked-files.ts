import type { Readable } from "node:stream";
import type { DocumentPrinter } from "@beatmarket/documents/printer.ts";
import type { Clock } from "@beatmarket/foundation/clock.ts";
import { ApiError, notFound } from "@beatmarket/foundation/errors.ts";
import { attachment } from "@beatmarket/foundation/text/content-disposition.ts";
import type { ConcurrencyLimiter } from "@beatmarket/http/admission/concurrency-limiter.ts";
import { withRequestTimeout } from "@beatmarket/http/admission/request-timeout.ts";
import type { ByteRange } from "@beatmarket/http/byte-range.ts";
import { fileResponse } from "@beatmarket/http/file-response.ts";
import { timestamp } from "@beatmarket/http/formats.ts";
import type { Content } from "@beatmarket/http/http-response.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import type { Queryable } from "../database/connect.ts";
import { findFreeBeat, findFreeDownload } from "../resources/free-downloads/free-downloads.ts";
import { invoiceResponse } from "../resources/invoices/pdf/printer.ts";
import { findInvoice } from "../resources/invoices/queries.ts";
import { type CalledLink, type DownloadLinks, readLink } from "../resources/orders/fulfilment/fulfilment.ts";
import type { OpenTransfers } from "./transfers.ts";

export interface FreeDownloadFileParts {
  db: Queryable;
  clock: Clock;
  concurrency: Pick<ConcurrencyLimiter, "run">;
  /** Reads files by hash. `open` throws for a missing file. */
  objects: { open(sha256: string, range?: ByteRange): Promise<Readable> };
  transfers: Pick<OpenTransfers, "previews">;
}

/** GET and HEAD /free-downloads/{token}/file sends the tagged MP3 for a confirmed address. */
export const freeDownloadFile = ({ db, clock, concurrency, objects, transfers }: FreeDownloadFileParts): Route =>
  openRoute(
    "/free-downloads/:token/file",
    async (context) => {
      const find = async () => {
        const download = await findFreeDownload(db, context.params.token ?? "");
        if (download === undefined || download.confirmed_at === null) return undefined;
        return findFreeBeat(db, download.beat_id, new Date(clock.nowMs()));
      };
      const beat = await withRequestTimeout(concurrency.run("media", find, context.receivedMs), context.receivedMs);
      if (beat === undefined) throw unavailable();
      const { headers, ...response } = await fileResponse(context, {
        contentType: "audio/mpeg",
        etag: `"${beat.sha256}"`,
        bytes: beat.bytes,
        cacheControl: "private, no-store",
        open: (range) => transfers.previews.send(context, () => objects.open(beat.sha256, range)),
      });
      const disposition = attachment(`${beat.title} (tagged).mp3`);
      return { ...response, headers: { ...headers, "content-disposition": disposition } };
    },
    { isVital: true, headers: { "x-robots-tag": "noindex", "referrer-policy": "no-referrer" } },
  );

const unavailable = () =>
  notFound(
    "There is no free download at this address. Either it is not confirmed yet: the mail leads to the page for that. Or the producer no longer offers it.",
  );

export interface InvoiceFileParts {
  clock: Clock;
  links: DownloadLinks;
  printer: Pick<DocumentPrinter, "print">;
}

/**
 * GET /downloads/{order_id}/invoices/{invoice_id} sends an invoice as PDF; /copies/ sends the producer's copy. Any
 * client with a signed link that has not expired may read it. Only the look-up holds a permit, because printing may
 * take seconds.
 */
export const invoiceFileRoutes = ({ clock, links, printer }: InvoiceFileParts): Route[] =>
  (["invoices", "copies"] as const).map((kind) => ({
    operationId: null,
    method: "GET",
    path: `/downloads/:order_id/${kind}/:invoice_id`,
    access: { by: "anyone" },
    headers: downloadHeaders,
    isVital: true,
    waits: true,
    handle: async ({ db, context, underPermit }): Promise<Content> => {
      const { invoice_id: id = "" } = context.params;
      const link = /^[1-9]\d{0,14}$/.test(id) ? readLink(context, `${kind}/${Number(id)}`) : null;
      if (link === null || !links.verify(link)) throw unknownLink(`GET /v1/orders/{id}/invoices`);
      if (clock.nowMs() >= link.expires * 1_000) throw expiredLink(link, `GET /v1/orders/${link.orderId}/invoices`);
      const invoice = await underPermit(() => findInvoice(db, Number(id), { orderId: link.orderId }));
      return invoiceResponse(printer, invoice, { isCopy: kind === "copies" });
    },
    respond: (response) => response as Content,
  }));

/** The headers of every response below /downloads/. The file of a signed link belongs to one buyer. */
export const downloadHeaders = {
  "cache-control": "private, no-store",
  "x-robots-tag": "noindex",
  "referrer-policy": "no-referrer",
};

/** The 404 for an invalid link. `source` is the operation that returns links. */
export const unknownLink = (source: string): ApiError =>
  notFound(
    `This is not a link to a download: it may be cut off or changed. The buyer gets links from ${source}, or from the order in the portal.`,
  );

export const linkExpired = (details: string, refusedBy: string): ApiError =>
  new ApiError(410, "not_found", "Gone", details, { refusedBy });

export const expiredLink = ({ expires }: CalledLink, source: string): ApiError =>
  linkExpired(
    `This link expired at ${timestamp(new Date(expires * 1_000))}; each link is valid for 15 minutes. For a new one the buyer calls ${source}, or opens the order in the portal. A broken download resumes with the new link.`,
    "link:expired",
  );
