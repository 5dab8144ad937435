import { consoleMeta } from "../../http/pagination.ts";
import type { PresenterContext } from "../../http/pipeline/api-route.ts";
import type { Page } from "../../listing/page.ts";
import type { Order } from "./order.ts";
import { orderFields } from "./reference.ts";

export const orderConsole = (order: Order, { publicUrl }: PresenterContext) => ({
  data: orderFields(order, publicUrl),
});

export const ordersConsole = (page: Page<Order>, { publicUrl }: PresenterContext) => ({
  data: page.items.map((order) => orderFields(order, publicUrl)),
  meta: consoleMeta(page),
});
