import { consoleMeta } from "../../http/pagination.ts";
import type { Page } from "../../listing/page.ts";
import { uploadFields, uploadReference } from "./reference.ts";
import type { Upload } from "./upload.ts";

export const uploadConsole = (upload: Upload) => ({ data: uploadReference(upload) });

export const uploadsConsole = (page: Page<Upload>) => ({
  data: page.items.map(uploadFields),
  meta: consoleMeta(page),
});
