import type { StoredFile } from "@beatmarket/storage/stored-objects.ts";

/** What the protocol knows of an upload. */
export interface ResumableUpload {
  id: string;
  /** The size of the whole file. */
  bytes: number;
  /** The number of bytes that have arrived and are stored. */
  received: number;
  expires_at: Date;
}

/** A request to begin an upload. */
export interface CreationRequest {
  id: string;
  bytes: number;
  /** The decoded pairs of Upload-Metadata. */
  metadata: Readonly<Record<string, string | null>>;
  /** The header itself, in which each value is in Base64. */
  encodedMetadata: string;
}

/**
 * Where a program keeps its uploads and their parts. `New` is a checked request to begin one. Each function throws an
 * ApiError that the client gets.
 */
export interface UploadStore<Upload extends ResumableUpload, New> {
  newId(): string;
  /** Throws 400 or 413 for a request that can never succeed. */
  readNew(owner: number, request: CreationRequest): New;
  create(upload: New): Promise<void>;
  /** Throws 404 for another owner's upload, and for one that has expired. */
  find(owner: number, id: string): Promise<Upload>;
  /** Deletes an upload and its bytes. */
  remove(owner: number, id: string): Promise<void>;
  /** The pairs of Upload-Metadata that the client gets. */
  metadataOf(upload: Upload): Record<string, string>;
  /** Throws 409 for an upload that may have no further part. */
  requireRoomForPart(upload: Upload): Promise<void>;
  /**
   * Records a stored part after the bytes that had arrived. Throws `overtaken()` when another request moved the offset
   * in the meantime, on any instance.
   */
  appendPart(upload: Upload, part: StoredFile): Promise<void>;
}
