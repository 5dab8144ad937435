import { Badge } from "@mantine/core";
import type { BeatStatus } from "../studio-queries.ts";

const badges: Record<BeatStatus, { color: string; label: string }> = {
  draft: { color: "gray", label: "Draft" },
  processing: { color: "blue", label: "Processing" },
  published: { color: "teal", label: "Published" },
  withdrawn: { color: "orange", label: "Withdrawn" },
};

export const statusLabels = Object.fromEntries(
  Object.entries(badges).map(([status, { label }]) => [status, label]),
) as Record<BeatStatus, string>;

/** What a beat is to its producer. */
export const BeatStatusBadge = ({ status }: { status: BeatStatus }) => (
  <Badge color={badges[status].color} variant="light" radius="sm" tt="none" miw="max-content">
    {badges[status].label}
  </Badge>
);
