import { Button, Center, Stack } from "@mantine/core";
import { IconMapOff } from "@tabler/icons-react";
import { type ErrorComponentProps, Link } from "@tanstack/react-router";
import { EmptyState } from "../display/empty-state.tsx";
import { ErrorAlert } from "../display/error-alert.tsx";
import { RowsSkeleton } from "../display/page.tsx";

/** Shown while a page's chunk loads. */
export function PagePending() {
  return (
    <Stack gap="lg">
      <RowsSkeleton rows={1} height={40} />
      <RowsSkeleton rows={6} />
    </Stack>
  );
}

/** Shown when a page throws or its chunk cannot be loaded. */
export function PageFailure({ error, reset }: ErrorComponentProps) {
  return <ErrorAlert error={error} onRetry={reset} />;
}

/** Shown for an unknown path. */
export function PageMissing() {
  return (
    <Center mih="80vh" p="md" component="main">
      <EmptyState
        icon={IconMapOff}
        title="There is no such page"
        action={<Button renderRoot={(props) => <Link to="/" {...props} />}>Go home</Button>}
      >
        The address may be mistyped, or the page has moved.
      </EmptyState>
    </Center>
  );
}
