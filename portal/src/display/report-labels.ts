import { t } from "../api/locale.ts";
import type { components } from "../api/paths.ts";

type Report = components["schemas"]["AdminReport"];

export const reportReasons: Record<Report["reason"], string> = {
  copyright: t("report.copiesAWork"),
  sample: t("report.sampleNotCleared"),
  impersonation: t("report.impersonation"),
  offensive: t("report.offensiveOrUnlawful"),
  other: t("report.anotherReason"),
};

export const reportStates: Record<Report["state"], { label: string; color: string }> = {
  open: { label: t("report.open"), color: "orange" },
  notice_sent: { label: t("report.noticeSent"), color: "blue" },
  countered: { label: t("report.countered"), color: "grape" },
  upheld: { label: t("report.upheld"), color: "red" },
  rejected: { label: t("report.rejected"), color: "gray" },
};
