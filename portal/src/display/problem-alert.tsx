import { Alert, Button, Group, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { Problem } from "../api/client.ts";
import { Identifier } from "./identifier.tsx";

interface ProblemAlertProps {
  error: unknown;
  /** Shows a button that tries again. */
  onRetry?: () => void;
}

/** An error in words, with the request id that finds it in the server's log. */
export function ProblemAlert({ error, onRetry }: ProblemAlertProps) {
  const problem = error instanceof Problem ? error : null;
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertTriangle />}
      title={problem?.message ?? "Something went wrong in this page"}
      role="alert"
    >
      <Text size="sm">{problem?.details ?? "Reload the page. If it happens again, report it."}</Text>
      {(problem?.requestId || onRetry !== undefined) && (
        <Group gap="sm" mt="xs">
          {onRetry !== undefined && (
            <Button size="xs" variant="default" onClick={onRetry}>
              Try again
            </Button>
          )}
          {problem?.requestId && (
            <Text size="xs" c="dimmed" component="div">
              Request id <Identifier value={problem.requestId} />
            </Text>
          )}
        </Group>
      )}
    </Alert>
  );
}
