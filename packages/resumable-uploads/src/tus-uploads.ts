import type { Readable } from "node:stream";
import type { HandlerCall } from "@beatmarket/http/pipeline/route.ts";
import { readChecksum } from "./checksum.ts";
import { type Receiver, receive } from "./receive.ts";
import type { TusActions } from "./tus-server.ts";
import type { ResumableUpload } from "./upload-store.ts";
import type { WriteLock, Writers } from "./writers.ts";

/** A request of the protocol. The route has authenticated the caller. */
export type TusCall = Pick<HandlerCall, "context" | "caller" | "account" | "underPermit" | "streamBody"> & {
  params: { upload_id?: string };
};

export interface TusUploadsParts<Upload extends ResumableUpload, New> extends Receiver<Upload, New> {
  writers: Writers;
  call: TusCall;
  owner: number;
}

/** The uploads of an owner, for one request. */
export class TusUploads<Upload extends ResumableUpload, New> implements TusActions {
  readonly #parts: TusUploadsParts<Upload, New>;
  #body: Readable | null = null;
  #lock: WriteLock | null = null;
  /** Settles when the last write has ended. @tus/server may unlock earlier: as soon as a body breaks off. */
  #lastWrite: Promise<unknown> = Promise.resolve();
  /** The upload of the request; null before it is read or created. */
  upload: Upload | null = null;
  createdId: string | null = null;

  constructor(parts: TusUploadsParts<Upload, New>) {
    this.#parts = parts;
  }

  openBody(): Readable {
    this.#body ??= this.#parts.call.streamBody();
    return this.#body;
  }

  /** The body of the request; null until it is opened. */
  get body(): Readable | null {
    return this.#body;
  }

  newId(): string {
    return this.#parts.store.newId();
  }

  async create(id: string, bytes: number, metadata: Readonly<Record<string, string | null>>): Promise<void> {
    const { store, call, owner, room } = this.#parts;
    const encodedMetadata = String(call.context.requestHeaders["upload-metadata"]);
    const upload = store.readNew(owner, { id, bytes, metadata, encodedMetadata });
    await room.require(bytes);
    await call.underPermit(() => store.create(upload));
    this.createdId = id;
    await this.#find(id);
  }

  async find(id: string) {
    const upload = await this.#find(id);
    return { bytes: upload.bytes, received: upload.received, metadata: this.#parts.store.metadataOf(upload) };
  }

  async #find(id: string): Promise<Upload> {
    const { store, call, owner } = this.#parts;
    this.upload = await call.underPermit(() => store.find(owner, id));
    return this.upload;
  }

  async write(id: string, body: Readable): Promise<number> {
    const { call } = this.#parts;
    const upload = this.upload?.id === id ? this.upload : await this.#find(id);
    if (upload.received === upload.bytes) return upload.received;
    const checksum = readChecksum(call.context.requestHeaders["upload-checksum"] as string | undefined);
    if (this.#lock === null) throw new Error("A write requires a lock.");
    const receiving = receive(this.#parts, upload, body, { checksum, lock: this.#lock });
    this.#lastWrite = receiving.catch(() => {});
    const received = await receiving;
    this.upload = { ...upload, received };
    return received;
  }

  /**
   * Locks the upload for a write. A request for the offset takes no lock, but ends a stalled writer first, so that it
   * returns the final offset.
   */
  async lock(id: string): Promise<void> {
    const { call, writers } = this.#parts;
    if (call.params.upload_id !== undefined) await this.#find(id);
    if (call.context.isRead) return writers.settle(id);
    const lock = await writers.acquire(id);
    lock.interrupted.addEventListener("abort", () => this.openBody().destroy(lock.interrupted.reason));
    this.#lock = lock;
  }

  async unlock(): Promise<void> {
    await this.#lastWrite;
    this.#lock?.release();
    this.#lock = null;
  }
}
