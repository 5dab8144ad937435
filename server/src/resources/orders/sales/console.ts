import { consoleMeta } from "../../../http/pagination.ts";
import type { Page } from "../../../listing/page.ts";
import { saleFields } from "./reference.ts";
import type { Sale } from "./sale.ts";

export const salesConsole = (page: Page<Sale>) => ({ data: page.items.map(saleFields), meta: consoleMeta(page) });
