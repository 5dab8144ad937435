import { Text } from "@mantine/core";
import type { ComponentType } from "react";
import { t } from "../api/locale.ts";

/**
 * Wraps a page without translations. In other languages it shows a note, and marks the page's language for screen
 * readers.
 */
export const englishPage = (Page: ComponentType) => () => (
  <>
    <Text size="sm" c="dimmed" mb="md">
      {t("shell.onlyInEnglish")}
    </Text>
    <div lang="en" style={{ display: "contents" }}>
      <Page />
    </div>
  </>
);
