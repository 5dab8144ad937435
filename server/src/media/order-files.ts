import type { Readable } from "node:stream";
import type { Clock } from "@beatmarket/foundation/clock.ts";
import { ApiError, notFound } from "@beatmarket/foundation/errors.ts";
import { repeat, type StopRepeating } from "@beatmarket/foundation/repeat.ts";
import { attachment } from "@beatmarket/foundation/text/content-disposition.ts";
import type { ConcurrencyLimiter } from "@beatmarket/http/admission/concurrency-limiter.ts";
import { withRequestTimeout } from "@beatmarket/http/admission/request-timeout.ts";
import type { ByteRange } from "@beatmarket/http/byte-range.ts";
import { timestamp } from "@beatmarket/http/formats.ts";
import type { HttpResponse } from "@beatmarket/http/http-response.ts";
import { matchesEntityTag } from "@beatmarket/http/negotiation/entity-tag.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import type { RequestContext } from "@beatmarket/http/request-context.ts";
import { type LinkOptions, ObjectNotFound, WrongContent } from "@beatmarket/storage/storage.ts";
import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import type { Queryable } from "../database/connect.ts";
import { countDownload, findDownload, findRefunded } from "../resources/orders/fulfilment/downloads.ts";
import { isFileKind } from "../resources/orders/fulfilment/fulfilment.ts";
import type { CalledLink, DownloadLinks } from "../resources/orders/fulfilment/links.ts";
import { fileResponse } from "./file-response.ts";
import type { OpenTransfers } from "./transfers.ts";

const checkMs = 500;

/**
 * Downloads that are being sent by this process. They end within a second after their order was refunded in full, whichever
 * instance refunded it.
 */
class RunningDownloads {
  readonly #db: Queryable;
  readonly #log: Logger;
  readonly #sent = new Map<number, Set<Readable>>();
  #stop: StopRepeating | undefined;

  constructor({ db, log }: { db: Queryable; log: Logger }) {
    this.#db = db;
    this.#log = log;
  }

  add(orderId: number, sent: Readable): Readable {
    const ofOrder = this.#sent.get(orderId) ?? new Set();
    this.#sent.set(orderId, ofOrder.add(sent));
    this.#stop ??= repeat(
      checkMs,
      () => this.#endRefunded(),
      (err) => this.#log.warn({ err }, "running downloads are not compared with refunds; tried again"),
    );
    return sent.once("close", () => {
      ofOrder.delete(sent);
      if (ofOrder.size === 0 && this.#sent.get(orderId) === ofOrder) this.#sent.delete(orderId);
      if (this.#sent.size > 0) return;
      void this.#stop?.();
      this.#stop = undefined;
    });
  }

  async #endRefunded(): Promise<void> {
    for (const orderId of await findRefunded(this.#db, [...this.#sent.keys()]))
      for (const sent of this.#sent.get(orderId) ?? []) sent.destroy(new Error(`Order ${orderId} was refunded.`));
  }
}

export interface OrderFileParts {
  db: Queryable;
  clock: Clock;
  log: Logger;
  concurrency: Pick<ConcurrencyLimiter, "run">;
  objects: {
    /** Throws for one that is not there. */
    open(sha256: string, range?: ByteRange): Promise<Readable>;
    /** A URL of the storage's own; null without one. */
    link(sha256: string, options: LinkOptions): Promise<string | null>;
  };
  links: DownloadLinks;
  transfers: Pick<OpenTransfers, "downloads">;
}

/** A redirect is followed at once. A transfer that has begun at the bucket goes on, refunded or not. */
const storageLinkMs = 60_000;
/** Files of orders whose count is remembered: all ranges of a download, and readers who begin at once, take one statement. */
const maxRemembered = 10_000;
const headers = { "cache-control": "private, no-store", "x-robots-tag": "noindex", "referrer-policy": "no-referrer" };

/**
 * GET and HEAD /downloads/{order_id}/{kind} (docs/delivery.md, Links): a file of an order, for every client with a link to it that is
 * signed and has not expired. With a bucket GET is a redirect to it. Only the look-up takes a permit, and as the link was paid
 * for, it is one of calls with a key.
 */
export function orderFileRoutes(parts: OrderFileParts): Route[] {
  const counts: Counts = new LRUCache({ max: maxRemembered });
  const running = new RunningDownloads(parts);
  return [
    openRoute("/downloads/:order_id/:kind", (context) => send({ ...parts, running }, counts, context), {
      isVital: true,
      headers,
    }),
  ];
}

/** By order and kind: done, or under way. */
type Counts = LRUCache<string, Promise<void>>;

async function send(
  { db, clock, log, concurrency, objects, links, transfers, running }: OrderFileParts & { running: RunningDownloads },
  counts: Counts,
  context: RequestContext,
): Promise<HttpResponse> {
  const link = readLink(context);
  if (link === null || !links.verify(link)) throw unknownLink();
  const { orderId, kind, expires } = link;
  const now = new Date(clock.nowMs());
  if (now.getTime() >= expires * 1_000) throw expired(link);
  const isWanted = (sha256: string) =>
    context.method === "GET" && !matchesEntityTag(context.requestHeaders["if-none-match"], `"${sha256}"`);
  const underPermit = <T>(work: () => Promise<T>): Promise<T> =>
    withRequestTimeout(concurrency.run("read", work, context.receivedMs), context.receivedMs);
  const counted = `${orderId} ${kind}`;
  const count = async () => {
    const counting = counts.get(counted) ?? underPermit(() => countDownload(db, orderId, kind, now));
    counts.set(counted, counting);
    await counting.catch((error: unknown) => {
      counts.delete(counted);
      throw error;
    });
  };
  const file = await underPermit(() => findDownload(db, orderId, kind));
  if (file === null) throw revoked(orderId);
  const { sha256, bytes, contentType, filename } = file;
  if (isWanted(sha256)) {
    const expiresAt = new Date(now.getTime() + storageLinkMs);
    const location = await objects.link(sha256, { expiresAt, filename, contentType });
    if (location !== null) {
      await count();
      return { status: 302, headers: { location } };
    }
  }
  const report = (err: unknown) => {
    if (err instanceof ObjectNotFound || err instanceof WrongContent)
      log.error(
        { err, orderId, kind, sha256 },
        "a file of an order is missing or damaged in the storage: restore it from a backup; `beatmarket storage verify` lists all such",
      );
    else log.info({ err, orderId, kind }, "a download broke off");
  };
  const open = async (range: ByteRange | undefined) => {
    const content = await objects.open(sha256, range).catch((error: unknown) => {
      if (!(error instanceof ObjectNotFound)) throw error;
      report(error);
      throw lost(orderId);
    });
    // The status is sent by then, so this one only breaks the connection. A client that goes away is an error, too.
    content.once("error", report);
    await count().catch((error: unknown) => {
      content.destroy();
      throw error;
    });
    return content;
  };
  const { headers, ...response } = await fileResponse(context, {
    contentType,
    etag: `"${sha256}"`,
    bytes,
    cacheControl: "private",
    open: async (range) => running.add(orderId, await transfers.downloads.send(context, () => open(range))),
  });
  return { ...response, headers: { ...headers, "content-disposition": attachment(filename) } };
}

/** Null for what no link of ours looks like. */
function readLink({ params, query: called }: RequestContext): CalledLink | null {
  const { order_id: id = "", kind = "" } = params;
  const query = new URLSearchParams(called);
  const [[expires = "", ...otherTimes], [signature = "", ...otherSignatures]] = [
    query.getAll("expires"),
    query.getAll("signature"),
  ];
  if (otherTimes.length > 0 || otherSignatures.length > 0 || !isFileKind(kind)) return null;
  if (!/^[1-9]\d{0,14}$/.test(id) || !/^[1-9]\d{0,11}$/.test(expires)) return null;
  return { orderId: Number(id), kind, expires: Number(expires), signature };
}

const unknownLink = (): ApiError =>
  notFound(
    "This is no link to a download: it may be cut off or changed. The buyer gets links from GET /v1/orders/{id}/files, or from the order in the portal.",
  );

const gone = (details: string, refusedBy: string): ApiError =>
  new ApiError(410, "not_found", "Gone", details, { refusedBy });

const expired = ({ orderId, expires }: CalledLink): ApiError =>
  gone(
    `This link expired at ${timestamp(new Date(expires * 1_000))}; each lives for 15 minutes. For a new one the buyer asks GET /v1/orders/${orderId}/files, or opens the order in the portal. A download that broke off goes on with the new link.`,
    "link:expired",
  );

const lost = (orderId: number): ApiError =>
  new ApiError(
    503,
    "server_error",
    "File not available",
    `The storage has lost this file of order ${orderId}, which its operator has to restore; they have been told. Try again later.`,
    { headers: { "retry-after": "3600" } },
  );

const revoked = (orderId: number): ApiError =>
  gone(`Order ${orderId} was refunded in full, so its files and its license are revoked.`, "link:revoked");
