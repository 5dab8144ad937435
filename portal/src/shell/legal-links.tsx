import { Text } from "@mantine/core";
import { DocumentLink } from "../display/document-link.tsx";

/** Links to the operator's pages: terms, privacy, contact. */
export function LegalLinks() {
  return (
    <Text size="xs" c="dimmed" ta="center" component="nav" aria-label="Site">
      <DocumentLink href="/terms">Terms</DocumentLink> · <DocumentLink href="/privacy">Privacy</DocumentLink> ·{" "}
      <DocumentLink href="/contact">Contact</DocumentLink>
    </Text>
  );
}
