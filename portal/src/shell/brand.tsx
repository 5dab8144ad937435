import { Badge, Group, Text, UnstyledButton } from "@mantine/core";
import { Link } from "@tanstack/react-router";

/** The name, with the badge of a pre-release demo. */
export function Brand() {
  return (
    <Group gap="xs" wrap="nowrap">
      <UnstyledButton renderRoot={(props) => <Link to="/" {...props} />} aria-label="Beat Marketplace, home">
        <Group gap={8} wrap="nowrap">
          <img src="/portal/icon.svg" width={26} height={26} alt="" />
          <Text fw={650} visibleFrom="xs" style={{ whiteSpace: "nowrap" }}>
            Beat Marketplace
          </Text>
        </Group>
      </UnstyledButton>
      <Badge variant="light" size="sm" radius="sm" tt="none" style={{ flexShrink: 0 }}>
        Pre-release demo
      </Badge>
    </Group>
  );
}
