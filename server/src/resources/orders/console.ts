import { consoleMeta } from "../../http/pagination.ts";
import type { Page } from "../../listing/page.ts";
import type { Order } from "./order.ts";
import { orderFields } from "./reference.ts";

export const orderConsole = (order: Order) => ({ data: orderFields(order) });

export const ordersConsole = (page: Page<Order>) => ({
  data: page.items.map(orderFields),
  meta: consoleMeta(page),
});
