import { timestamp } from "../../http/formats.ts";
import { referencePagination } from "../../http/pagination.ts";
import type { PresenterContext } from "../../http/pipeline/api-route.ts";
import type { Page } from "../../listing/page.ts";
import type { Upload } from "./upload.ts";

/** The same record in both forms. An upload that a beat uses does not expire. */
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

export const uploadsReference = (page: Page<Upload>, context: PresenterContext) => ({
  uploads: page.items.map(uploadFields),
  pagination: referencePagination(page, context),
});
