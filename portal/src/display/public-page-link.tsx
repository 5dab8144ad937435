import { Group, Text } from "@mantine/core";
import { t } from "../api/locale.ts";
import { CopyButton } from "./copy-button.tsx";
import { DocumentLink } from "./document-link.tsx";

/** A link to a public page, and a button that copies its address. */
export function PublicPageLink({ path }: { path: string }) {
  return (
    <Group gap="xs">
      <Text size="sm">
        <DocumentLink href={path}>{t("face.openThePublicPage")}</DocumentLink>
      </Text>
      <CopyButton value={`${location.origin}${path}`} label={t("face.copyPublicPageLink")} />
    </Group>
  );
}
