import { Badge, Group } from "@mantine/core";
import type { components } from "../../../api/paths.ts";

/** Badges for the special properties of an account. */
export function AccountBadges({
  account,
}: {
  account: Pick<components["schemas"]["AdminAccount"], "suspension" | "operator" | "marketplace">;
}) {
  const badges: [boolean, string, string][] = [
    [account.suspension !== null, "red", "Suspended"],
    [account.operator, "violet", "Operator"],
    [account.marketplace, "gray", "Marketplace"],
  ];
  return (
    <Group gap={4} wrap="nowrap">
      {badges
        .filter(([has]) => has)
        .map(([, color, label]) => (
          <Badge key={label} color={color} variant="light" radius="sm" tt="none" miw="max-content">
            {label}
          </Badge>
        ))}
    </Group>
  );
}
