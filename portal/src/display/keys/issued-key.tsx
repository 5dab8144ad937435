import { Alert, Button, Code, Group, Stack, Text } from "@mantine/core";
import { IconCheck, IconCopy, IconInfoCircle } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { keyVariable } from "../../../../contract/snippets/key-variable.ts";
import { ErrorAlert } from "../error-alert.tsx";

interface IssuedKeyProps {
  /** The proposed key. */
  value: string;
  /** Creates the key. A repeated call changes nothing. */
  create: { mutate: (input: undefined) => void; isPending: boolean; isSuccess: boolean; error: Error | null };
  onDone: () => void;
}

/**
 * A proposed key in full. It is created only when it is copied, so closing the dialog earlier leaves no unused key. The
 * server stores a hash instead of the key, so the key is shown only once.
 */
export function IssuedKey({ value, create, onDone }: IssuedKeyProps) {
  const [cannotCopy, setCannotCopy] = useState(false);
  const copy = () =>
    navigator.clipboard.writeText(value).then(
      () => create.mutate(undefined),
      () => setCannotCopy(true),
    );
  return (
    <Stack>
      <Alert
        icon={create.isSuccess ? <IconCheck /> : <IconInfoCircle />}
        variant="light"
        {...(create.isSuccess && { color: "teal" })}
        role="status"
      >
        {create.isSuccess
          ? "Copied. The key works now. It cannot be shown again."
          : "Copy the key: it is created once you have it. A hash is stored instead of the key, so it cannot be shown again."}
      </Alert>
      {create.error !== null && <ErrorAlert error={create.error} />}
      <Code
        block
        data-testid="issued-key"
        style={{ overflowWrap: "anywhere", whiteSpace: "pre-wrap" }}
        onCopy={() => create.mutate(undefined)}
      >
        {value}
      </Code>
      {cannotCopy && (
        <Text size="sm" role="alert">
          The browser does not let this page copy. Select the key and copy it yourself.
        </Text>
      )}
      <Text size="sm" c="dimmed">
        Keep it on your server, for example in the environment variable <Code>{keyVariable}</Code>. Never put it in a
        web page or an app.
      </Text>
      <Group justify="flex-end" gap="xs">
        {!create.isSuccess && (
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
        )}
        <Button
          variant={create.isSuccess ? "default" : "filled"}
          leftSection={create.isSuccess ? <IconCheck size={16} /> : <IconCopy size={16} />}
          loading={create.isPending}
          onClick={() => void copy()}
          aria-live="polite"
          autoFocus
        >
          {create.isSuccess ? "Copied" : "Copy API key"}
        </Button>
        {create.isSuccess && (
          <>
            <Button variant="default" renderRoot={(props) => <Link to="/explorer" {...props} />}>
              Try it in the explorer
            </Button>
            <Button onClick={onDone}>Done</Button>
          </>
        )}
      </Group>
    </Stack>
  );
}
