import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { homeQuery } from "../../api/home.ts";
import { keysQuery } from "../../api/keys.ts";
import { loadChunk } from "../../api/load-chunk.ts";
import { useAccount } from "../../api/session.ts";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { Page, RowsSkeleton } from "../../display/page.tsx";
import { ErrorGroups } from "./error-groups.tsx";
import { FirstCall } from "./first-call.tsx";
import classes from "./home.module.css";
import { LimitGauges } from "./limit-gauges.tsx";
import { Traffic } from "./traffic.tsx";
import { useIsNewcomer } from "./use-is-newcomer.ts";
import { WebhookHealth } from "./webhook-health.tsx";

// Only newcomers see them.
const FirstSteps = lazy(async () => ({
  default: (await loadChunk(() => import("./first-steps/first-steps.tsx"))).FirstSteps,
}));

/** The last day of calls, what went wrong in it, webhooks and limits; before the first call that works, how to make it. */
export function HomePage() {
  const account = useAccount();
  const keys = useQuery(keysQuery);
  const home = useQuery(homeQuery);
  const isNewcomer = useIsNewcomer(home.data);
  const error = keys.error ?? home.error;
  const active = keys.data?.keys.filter(({ state }) => state === "active") ?? [];
  const isLoaded = keys.data !== undefined && home.data !== undefined;
  return (
    <Page title="Home" lead={account === null ? undefined : <span dir="auto">Welcome, {account.name}.</span>}>
      {!isLoaded && error === null && <RowsSkeleton rows={3} height={160} />}
      {error !== null && (
        <ErrorAlert error={error} onRetry={() => void Promise.all([keys.refetch(), home.refetch()])} />
      )}
      {isLoaded &&
        (isNewcomer ? (
          <Suspense fallback={<RowsSkeleton rows={3} height={72} />}>
            <FirstSteps keys={active} home={home.data} />
          </Suspense>
        ) : (
          <Stack gap={40}>
            <Traffic />
            <ErrorGroups home={home.data} />
            <div className={classes.columns}>
              <WebhookHealth />
              <LimitGauges keys={active} />
            </div>
            <FirstCall />
          </Stack>
        ))}
    </Page>
  );
}
