import type { Clock } from "@beatmarket/foundation/clock.ts";
import type { KeyCall } from "@beatmarket/http/pipeline/route.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import type { StoredFile } from "@beatmarket/storage/stored-objects.ts";
import type { Queryable } from "../../../database/connect.ts";
import { attachMaster } from "../../beats/publishing/attach-files.ts";
import { type CertificateFacts, type License, licenseUrl } from "../../licenses/certificate.ts";
import { statusOfOrder } from "../../licenses/status/status-of-order.ts";
import { isFullyRefunded } from "../order.ts";
import {
  type DownloadLinks,
  type FileKind,
  type Fulfilment,
  filenameOf,
  kindsOf,
  linkMs,
  type OrderFile,
} from "./fulfilment.ts";
import { type FrozenOrder, findCompletedOrder, findDownloads, kindsOfOrder, mayDownload } from "./queries.ts";
import type { Rendition, RenditionWaits } from "./renditions/renditions.ts";

export interface FulfilmentDependencies {
  db: Queryable;
  clock: Clock;
  publicUrl: string;
  links: DownloadLinks;
  renditions: RenditionWaits;
  /** Null if the server creates no recordings for demo beats. */
  masters: MasterSource | null;
  /** Issues the license of an order. Returns the existing license if there is one. */
  issueLicense(facts: CertificateFacts): Promise<License>;
}

/** A buyer's call for the files of an order. */
export type FulfilmentCall = Pick<
  KeyCall<{ order_id: number }, object, object>,
  "params" | "closed" | "context" | "underPermit" | "clock"
> & { caller: { userId: number } };

/** The files and licenses that buyers get for their orders. */
export class Fulfilments {
  readonly #parts: FulfilmentDependencies;

  constructor(parts: FulfilmentDependencies) {
    this.#parts = parts;
  }

  /** Returns the kinds of an order's files, without waiting for the files. Returns none after a full refund. */
  async kinds(userId: number, orderId: number): Promise<FileKind[]> {
    const order = await findCompletedOrder(this.#parts.db, userId, orderId);
    return isFullyRefunded(order) ? [] : kindsOfOrder(order, this.#parts.masters !== null);
  }

  /**
   * Returns the total size of an order's files. Returns null while a file does not exist yet, and if the order is not
   * completed or is refunded in full.
   */
  async bytes(orderId: number): Promise<number | null> {
    const files = await findDownloads(this.#parts.db, orderId);
    return files === null || files === "unmade" ? null : files.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /**
   * Returns the files and the license of an order, with new links. Waits for files that do not exist yet. Throws 404,
   * 409 and 503 (docs/api/orders.md, Files of an order).
   */
  async list(call: FulfilmentCall): Promise<Fulfilment> {
    const { db, clock, publicUrl, links, renditions, masters, issueLicense } = this.#parts;
    const { userId } = call.caller;
    const orderId = call.params.order_id;
    const order = await call.underPermit(() => findCompletedOrder(db, userId, orderId));
    const master = await call.underPermit(() => masterOf(db, order, masters));
    const files =
      master === null
        ? []
        : await renditions.renditionsOf({ sha256: master, isLossy: order.is_master_lossy }, { userId, orderId }, call);
    const recordings = recordingsOf(order, files);
    const license = await call.underPermit(() => issueLicense(factsOf(order, recordings)));
    const isRefunded = isFullyRefunded(order);
    const licensedOrder = { ...order, is_refunded: isRefunded, purchased_at: order.completed_at ?? order.created_at };
    const status = await call.underPermit(() => statusOfOrder(db, licensedOrder, new Date(clock.nowMs())));
    const expiresAt = new Date(clock.nowMs() + linkMs);
    const withLink = (file: OrderFile) => ({
      ...file,
      url: links.sign({ orderId, kind: file.kind, expiresAt }),
      expiresAt,
    });
    const kind = "archive";
    const archive = { filename: filenameOf(order, kind), url: links.sign({ orderId, kind, expiresAt }), expiresAt };
    return {
      archive: isRefunded ? null : archive,
      files: isRefunded
        ? []
        : [...recordings, certificateOf(order, license)].filter(({ kind }) => mayDownload(order, kind)).map(withLink),
      license: {
        id: license.id,
        url: licenseUrl(publicUrl, license.id),
        jws: license.jws,
        type: order.license_type,
        termsVersion: license.termsVersion,
        status,
      },
    };
  }
}

/** Returns the existing recordings of the license. Excludes the certificate, which lists these recordings. */
function recordingsOf(order: FrozenOrder, renditions: readonly Rendition[]): OrderFile[] {
  const stems =
    order.stems_sha256 === null || order.stems_bytes === null
      ? []
      : [
          {
            kind: "stems" as const,
            sha256: order.stems_sha256,
            bytes: order.stems_bytes,
            contentType: "application/zip",
          },
        ];
  const files: Omit<OrderFile, "filename">[] = [...renditions, ...stems];
  return kindsOf[order.license_type].flatMap((kind: FileKind) =>
    files.filter((file) => file.kind === kind).map((file) => ({ ...file, filename: filenameOf(order, kind) })),
  );
}

const certificateOf = (order: FrozenOrder, { pdf }: License): OrderFile => ({
  kind: "license",
  filename: filenameOf(order, "license"),
  ...pdf,
  contentType: "application/pdf",
});

const factsOf = (order: FrozenOrder, files: readonly OrderFile[]): CertificateFacts => ({
  orderId: order.id,
  beatId: order.beat_id,
  beatTitle: order.title,
  producerId: order.producer_id,
  producerName: order.producer_name,
  buyerName: order.buyer_name,
  licenseType: order.license_type,
  termsVersion: order.terms_version,
  changedLimits: order.license_limits,
  purchasedAt: order.completed_at ?? order.created_at,
  replaces: order.upgrades_license,
  files: files.map(({ kind, filename, bytes, sha256 }) => ({ kind, filename, bytes, sha256 })),
});

/** Creates recordings for demo beats that have none. */
export interface MasterSource {
  /**
   * Creates and stores the recording of a beat. Returns null for a beat that is not a demo beat, or has another
   * recording.
   */
  make(beatId: number): Promise<(StoredFile & { contentType: string }) | null>;
}

/**
 * Returns the master of an order. If the order has none, creates one and stores it with the order and the beat. Returns
 * null if that is impossible.
 */
async function masterOf(
  db: Queryable,
  { id, beat_id, master_sha256 }: Pick<FrozenOrder, "id" | "beat_id" | "master_sha256">,
  source: MasterSource | null,
): Promise<string | null> {
  if (master_sha256 !== null || source === null) return master_sha256;
  const master = await source.make(beat_id);
  if (master === null) return null;
  return transact(db, async (transaction) => {
    await attachMaster(transaction, beat_id, master);
    // If two requests are concurrent, the first stores the master with the order.
    await transaction
      .updateTable("orders")
      .set({ master_sha256: master.sha256 })
      .where("id", "=", id)
      .where("master_sha256", "is", null)
      .execute();
    return master.sha256;
  });
}
