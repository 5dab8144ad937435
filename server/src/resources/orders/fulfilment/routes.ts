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
      "Returns the files of a completed order, as they were at the purchase, and the license. Links to files are signed and valid for 15 minutes; another request gets new ones. The response waits up to ten seconds for files that are not ready. After that it is 503 with `Retry-After`.",
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
      "Returns the files of a completed order and its license certificate in one ZIP, uncompressed, with the same bytes every time. Resume an interrupted download with `Range`, and with the ETag in `If-Range`. The response waits up to ten seconds for files that are not ready. After that it is 503 with `Retry-After`. It is 410 once the order is refunded in full.",
    gone: "The order was refunded in full, so its files and its license are revoked.",
    permission: "orders:read",
    params: OrderId,
    file: {
      name: "order.zip",
      contentType: "application/zip",
      shown: "path",
      isResumable: true,
      headers: {
        "Accept-Ranges": Type.String({ description: "The value `bytes`: a download can be resumed." }),
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
        "The kind of the file. `mp3`: untagged, with 320 kbit/s, or with the bit rate of a lossy recording. `wav`: the recording, if it is lossless. `stems`: the producer's ZIP. `license`: the certificate, a PDF.",
    }),
    filename: Type.String({ description: "The name under which a browser saves the file." }),
    bytes: Type.Integer({ format: "int64", minimum: 0, description: "The size of the file in bytes." }),
    sha256: Type.String({ pattern: "^[0-9a-f]{64}$", description: "The SHA-256 of the file, in hexadecimal." }),
    url: Type.String({
      format: "uri",
      description:
        "A signed link. Every client that has it can download the file without a key until it expires. Supports `Range`.",
    }),
    expires_at: Type.String({
      format: "date-time",
      description:
        "When the link expires: ISO 8601, UTC, whole seconds, 15 minutes from now. A download that has begun is not interrupted.",
    }),
  },
  { $id: "OrderFile", description: "A file of an order." },
);

const IssuedLicense = Type.Object(
  {
    id: Type.String({ format: "uuid" }),
    url: Type.String({ format: "uri", description: "The public page that says whether the license is valid." }),
    jws: Type.String({
      description: "The facts of the certificate, signed (JWS, EdDSA) with a key of `/.well-known/jwks.json`.",
    }),
    type: Type.Enum([...licenseTypes]),
    terms_version: Type.String({ description: "The version of the terms at the time of the sale." }),
    status: Type.Enum([...licenseStates], {
      description:
        "The status of the license: `expired` after its last day, `refunded` once the order is refunded in full, `replaced` after an upgrade or renewal.",
    }),
  },
  { $id: "IssuedLicense", description: "The license of an order." },
);

export const OrderFiles = Type.Object(
  {
    files: Type.Array(OrderFile, {
      description:
        "The files of the license, in the order mp3, wav, stems, license. Empty once the order is refunded in full.",
    }),
    license: IssuedLicense,
  },
  { $id: "OrderFiles", description: "The files and the license of a completed order." },
);

const OrderFilesResponse: ResponseSchemas = { status: 200, reference: OrderFiles, console: OrderFiles };

/**
 * The route `path/files/{order_id}/{kind}` of a page that shows orders without a session to everyone who has the page's
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
