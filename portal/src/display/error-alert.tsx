import { Alert, Button, Group, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { ApiError } from "../api/client.ts";
import { t } from "../api/locale.ts";
import { DocsLink, placeOfPortalError } from "./docs-links.tsx";
import { Identifier } from "./identifier.tsx";
import { words } from "./words.tsx";

interface ErrorAlertProps {
  error: unknown;
  /** Adds a "Try again" button. */
  onRetry?: () => void;
}

/** An error, what to do about it, and the request id under which the server logged it. */
export function ErrorAlert({ error, onRetry }: ErrorAlertProps) {
  const apiError = error instanceof ApiError ? error : null;
  // The API's messages are always in English.
  const lang = apiError?.requestId ? "en" : undefined;
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertTriangle />}
      title={apiError === null ? t("ui.pageFailedTitle") : <span lang={lang}>{apiError.message}</span>}
      role="alert"
    >
      <Text size="sm" lang={lang}>
        {apiError?.details ?? t("ui.pageFailedHint")}
      </Text>
      {(apiError !== null || onRetry !== undefined) && (
        <Group gap="sm" mt="xs">
          {onRetry !== undefined && (
            <Button size="xs" variant="default" onClick={onRetry}>
              {t("ui.tryAgain")}
            </Button>
          )}
          {apiError !== null && (
            <DocsLink place={placeOfPortalError(apiError.status)}>{t("ui.whatThisErrorMeans")}</DocsLink>
          )}
          {apiError?.requestId && (
            <Text size="xs" c="dimmed" component="div">
              {words("ui.requestId", { requestId: <Identifier value={apiError.requestId} /> })}
            </Text>
          )}
        </Group>
      )}
    </Alert>
  );
}
