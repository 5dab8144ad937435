import { Text } from "@mantine/core";
import type { ComponentType } from "react";
import { t } from "../api/locale.ts";

/**
 * Wraps a page that exists only in English, for users of other languages: a note says so, and the page's language is
 * marked for screen readers.
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
