import { timestamp } from "@beatmarket/http/formats.ts";
import { route } from "@beatmarket/http/pipeline/api-route.ts";
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

export const fulfilmentRoutes = (fulfilments: Fulfilments) => [
  route({
    operationId: "listOrderFiles",
    client: "orders.files",
    method: "GET",
    path: "/orders/:order_id/files",
    tag: "Orders",
    summary: "Get the files of an order",
    description:
      "What a completed order brings, as it was when it was bought: files under signed links that live for 15 minutes, and the license. Ask again for new links. Files that are still being made are waited for, for up to ten seconds; then the response is 503 with `Retry-After`.",
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
];
