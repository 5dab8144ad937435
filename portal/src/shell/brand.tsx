import { Badge, Group, Text, UnstyledButton } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { t } from "../api/locale.ts";
import { siteName } from "../api/site-name.ts";

/** The site's name, with a badge that says that it is a pre-release demo. */
export function Brand() {
  return (
    <Group gap="xs" wrap="nowrap">
      <UnstyledButton
        renderRoot={(props) => <Link to="/" {...props} />}
        aria-label={t("shell.home", { siteName: siteName() })}
      >
        <Group gap={8} wrap="nowrap">
          <img src="/site/logo" height={26} alt="" />
          <Text fw={650} visibleFrom="xs" style={{ whiteSpace: "nowrap" }}>
            {siteName()}
          </Text>
        </Group>
      </UnstyledButton>
      <Badge variant="light" size="sm" radius="sm" tt="none" style={{ flexShrink: 0 }}>
        {t("shell.preReleaseDemo")}
      </Badge>
    </Group>
  );
}
