import { Anchor, Badge, Group, Text } from "@mantine/core";
import { ownOrigin } from "../../display/beats/own-origin.ts";
import { CopyButton } from "../../display/copy-button.tsx";
import type { IssuedLicense } from "./library-queries.ts";

/** The license's public page, which anyone may open: by its link, or by the QR code of the PDF. */
export function Certificate({ license: { url, status, terms_version, jws } }: { license: IssuedLicense }) {
  const isValid = status === "valid";
  return (
    <div>
      <Group gap="xs">
        <Text size="sm" fw={500}>
          License
        </Text>
        <Badge color={isValid ? "teal" : "gray"} variant="light" radius="sm" tt="none">
          {isValid ? "Valid" : "Refunded"}
        </Badge>
        <Anchor href={ownOrigin(url)} target="_blank" rel="noopener" size="sm">
          Open its public page
        </Anchor>
        <CopyButton value={url} label="Copy the link to the public page" />
        <Text size="sm" c="dimmed">
          Signed certificate (JWS)
        </Text>
        <CopyButton value={jws} label="Copy the signed certificate" />
      </Group>
      <Text size="xs" c="dimmed">
        Anyone with the link, or with the QR code of the PDF, sees whether the license is valid, and not who bought it.
        Terms of version {terms_version}.
      </Text>
    </div>
  );
}
