import type { StoredFile } from "@beatmarket/storage/stored-objects.ts";

/** The fields of an upload that the protocol needs. */
export interface ResumableUpload {
  id: string;
  /** The size of the whole file. */
  bytes: number;
  /** The number of stored bytes. */
  received: number;
  expires_at: Date;
}

/** A request to begin an upload. */
export interface CreationRequest {
  id: string;
  bytes: number;
  /** The decoded pairs of Upload-Metadata. */
  metadata: Readonly<Record<string, string | null>>;
  /** The header Upload-Metadata, in which each value is in Base64. */
  encodedMetadata: string;
}

/**
 * A program's store of uploads and their parts. `New`: a validated request to begin an upload. The functions throw
 * ApiErrors, which the client gets.
 */
export interface UploadStore<Upload extends ResumableUpload, New> {
  newId(): string;
  /** Throws 400 or 413 for a request that can never succeed. */
  readNew(owner: number, request: CreationRequest): New;
  create(upload: New): Promise<void>;
  /** Throws 404 for another owner's upload, and for an expired upload. */
  find(owner: number, id: string): Promise<Upload>;
  /** Deletes an upload and its bytes. */
  remove(owner: number, id: string): Promise<void>;
  /** The pairs of Upload-Metadata that the client gets. */
  metadataOf(upload: Upload): Record<string, string>;
  /** Throws 409 for an upload that may have no further part. */
  requireRoomForPart(upload: Upload): Promise<void>;
  /**
   * Records a stored part at the offset `upload.received`. Throws `overtaken()` if another request, on any instance,
   * has changed the offset.
   */
  appendPart(upload: Upload, part: StoredFile): Promise<void>;
}
