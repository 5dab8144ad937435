import { timestamp } from "@beatmarket/http/formats.ts";
import type { Page } from "@beatmarket/http/listing/page.ts";
import { consoleMeta, referencePagination } from "@beatmarket/http/pagination.ts";
import type { PresenterContext } from "@beatmarket/http/pipeline/api-route.ts";
import type { StorageUse } from "./storage-use.ts";
import type { Upload } from "./upload.ts";

/** The fields of an upload, which are the same in both forms. An upload that a beat uses does not expire. */
export const uploadFields = (upload: Upload) => ({
  id: upload.id,
  kind: upload.kind,
  filename: upload.filename,
  bytes: upload.bytes,
  received: upload.received,
  sha256: upload.sha256,
  status: upload.status,
  rejection: upload.rejection,
  analysis: upload.analysis,
  created_at: timestamp(upload.created_at),
  expires_at: upload.used_at === null ? timestamp(upload.expires_at) : null,
});

export const uploadReference = (upload: Upload) => ({ upload: uploadFields(upload) });

/** A page of uploads, and the account's use of the storage. */
export type UploadsPage = Page<Upload> & { storage: StorageUse };

export const uploadsReference = (page: UploadsPage, context: PresenterContext) => ({
  uploads: page.items.map(uploadFields),
  pagination: referencePagination(page, context),
  storage: storageFields(page.storage),
});

/** The fields of the storage use, which are the same in both forms and in the studio. */
export const storageFields = ({ usedBytes, maxBytes }: StorageUse) => ({ used_bytes: usedBytes, max_bytes: maxBytes });

export const uploadConsole = (upload: Upload) => ({ data: uploadReference(upload) });

export const uploadsConsole = (page: UploadsPage) => ({
  data: page.items.map(uploadFields),
  meta: { ...consoleMeta(page), storage: storageFields(page.storage) },
});
