import type { Delivery } from "./delivery.ts";
import { deliveryReference } from "./reference.ts";

export const deliveryConsole = (delivery: Delivery) => ({ data: deliveryReference(delivery) });
