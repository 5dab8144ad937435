import { timestamp } from "@beatmarket/http/formats.ts";
import type { HttpResponse } from "@beatmarket/http/http-response.ts";
import { fileRoute, route } from "@beatmarket/http/pipeline/api-route.ts";
import type { RequestContext } from "@beatmarket/http/request-context.ts";
import Type from "typebox";
import { OrderId } from "../schema.ts";
import type { Fulfilment } from "./fulfilment.ts";
import type { Fulfilments } from "./fulfilments.ts";
import { OrderFilesResponse } from "./schema.ts";

export const fulfilmentReference = ({ files, license }: Fulfilment) => ({
  files: files.map(({ kind, filename, bytes, sha256, url, expiresAt }) => ({
    kind,
    filename,
    bytes,
    sha256,
    url,
    expires_at: timestamp(expiresAt),
  })),
  license: {
    id: license.id,
    url: license.url,
    jws: license.jws,
    type: license.type,
    terms_version: license.termsVersion,
    status: license.status,
  },
});

const fulfilmentConsole = (fulfilment: Fulfilment) => ({ data: fulfilmentReference(fulfilment) });

/** Sends all files of an order as a ZIP. */
export type SendArchive = (context: RequestContext, orderId: number) => Promise<HttpResponse>;

export const fulfilmentRoutes = (fulfilments: Fulfilments, sendArchive: SendArchive) => [
  route({
    operationId: "listOrderFiles",
    client: "orders.files",
    method: "GET",
    path: "/orders/:order_id/files",
    tag: "Orders",
    summary: "Get the files of an order",
    description:
      "The files of a completed order, as they were when it was bought, and the license. Links to files are signed and live for 15 minutes: ask again for new ones. The response waits up to ten seconds for files that are not ready; after that it is 503 with `Retry-After`.",
    permission: "orders:read",
    params: OrderId,
    response: OrderFilesResponse,
    present: { reference: fulfilmentReference, console: fulfilmentConsole },
    waits: true,
    examples: {
      success: { parameters: { order_id: 1 } },
      invalid: { parameters: { order_id: "latest" } },
      missing: { parameters: { order_id: 999999 } },
      conflict: { parameters: { order_id: 2 } },
    },
    handle: (call) => fulfilments.list(call),
  }),
  fileRoute({
    operationId: "downloadOrderArchive",
    client: "orders.archive",
    method: "GET",
    path: "/orders/:order_id/archive",
    tag: "Orders",
    summary: "Download all files of an order",
    description:
      "The files of a completed order and its license certificate in one ZIP, uncompressed, the same bytes every time. Resume a broken download with `Range`, and with the ETag in `If-Range`. The response waits up to ten seconds for files that are not ready; after that it is 503 with `Retry-After`. 410 once the order is refunded in full.",
    gone: "The order was refunded in full, so its files and its license are revoked.",
    permission: "orders:read",
    params: OrderId,
    file: {
      name: "order.zip",
      contentType: "application/zip",
      shown: "path",
      isResumable: true,
      headers: {
        "Accept-Ranges": Type.String({ description: "bytes: a download can be resumed." }),
        "Content-Disposition": Type.String({ description: "A name for the file, with the beat's title." }),
      },
    },
    examples: {
      success: { parameters: { order_id: 1 } },
      invalid: { parameters: { order_id: "latest" } },
      missing: { parameters: { order_id: 999999 } },
      conflict: { parameters: { order_id: 2 } },
    },
    handle: async (call) => {
      await fulfilments.list(call);
      return sendArchive(call.context, call.params.order_id);
    },
  }),
];
