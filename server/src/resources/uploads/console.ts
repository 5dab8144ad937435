import { consoleMeta } from "../../http/pagination.ts";
import { storageFields, type UploadsPage, uploadFields, uploadReference } from "./reference.ts";
import type { Upload } from "./upload.ts";

export const uploadConsole = (upload: Upload) => ({ data: uploadReference(upload) });

export const uploadsConsole = (page: UploadsPage) => ({
  data: page.items.map(uploadFields),
  meta: { ...consoleMeta(page), storage: storageFields(page.storage) },
});
