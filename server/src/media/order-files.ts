import type { Readable } from "node:stream";
import type { Clock } from "@beatmarket/foundation/clock.ts";
import { ApiError } from "@beatmarket/foundation/errors.ts";
import { repeat, type StopRepeating } from "@beatmarket/foundation/repeat.ts";
import { attachment } from "@beatmarket/foundation/text/content-disposition.ts";
import type { ConcurrencyLimiter } from "@beatmarket/http/admission/concurrency-limiter.ts";
import { withRequestTimeout } from "@beatmarket/http/admission/request-timeout.ts";
import { fileResponse } from "@beatmarket/http/file-response.ts";
import type { HttpResponse } from "@beatmarket/http/http-response.ts";
import { matchesEntityTag } from "@beatmarket/http/negotiation/entity-tag.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import type { RequestContext } from "@beatmarket/http/request-context.ts";
import { type ArchiveObjects, MissingFile, ZipArchive } from "@beatmarket/http/zip-archive.ts";
import { type LinkOptions, ObjectNotFound, WrongContent } from "@beatmarket/storage/storage.ts";
import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import type { Queryable } from "../database/connect.ts";
import {
  type DownloadLinks,
  type FileKind,
  filenameOf,
  isLinkedFile,
  readLink,
} from "../resources/orders/fulfilment/fulfilment.ts";
import {
  countDownload,
  type FrozenOrder,
  findDownload,
  findDownloads,
  findFrozenOrder,
  findRevoked,
} from "../resources/orders/fulfilment/queries.ts";
import { isFullyRefunded } from "../resources/orders/order.ts";
import { downloadHeaders, expiredLink, linkExpired, unknownLink } from "./linked-files.ts";
import type { OpenTransfers } from "./transfers.ts";

const checkMs = 500;

/**
 * The running downloads of this process. A download ends within a second after any instance has refunded the order in
 * full or withdrawn its files.
 */
class RunningDownloads {
  readonly #db: Queryable;
  readonly #log: Logger;
  readonly #streams = new Map<number, Set<Readable>>();
  #stop: StopRepeating | undefined;

  constructor({ db, log }: { db: Queryable; log: Logger }) {
    this.#db = db;
    this.#log = log;
  }

  add(orderId: number, stream: Readable): Readable {
    const orderStreams = this.#streams.get(orderId) ?? new Set();
    this.#streams.set(orderId, orderStreams.add(stream));
    this.#stop ??= repeat(
      checkMs,
      () => this.#endRevoked(),
      (err) => this.#log.warn({ err }, "comparing running downloads with refunds and takedowns failed; trying again"),
    );
    return stream.once("close", () => {
      orderStreams.delete(stream);
      if (orderStreams.size === 0 && this.#streams.get(orderId) === orderStreams) this.#streams.delete(orderId);
      if (this.#streams.size > 0) return;
      void this.#stop?.();
      this.#stop = undefined;
    });
  }

  async #endRevoked(): Promise<void> {
    for (const orderId of await findRevoked(this.#db, [...this.#streams.keys()]))
      for (const stream of this.#streams.get(orderId) ?? [])
        stream.destroy(new Error(`The files of order ${orderId} were revoked.`));
  }
}

export interface OrderFileParts {
  db: Queryable;
  clock: Clock;
  log: Logger;
  concurrency: Pick<ConcurrencyLimiter, "run">;
  objects: ArchiveObjects & {
    /** A URL at the storage itself; null if the storage has no URLs. */
    link(sha256: string, options: LinkOptions): Promise<string | null>;
  };
  links: DownloadLinks;
  transfers: Pick<OpenTransfers, "downloads">;
}

/**
 * The lifetime of a link to the bucket. Clients follow a redirect immediately. A running transfer outlives the link.
 */
const storageLinkMs = 60_000;
/**
 * The maximum number of order files whose counted downloads are cached. The cache lets all ranges of a download, and
 * concurrent requests, cost one statement.
 */
const maxRemembered = 10_000;

/**
 * GET and HEAD /downloads/{order_id}/{kind} (docs/delivery.md, Links) sends a file of an order to any client with a
 * signed link that has not expired. With a bucket, GET redirects to the bucket. Only the look-up and the count hold
 * a permit, from the lane for calls with a key, because the order was paid.
 */
export const orderFileRoutes = (downloads: OrderDownloads): Route[] => [
  openRoute("/downloads/:order_id/:kind", (context) => downloads.follow(context), {
    isVital: true,
    headers: downloadHeaders,
  }),
];

/** The completed or running counts of downloads, by order and kind. */
type Counts = LRUCache<string, Promise<void>>;

/** Sends files of orders, and all files of an order as a ZIP, to an admitted caller. */
export class OrderDownloads {
  readonly #parts: OrderFileParts;
  readonly #counts: Counts = new LRUCache({ max: maxRemembered });
  readonly #running: RunningDownloads;

  constructor(parts: OrderFileParts) {
    this.#parts = parts;
    this.#running = new RunningDownloads(parts);
  }

  /** Responds with the target of a signed link. */
  async follow(context: RequestContext): Promise<HttpResponse> {
    const { kind = "" } = context.params;
    const link = isLinkedFile(kind) ? readLink(context, kind) : null;
    if (!isLinkedFile(kind) || link === null || !this.#parts.links.verify(link))
      throw unknownLink("GET /v1/orders/{id}/files");
    if (this.#parts.clock.nowMs() >= link.expires * 1_000)
      throw expiredLink(link, `GET /v1/orders/${link.orderId}/files`);
    return kind === "archive" ? this.archive(context, link.orderId) : this.#file(context, link.orderId, kind);
  }

  /** Responds with all files of an order as one ZIP. Supports ranges (docs/delivery.md, All files at once). */
  async archive(context: RequestContext, orderId: number): Promise<HttpResponse> {
    const { db, objects } = this.#parts;
    const [order, files] = await this.#underPermit(context, async () => [
      await findFrozenOrder(db, orderId),
      await findDownloads(db, orderId),
    ]);
    if (order === undefined || files === null) throw revoked(orderId, order);
    if (files === "unmade") throw unavailableFile(orderId);
    const archive = new ZipArchive(files, order.completed_at ?? order.created_at);
    const { headers, ...response } = await fileResponse(context, {
      contentType: "application/zip",
      etag: archive.etag,
      bytes: archive.bytes,
      cacheControl: "private",
      open: (range) =>
        this.#send(context, { orderId, file: "archive", kinds: files.map(({ kind }) => kind) }, () =>
          archive.open(objects, range),
        ),
    });
    return { ...response, headers: { ...headers, "content-disposition": attachment(filenameOf(order, "archive")) } };
  }

  async #file(context: RequestContext, orderId: number, kind: FileKind): Promise<HttpResponse> {
    const { db, clock, objects } = this.#parts;
    const file = await this.#underPermit(context, () => findDownload(db, orderId, kind));
    if (file === null) throw revoked(orderId, await this.#underPermit(context, () => findFrozenOrder(db, orderId)));
    const { sha256, bytes, contentType, filename } = file;
    const { "if-none-match": etag, "sec-fetch-dest": destination } = context.requestHeaders;
    // The content security policy of a page that plays the file allows only this origin, so a player is not redirected
    // to the bucket.
    if (context.method === "GET" && destination !== "audio" && !matchesEntityTag(etag, `"${sha256}"`)) {
      const expiresAt = new Date(clock.nowMs() + storageLinkMs);
      const location = await objects.link(sha256, { expiresAt, filename, contentType });
      if (location !== null) {
        await this.#count(context, orderId, kind);
        return { status: 302, headers: { location } };
      }
    }
    const { headers, ...response } = await fileResponse(context, {
      contentType,
      etag: `"${sha256}"`,
      bytes,
      cacheControl: "private",
      open: (range) => this.#send(context, { orderId, file: sha256, kinds: [kind] }, () => objects.open(sha256, range)),
    });
    return { ...response, headers: { ...headers, "content-disposition": attachment(filename) } };
  }

  /** Sends content with a place of the transfers, and counts a download of these kinds. */
  async #send(
    context: RequestContext,
    { orderId, file, kinds }: { orderId: number; file: string; kinds: readonly FileKind[] },
    openContent: () => Promise<Readable>,
  ): Promise<Readable> {
    const report = (err: unknown) => {
      if (isLoss(err))
        this.#parts.log.error(
          { err, orderId, kinds, file },
          "a file of an order is missing or damaged in the storage: restore it from a backup; `beatmarket storage verify` lists all such files",
        );
      else this.#parts.log.info({ err, orderId, kinds }, "a download was interrupted");
    };
    const open = async () => {
      const content = await openContent().catch((error: unknown) => {
        if (!isLoss(error)) throw error;
        report(error);
        throw lostFile(orderId);
      });
      // An error after the status only closes the connection. A client that disconnects also causes an error.
      content.once("error", report);
      try {
        for (const kind of kinds) await this.#count(context, orderId, kind);
      } catch (error) {
        content.destroy();
        throw error;
      }
      return content;
    };
    return this.#running.add(orderId, await this.#parts.transfers.downloads.send(context, open));
  }

  async #count(context: RequestContext, orderId: number, kind: FileKind): Promise<void> {
    const { db, clock } = this.#parts;
    const key = `${orderId} ${kind}`;
    const counting =
      this.#counts.get(key) ??
      this.#underPermit(context, () => countDownload(db, orderId, kind, new Date(clock.nowMs())));
    this.#counts.set(key, counting);
    await counting.catch((error: unknown) => {
      this.#counts.delete(key);
      throw error;
    });
  }

  #underPermit<T>({ receivedMs }: RequestContext, work: () => Promise<T>): Promise<T> {
    return withRequestTimeout(this.#parts.concurrency.run("read", work, receivedMs), receivedMs);
  }
}

const isLoss = (error: unknown): boolean =>
  error instanceof ObjectNotFound || error instanceof WrongContent || error instanceof MissingFile;

const lostFile = (orderId: number): ApiError =>
  new ApiError(
    503,
    "server_error",
    "File not available",
    `The storage has lost this file of order ${orderId}. The operator has been notified and has to restore it. Try again later.`,
    { headers: { "retry-after": "3600" } },
  );

const unavailableFile = (orderId: number): ApiError =>
  new ApiError(
    503,
    "server_error",
    "Files not ready",
    `The files of order ${orderId} are being made. Try again in 10 seconds.`,
    { headers: { "retry-after": "10" } },
  );

const revoked = (orderId: number, order: FrozenOrder | undefined): ApiError =>
  linkExpired(
    order?.has_withdrawn_files === true && !isFullyRefunded(order)
      ? `The operator of this marketplace took the beat of order ${orderId} down and withdrew its files. Your certificate is still there; the mail about it says why.`
      : `Order ${orderId} was refunded in full, so its files and its license are revoked.`,
    "link:revoked",
  );
