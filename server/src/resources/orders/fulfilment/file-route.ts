import { notFound } from "@beatmarket/foundation/errors.ts";
import { privatePageHeaders } from "@beatmarket/http/html-page.ts";
import type { Content } from "@beatmarket/http/http-response.ts";
import type { HandlerCall, Route } from "@beatmarket/http/pipeline/route.ts";
import type { Order } from "../order.ts";
import { isLinkedFile } from "./fulfilment.ts";
import type { Fulfilments } from "./fulfilments.ts";

/**
 * The route `path/files/{order_id}/{kind}` of a page whose address shows orders without a session. Redirects the browser
 * to a file under a new link. It may wait for a file that is still being made. `find` returns undefined for an order
 * that is not on the page.
 */
export const fileRoute = (
  path: string,
  fulfilments: Fulfilments,
  find: (
    params: HandlerCall["context"]["params"],
    orderId: number,
  ) => Promise<Pick<Order, "id" | "user_id"> | undefined>,
  unknown: (context: HandlerCall["context"]) => Content,
): Route => ({
  operationId: null,
  method: "GET",
  path: `${path}/files/:order_id/:kind`,
  access: { by: "anyone" },
  headers: privatePageHeaders,
  waits: true,
  handle: async ({ context, closed, underPermit, clock }) => {
    const { order_id = "", kind = "" } = context.params;
    if (!/^[1-9]\d{0,15}$/.test(order_id) || !isLinkedFile(kind)) return unknown(context);
    const order = await find(context.params, Number(order_id));
    if (order === undefined) return unknown(context);
    const call = { params: { order_id: order.id }, caller: { userId: order.user_id } };
    const { files, archive } = await fulfilments.list({ ...call, context, closed, underPermit, clock });
    const file = kind === "archive" ? archive : files.find((listed) => listed.kind === kind);
    if (file === undefined || file === null) throw notFound(`Order ${order.id} has no ${kind} file.`);
    return { status: 303, headers: { ...privatePageHeaders, location: file.url } };
  },
  respond: (response) => response as Content,
});
