import { Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconReceipt } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { type Home, homeQuery } from "../../api/home.ts";
import { type ApiKey, keysQuery } from "../../api/keys.ts";
import { loadChunk } from "../../api/load-chunk.ts";
import { useAccount, useRefusal } from "../../api/session.ts";
import { ApiChanges } from "../../display/api-changes.tsx";
import { EmptyState } from "../../display/empty-state.tsx";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { Page, RowsSkeleton } from "../../display/page.tsx";
import { ErrorGroups } from "./error-groups.tsx";
import { FirstCall } from "./first-call.tsx";
import classes from "./home.module.css";
import { LimitGauges } from "./limit-gauges.tsx";
import { ShopPart } from "./shop-part.tsx";
import { Traffic } from "./traffic.tsx";
import { useIsNewcomer } from "./use-is-newcomer.ts";
import { WebhookHealth } from "./webhook-health.tsx";

// Loaded separately, because only newcomers see the first steps.
const FirstSteps = lazy(async () => ({
  default: (await loadChunk(() => import("./first-steps/first-steps.tsx"))).FirstSteps,
}));

/**
 * Shows the last day's calls and failures, webhooks and limits, or the first steps before the first successful call.
 */
export function HomePage() {
  const account = useAccount();
  const refusal = useRefusal("keys:read");
  const keys = useQuery({ ...keysQuery, enabled: refusal === undefined });
  const home = useQuery({ ...homeQuery, enabled: refusal === undefined });
  const isNewcomer = useIsNewcomer(home.data);
  const error = keys.error ?? home.error;
  const active = keys.data?.keys.filter(({ state }) => state === "active") ?? [];
  const isLoaded = keys.data !== undefined && home.data !== undefined;
  return (
    <Page title="Home" lead={account === null ? undefined : <span dir="auto">Welcome, {account.name}.</span>}>
      {refusal !== undefined && <OtherRolePages refusal={refusal} />}
      {!isLoaded && refusal === undefined && error === null && <RowsSkeleton rows={3} height={160} />}
      {error !== null && (
        <ErrorAlert error={error} onRetry={() => void Promise.all([keys.refetch(), home.refetch()])} />
      )}
      {isLoaded &&
        (isNewcomer ? (
          <Suspense fallback={<RowsSkeleton rows={3} height={72} />}>
            <NewcomersHome keys={active} home={home.data} />
          </Suspense>
        ) : (
          <Stack gap={40}>
            {Object.values(home.data.shop).some(Boolean) && <ShopPart shop={home.data.shop} />}
            <ApiChanges />
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

/** The home of accounts without a successful call. Buyers and sellers see their pages first, others the first steps. */
function NewcomersHome({ keys, home }: { keys: readonly ApiKey[]; home: Home }) {
  const [isAsked, { open }] = useDisclosure();
  const steps = <FirstSteps keys={keys} home={home} />;
  const shop = <ShopPart shop={home.shop} />;
  const isInShop = Object.values(home.shop).some(Boolean);
  if (!isInShop)
    return (
      <Stack gap={40}>
        {steps}
        {shop}
      </Stack>
    );
  return (
    <Stack gap={40}>
      {shop}
      {isAsked || keys.length > 0 ? (
        steps
      ) : (
        <Text size="sm" c="dimmed">
          You write programs?{" "}
          <Anchor component="button" type="button" inherit onClick={open}>
            First steps with the API
          </Anchor>
        </Text>
      )}
    </Stack>
  );
}

/** Links for members whose role does not include calls. */
const OtherRolePages = ({ refusal }: { refusal: string }) => (
  <EmptyState
    icon={IconReceipt}
    title="Orders and sales are yours"
    action={
      <Group justify="center" gap="xs">
        <Button renderRoot={(props) => <Link to="/library" {...props} />}>Library</Button>
        <Button variant="default" renderRoot={(props) => <Link to="/sales" {...props} />}>
          Sales
        </Button>
      </Group>
    }
  >
    {refusal}
  </EmptyState>
);
