import { SimpleGrid, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { keysQuery } from "../../api/keys.ts";
import { useAccount } from "../../api/session.ts";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { Page, RowsSkeleton } from "../../display/page.tsx";
import { FirstCall } from "./first-call.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { LimitGauges } from "./limit-gauges.tsx";
import { RecentErrors } from "./recent-errors.tsx";

/** A first call, the limits of each key, and the latest errors. */
export function HomePage() {
  const account = useAccount();
  const { data, error, isPending, refetch } = useQuery(keysQuery);
  const keys = data?.keys.filter(({ state }) => state === "active") ?? [];
  return (
    <Page title="Home" lead={account === null ? undefined : <span dir="auto">Welcome, {account.name}.</span>}>
      {isPending && <RowsSkeleton rows={2} height={220} />}
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {data !== undefined && (
        <Stack gap="md">
          <FirstSteps keys={data.keys} />
          <FirstCall />
          <SimpleGrid cols={{ base: 1, md: keys.length > 0 ? 2 : 1 }} spacing="md">
            {keys.length > 0 && <LimitGauges keys={keys} />}
            <RecentErrors />
          </SimpleGrid>
        </Stack>
      )}
    </Page>
  );
}
