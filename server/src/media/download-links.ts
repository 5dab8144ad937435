import { ApiError, notFound } from "@beatmarket/foundation/errors.ts";
import { timestamp } from "@beatmarket/http/formats.ts";
import type { CalledLink } from "../resources/orders/fulfilment/links.ts";

/** The headers of every response below /downloads/: the file behind a signed link belongs to one buyer. */
export const downloadHeaders = {
  "cache-control": "private, no-store",
  "x-robots-tag": "noindex",
  "referrer-policy": "no-referrer",
};

/** `source`: the operation that gives links. */
export const unknownLink = (source: string): ApiError =>
  notFound(
    `This is no link to a download: it may be cut off or changed. The buyer gets links from ${source}, or from the order in the portal.`,
  );

export const gone = (details: string, refusedBy: string): ApiError =>
  new ApiError(410, "not_found", "Gone", details, { refusedBy });

export const expiredLink = ({ expires }: CalledLink, source: string): ApiError =>
  gone(
    `This link expired at ${timestamp(new Date(expires * 1_000))}; each lives for 15 minutes. For a new one the buyer asks ${source}, or opens the order in the portal. A broken download resumes with the new link.`,
    "link:expired",
  );
