import { Code, Group } from "@mantine/core";
import { CopyButton } from "../../../display/copy-button.tsx";

/** A secret in full with a copy button. */
export function SecretText({ secret, label = "Copy the secret" }: { secret: string; label?: string }) {
  return (
    <Group gap={4} wrap="nowrap" align="flex-start">
      <Code fz="sm" style={{ overflowWrap: "anywhere" }}>
        {secret}
      </Code>
      <CopyButton value={secret} label={label} />
    </Group>
  );
}
