import { route } from "@beatmarket/http/pipeline/api-route.ts";
import type { Tus } from "@beatmarket/resumable-uploads/tus.ts";
import {
  UploadId,
  UploadResponse,
  UploadsQuery,
  UploadsResponse,
  uploadConsole,
  uploadReference,
  uploadsConsole,
  uploadsReference,
} from "./present.ts";
import { findUpload, listUploads, retryUpload } from "./queries.ts";
import { storageUse } from "./storage-use.ts";
import { tusRoutes } from "./tus-routes.ts";

export const uploadRoutes = (tus: Tus, standardBytes: number) => [
  ...tusRoutes(tus),
  route({
    operationId: "listUploads",
    client: "uploads.list",
    method: "GET",
    path: "/uploads",
    tag: "Uploads",
    summary: "List your uploads",
    description:
      "Returns the uploads of the key's account, newest first, one page at a time, and how much of the storage its files take.",
    permission: "beats:write",
    query: UploadsQuery,
    response: UploadsResponse,
    present: { reference: uploadsReference, console: uploadsConsole },
    examples: { success: { parameters: { limit: 2 } }, invalid: { parameters: { limit: 0 } } },
    handle: async ({ db, caller: { userId }, query, clock }) => {
      const now = new Date(clock.nowMs());
      const uploads = await listUploads(db, { ...query, userId }, now);
      return { ...uploads, storage: await storageUse(db, { userId, standardBytes, now }) };
    },
  }),
  route({
    operationId: "getUpload",
    client: "uploads.get",
    method: "GET",
    path: "/uploads/:upload_id",
    tag: "Uploads",
    summary: "Get one of your uploads",
    description:
      "Returns the state of an upload: how much of it has arrived and, after the analysis, the results or the reason of its rejection. An upload of another account is 404.",
    permission: "beats:write",
    params: UploadId,
    response: UploadResponse,
    present: { reference: uploadReference, console: uploadConsole },
    examples: {
      success: { parameters: { upload_id: "upl_0000000000000000000001" } },
      invalid: { parameters: { upload_id: "latest" } },
      missing: { parameters: { upload_id: "upl_0000000000000000000000" } },
    },
    handle: ({ db, caller, params, clock }) => findUpload(db, caller.userId, params.upload_id, new Date(clock.nowMs())),
  }),
  route({
    operationId: "retryUpload",
    client: "uploads.retry",
    method: "POST",
    path: "/uploads/:upload_id/retry",
    tag: "Uploads",
    summary: "Analyse an upload again",
    description:
      "Analyses a file again that was rejected because of a fault of the service. An upload that was not rejected is returned unchanged.",
    permission: "beats:write",
    params: UploadId,
    response: UploadResponse,
    present: { reference: uploadReference, console: uploadConsole },
    changesContent: () => false,
    examples: {
      success: { parameters: { upload_id: "upl_0000000000000000000002" } },
      invalid: { parameters: { upload_id: "latest" } },
      missing: { parameters: { upload_id: "upl_0000000000000000000000" } },
      conflict: { parameters: { upload_id: "upl_0000000000000000000003" } },
    },
    handle: ({ db, caller, params, clock }) =>
      retryUpload(db, caller.userId, params.upload_id, new Date(clock.nowMs())),
  }),
];
