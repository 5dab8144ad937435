import type { Readable } from "node:stream";
import type { HandlerCall } from "@beatmarket/http/pipeline/route.ts";
import { findUpload } from "../queries.ts";
import { readChecksum } from "../receiving/checksum.ts";
import { createUpload, requireSize } from "../receiving/create-upload.ts";
import { readMetadata, requireUtf8 } from "../receiving/metadata.ts";
import { type Receiver, receive } from "../receiving/receive.ts";
import type { WriteLock, Writers } from "../receiving/writers.ts";
import type { Upload } from "../upload.ts";
import type { TusActions } from "./tus-server.ts";

/** A request of the protocol. Its route has checked that the caller has a key or a session. */
export type TusCall = Pick<HandlerCall, "context" | "caller" | "account" | "underPermit" | "streamBody"> & {
  params: { upload_id?: string };
};

export interface TusUploadsParts extends Receiver {
  writers: Writers;
  call: TusCall;
  userId: number;
}

/** The uploads of an account, for one request. */
export class TusUploads implements TusActions {
  readonly #parts: TusUploadsParts;
  #body: Readable | null = null;
  #lock: WriteLock | null = null;
  /** Settles when the last write has ended, since @tus/server unlocks as soon as a body breaks off. */
  #written: Promise<unknown> = Promise.resolve();
  /** The upload of the request, once it is known. */
  upload: Upload | null = null;
  createdId: string | null = null;

  constructor(parts: TusUploadsParts) {
    this.#parts = parts;
  }

  openBody(): Readable {
    this.#body ??= this.#parts.call.streamBody();
    return this.#body;
  }

  /** Null until it is opened. */
  get body(): Readable | null {
    return this.#body;
  }

  async create(id: string, bytes: number, pairs: Readonly<Record<string, string | null>>): Promise<void> {
    const { db, call, userId, room, standardBytes } = this.#parts;
    requireUtf8(String(call.context.requestHeaders["upload-metadata"]), "filename");
    const upload = { id, ...readMetadata(pairs), userId, bytes };
    requireSize(upload);
    await room.require(bytes);
    await call.underPermit(() => createUpload(db, upload, this.#now, standardBytes));
    this.createdId = id;
    await this.find(id);
  }

  async find(id: string): Promise<Upload> {
    const { db, call, userId } = this.#parts;
    this.upload = await call.underPermit(() => findUpload(db, userId, id, this.#now));
    return this.upload;
  }

  async write(id: string, body: Readable): Promise<number> {
    const { call } = this.#parts;
    const upload = this.upload?.id === id ? this.upload : await this.find(id);
    if (upload.received === upload.bytes) return upload.received;
    const checksum = readChecksum(call.context.requestHeaders["upload-checksum"] as string | undefined);
    if (this.#lock === null) throw new Error("A body was to be written without a lock.");
    const written = receive(this.#parts, upload, body, { checksum, lock: this.#lock });
    this.#written = written.catch(() => {});
    const received = await written;
    this.upload = { ...upload, received };
    return received;
  }

  /**
   * Only writes exclude each other. A request for the offset settles a stalled writer, so that it gets the final offset.
   */
  async lock(id: string): Promise<void> {
    const { call, writers } = this.#parts;
    if (call.params.upload_id !== undefined) await this.find(id);
    if (call.context.isRead) return writers.settle(id);
    const lock = await writers.acquire(id);
    lock.interrupted.addEventListener("abort", () => this.openBody().destroy(lock.interrupted.reason));
    this.#lock = lock;
  }

  async unlock(): Promise<void> {
    await this.#written;
    this.#lock?.release();
    this.#lock = null;
  }

  get #now(): Date {
    return new Date(this.#parts.clock.nowMs());
  }
}
