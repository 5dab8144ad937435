import { Badge } from "@mantine/core";

/** A badge for the state of an endpoint or delivery. */
export const StateBadge = ({ color, label }: { color: string; label: string }) => (
  <Badge color={color} variant="light" radius="sm" tt="none" miw="max-content">
    {label}
  </Badge>
);
