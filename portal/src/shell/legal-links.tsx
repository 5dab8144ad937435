import { Text } from "@mantine/core";
import { DocumentLink } from "../display/document-link.tsx";

/** The pages of the operator. */
export function LegalLinks() {
  return (
    <Text size="xs" c="dimmed" ta="center" component="nav" aria-label="Site">
      <DocumentLink href="/terms">Terms</DocumentLink> · <DocumentLink href="/privacy">Privacy</DocumentLink> ·{" "}
      <DocumentLink href="/contact">Contact</DocumentLink>
    </Text>
  );
}
