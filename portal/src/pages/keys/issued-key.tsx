import { Alert, Button, Code, Group, Stack, Text } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { CopyButton } from "../../display/copy-button.tsx";

interface IssuedKeyProps {
  value: string;
  onDone: () => void;
}

/** A new key, the one time that it can be seen. */
export function IssuedKey({ value, onDone }: IssuedKeyProps) {
  return (
    <Stack>
      <Alert icon={<IconInfoCircle />} variant="light" role="status">
        Copy the key now. Only its fingerprint is stored, so it cannot be shown again.
      </Alert>
      <Code block data-testid="issued-key" style={{ overflowWrap: "anywhere", whiteSpace: "pre-wrap" }}>
        {value}
      </Code>
      <Text size="sm" c="dimmed">
        Keep it on your server, for example in the environment variable <Code>BEATMARKET_API_KEY</Code>; never in a page
        or an app that others can open.
      </Text>
      <Group justify="space-between">
        <CopyButton value={value} label="Copy API key" isLarge />
        <Group gap="xs">
          <Button variant="default" renderRoot={(its) => <Link to="/explorer" {...its} />}>
            Try it in the explorer
          </Button>
          <Button variant="default" onClick={onDone}>
            Done
          </Button>
        </Group>
      </Group>
    </Stack>
  );
}
