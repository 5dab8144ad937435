import type { components } from "../../api/paths.ts";

export type RefundRequest = components["schemas"]["RefundRequest"];
export type RefundReason = RefundRequest["reason"];

export const refundReasons: Readonly<Record<RefundReason, string>> = {
  mistake: "I bought it by mistake",
  duplicate: "I bought it twice",
  not_as_described: "It is not what the page said",
  files: "The files are damaged or missing",
  other: "Another reason",
};
