import { notFound } from "@beatmarket/foundation/errors.ts";
import { timestamp } from "@beatmarket/http/formats.ts";
import { privatePageHeaders } from "@beatmarket/http/html-page.ts";
import type { Content, HttpResponse } from "@beatmarket/http/http-response.ts";
import { fileRoute, type ResponseSchemas, route } from "@beatmarket/http/pipeline/api-route.ts";
import type { HandlerCall, Route } from "@beatmarket/http/pipeline/route.ts";
import type { RequestContext } from "@beatmarket/http/request-context.ts";
import { licenseStates } from "@beatmarket/license-terms/judge.ts";
import { licenseTypes } from "@beatmarket/license-terms/license-types.ts";
import Type from "typebox";
import type { Order } from "../order.ts";
import { OrderId } from "../schema.ts";
import { type Fulfilment, fileKinds, isLinkedFile } from "./fulfilment.ts";
import type { Fulfilments } from "./fulfilments.ts";

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

/** Returns a response with all files of an order as a ZIP. */
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

const OrderFile = Type.Object(
  {
    kind: Type.Enum([...fileKinds], {
      description:
        "`mp3`: untagged, of 320 kbit/s; of a lossy recording at its own bit rate. `wav`: the recording, if it is lossless. `stems`: the producer's ZIP. `license`: the certificate, a PDF.",
    }),
    filename: Type.String({ description: "The name under which a browser saves it." }),
    bytes: Type.Integer({ format: "int64", minimum: 0, description: "Size of the file." }),
    sha256: Type.String({ pattern: "^[0-9a-f]{64}$", description: "Hash of the file's bytes." }),
    url: Type.String({
      format: "uri",
      description:
        "A signed link: any client that has it can download the file until it expires, without a key. It supports `Range`.",
    }),
    expires_at: Type.String({
      format: "date-time",
      description: "ISO 8601, UTC, whole seconds: 15 minutes from now. A download under way is not cut off.",
    }),
  },
  { $id: "OrderFile", description: "A file of an order. Its `url` needs no key until it expires." },
);

const IssuedLicense = Type.Object(
  {
    id: Type.String({ format: "uuid" }),
    url: Type.String({ format: "uri", description: "The public page that says whether the license is valid." }),
    jws: Type.String({
      description: "The certificate's facts, signed (JWS, EdDSA) with a key of `/.well-known/jwks.json`.",
    }),
    type: Type.Enum([...licenseTypes]),
    terms_version: Type.String({ description: "The version of the terms of the sale." }),
    status: Type.Enum([...licenseStates], {
      description:
        "`expired` once its last day is over, `refunded` once the order is refunded in full, `replaced` once an upgrade or renewal replaced it.",
    }),
  },
  { $id: "IssuedLicense", description: "The license of an order." },
);

export const OrderFiles = Type.Object(
  {
    files: Type.Array(OrderFile, {
      description: "The files of the license, in the order mp3, wav, stems, license. Empty once refunded in full.",
    }),
    license: IssuedLicense,
  },
  { $id: "OrderFiles", description: "The files and the license of a completed order." },
);

const OrderFilesResponse: ResponseSchemas = { status: 200, reference: OrderFiles, console: OrderFiles };

/**
 * The route `path/files/{order_id}/{kind}` of a page that shows orders without a session to everyone who has its
 * address. Redirects the browser to a new link of the file. Waits if the file does not exist yet. `find` returns
 * undefined for an order that is not on the page.
 */
export const orderFileRoute = (
  path: string,
  fulfilments: Fulfilments,
  find: (
    params: HandlerCall["context"]["params"],
    orderId: number,
  ) => Promise<Pick<Order, "id" | "user_id"> | undefined>,
  unknownPage: (context: HandlerCall["context"]) => Content,
): Route => ({
  operationId: null,
  method: "GET",
  path: `${path}/files/:order_id/:kind`,
  access: { by: "anyone" },
  headers: privatePageHeaders,
  waits: true,
  handle: async ({ context, closed, underPermit, clock }) => {
    const { order_id = "", kind = "" } = context.params;
    if (!/^[1-9]\d{0,15}$/.test(order_id) || !isLinkedFile(kind)) return unknownPage(context);
    const order = await find(context.params, Number(order_id));
    if (order === undefined) return unknownPage(context);
    const call = { params: { order_id: order.id }, caller: { userId: order.user_id } };
    const { files, archive } = await fulfilments.list({ ...call, context, closed, underPermit, clock });
    const file = kind === "archive" ? archive : files.find((listed) => listed.kind === kind);
    if (file === undefined || file === null) throw notFound(`Order ${order.id} has no ${kind} file.`);
    return { status: 303, headers: { ...privatePageHeaders, location: file.url } };
  },
  respond: (response) => response as Content,
});
