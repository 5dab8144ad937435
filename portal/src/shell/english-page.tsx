import { Text } from "@mantine/core";
import type { ComponentType } from "react";
import { t } from "../api/locale.ts";

/** A page that is in English alone, in a document in another language: says so, to screen readers, too. */
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
