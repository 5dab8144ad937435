import type { components } from "../api/paths.ts";

type Report = components["schemas"]["AdminReport"];

export const reportReasons: Record<Report["reason"], string> = {
  copyright: "copies a work",
  sample: "sample not cleared",
  impersonation: "impersonation",
  offensive: "offensive or unlawful",
  other: "another reason",
};

export const reportStates: Record<Report["state"], { label: string; color: string }> = {
  open: { label: "open", color: "orange" },
  notice_sent: { label: "notice sent", color: "blue" },
  countered: { label: "countered", color: "grape" },
  upheld: { label: "upheld", color: "red" },
  rejected: { label: "rejected", color: "gray" },
};
