import { Alert, Button, Group, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { ApiError } from "../api/client.ts";
import { DocsLink, placeOfPortalError } from "./docs-links.tsx";
import { Identifier } from "./identifier.tsx";

interface ErrorAlertProps {
  error: unknown;
  /** Adds a "Try again" button. */
  onRetry?: () => void;
}

/** An error, what to do about it, and the request id under which the server logged it. */
export function ErrorAlert({ error, onRetry }: ErrorAlertProps) {
  const apiError = error instanceof ApiError ? error : null;
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertTriangle />}
      title={apiError?.message ?? "Something went wrong in this page"}
      role="alert"
    >
      <Text size="sm">{apiError?.details ?? "Reload the page. If it happens again, report it."}</Text>
      {(apiError !== null || onRetry !== undefined) && (
        <Group gap="sm" mt="xs">
          {onRetry !== undefined && (
            <Button size="xs" variant="default" onClick={onRetry}>
              Try again
            </Button>
          )}
          {apiError !== null && <DocsLink place={placeOfPortalError(apiError.status)}>What this error means</DocsLink>}
          {apiError?.requestId && (
            <Text size="xs" c="dimmed" component="div">
              Request id <Identifier value={apiError.requestId} />
            </Text>
          )}
        </Group>
      )}
    </Alert>
  );
}
