import { t } from "../../api/locale.ts";
import type { components } from "../../api/paths.ts";

export type RefundRequest = components["schemas"]["RefundRequest"];
export type RefundReason = RefundRequest["reason"];

export const refundReasons: Readonly<Record<RefundReason, string>> = {
  mistake: t("contact.iBoughtItByMistake"),
  duplicate: t("contact.iBoughtItTwice"),
  not_as_described: t("contact.notAsDescribed"),
  files: t("contact.filesDamagedOrMissing"),
  other: t("contact.anotherReason"),
};
