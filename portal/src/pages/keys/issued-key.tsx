import { Alert, Button, Code, Group, Stack, Text } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { keyVariable } from "../../../../contract/snippets/key-variable.ts";
import { CopyButton } from "../../display/copy-button.tsx";

interface IssuedKeyProps {
  value: string;
  onDone: () => void;
}

/** A new key in full. The server stores only its hash, so this is the only time. */
export function IssuedKey({ value, onDone }: IssuedKeyProps) {
  return (
    <Stack>
      <Alert icon={<IconInfoCircle />} variant="light" role="status">
        Copy the key now. Only its hash is stored, so it cannot be shown again.
      </Alert>
      <Code block data-testid="issued-key" style={{ overflowWrap: "anywhere", whiteSpace: "pre-wrap" }}>
        {value}
      </Code>
      <Text size="sm" c="dimmed">
        Keep it on your server, for example in the environment variable <Code>{keyVariable}</Code>. Never put it in a
        web page or an app.
      </Text>
      <Group justify="space-between">
        <CopyButton value={value} label="Copy API key" isLarge takesFocus />
        <Group gap="xs">
          <Button variant="default" renderRoot={(props) => <Link to="/explorer" {...props} />}>
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
