import { Alert, Button, Center, Stack, Text } from "@mantine/core";
import { IconAlertTriangle, IconMapOff } from "@tabler/icons-react";
import { type ErrorComponentProps, Link, useRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { MissingChunk, reloadForRelease } from "../api/load-chunk.ts";
import { t } from "../api/locale.ts";
import { EmptyState } from "../display/empty-state.tsx";
import { ErrorAlert } from "../display/error-alert.tsx";
import { RowsSkeleton } from "../display/page.tsx";
import { useTitle } from "../display/use-title.ts";

/** Shown while a page's chunk loads. */
export function PagePending() {
  return (
    <Stack gap="lg">
      <RowsSkeleton rows={1} height={40} />
      <RowsSkeleton rows={6} />
    </Stack>
  );
}

/** Shown when a page throws, or its loader fails. */
export function PageFailure({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  if (error instanceof MissingChunk) return <PageOfOtherRelease />;
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return <ErrorAlert error={error} onRetry={retry} />;
}

const retryMs = 1_000;

/** Reloads a page whose chunk is missing. If the reload did not help, shows an error and keeps trying. */
function PageOfOtherRelease() {
  const [isStuck, setStuck] = useState(false);
  useEffect(() => {
    if (reloadForRelease()) return undefined;
    setStuck(true);
    const timer = setInterval(reloadForRelease, retryMs);
    return () => clearInterval(timer);
  }, []);
  if (!isStuck) return <PagePending />;
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle />} title={t("shell.pageLoadFailed")} role="alert">
      <Text size="sm">{t("shell.pageLoadFailedHint")}</Text>
    </Alert>
  );
}

/** Shown for an unknown path. */
export function PageMissing() {
  useTitle(t("shell.notFound"));
  return (
    <Center mih="80vh" p="md" component="main">
      <EmptyState
        icon={IconMapOff}
        title={t("shell.thereIsNoSuchPage")}
        level={1}
        action={<Button renderRoot={(props) => <Link to="/" {...props} />}>{t("shell.goHome")}</Button>}
      >
        {t("shell.notFoundHint")}
      </EmptyState>
    </Center>
  );
}
