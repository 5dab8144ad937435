import { Text } from "@mantine/core";
import { t } from "../api/locale.ts";
import { DocumentLink } from "../display/document-link.tsx";
import { LanguageChoice } from "./language-choice.tsx";

/** Links to the operator's pages (terms, privacy, contact), and the choice of the language. */
export function LegalLinks() {
  return (
    <Text size="xs" c="dimmed" ta="center" component="nav" aria-label={t("shell.site")}>
      <DocumentLink href="/terms">{t("shell.terms")}</DocumentLink> ·{" "}
      <DocumentLink href="/privacy">{t("shell.privacy")}</DocumentLink> ·{" "}
      <DocumentLink href="/contact">{t("shell.contact")}</DocumentLink> · <LanguageChoice />
    </Text>
  );
}
