import { Button, Center, Stack } from "@mantine/core";
import { IconMapOff } from "@tabler/icons-react";
import { type ErrorComponentProps, Link } from "@tanstack/react-router";
import { EmptyState } from "../display/empty-state.tsx";
import { RowsSkeleton } from "../display/page.tsx";
import { ProblemAlert } from "../display/problem-alert.tsx";

/** While a page's own code comes. */
export function PagePending() {
  return (
    <Stack gap="lg">
      <RowsSkeleton rows={1} height={40} />
      <RowsSkeleton rows={6} />
    </Stack>
  );
}

/** When a page cannot be drawn. */
export function PageFailure({ error, reset }: ErrorComponentProps) {
  return <ProblemAlert error={error} onRetry={reset} />;
}

export function PageMissing() {
  return (
    <Center mih="80vh" p="md" component="main">
      <EmptyState
        icon={IconMapOff}
        title="There is no such page"
        action={<Button renderRoot={(its) => <Link to="/" {...its} />}>Go home</Button>}
      >
        The address may be mistyped, or the page has moved.
      </EmptyState>
    </Center>
  );
}
