import { Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { api, unwrap } from "../../../api/client.ts";
import type { components } from "../../../api/paths.ts";
import { moneyText } from "../../../display/beats/money.ts";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { RowsSkeleton } from "../../../display/page.tsx";
import { RelativeTime } from "../../../display/relative-time.tsx";
import { Section } from "../../../display/section.tsx";
import { useAdminMutation } from "../use-admin-mutation.ts";

type Overview = components["schemas"]["PayoutOverview"];
type Run = components["schemas"]["PayoutRun"];

const methodNames = { sepa: "SEPA file", csv: "CSV file", stripe: "Stripe Connect" } as const;
const refreshMs = 5_000;

const isOpen = (overview: Overview | undefined) =>
  overview?.runs.some(({ finished_at }) => finished_at === null) === true;

const queryKey = ["admin", "payout-runs"];
const runsQuery = queryOptions({
  queryKey,
  queryFn: async ({ client }) => {
    const before = client.getQueryData<Overview>(queryKey);
    const overview = await unwrap(api.GET("/admin/payout-runs"));
    // The run has ended, so refetch the list of payouts.
    if (isOpen(before) && !isOpen(overview)) void client.invalidateQueries({ queryKey: ["admin", "payouts"] });
    return overview;
  },
  refetchInterval: ({ state }) => (isOpen(state.data) ? refreshMs : false),
});

/** Starts runs, and shows the newest runs and the held balances. */
export function PayoutRuns() {
  const { data, error, refetch } = useQuery(runsQuery);
  if (error !== null) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <RowsSkeleton rows={4} />;
  return (
    <Stack gap="lg">
      <Start methods={data.methods} />
      {data.runs.length > 0 && (
        <Section title="Runs">
          <Stack gap="xs">
            {data.runs.map((run) => (
              <RunLine key={run.id} run={run} />
            ))}
          </Stack>
        </Section>
      )}
      {data.held.length > 0 && (
        <Section title="Held" note="Money that is due and that no run pays.">
          <Stack gap={4}>
            {data.held.map(({ user_id, name, due, because }) => (
              <Text size="sm" key={user_id}>
                {moneyText(due, data.currency)}: <bdi>{name}</bdi> ({because})
              </Text>
            ))}
          </Stack>
        </Section>
      )}
    </Stack>
  );
}

function Start({ methods }: Pick<Overview, "methods">) {
  const start = useAdminMutation((method: Overview["methods"][number]) =>
    unwrap(api.POST("/admin/payout-runs", { body: { method } })),
  );
  return (
    <Stack gap="xs">
      {start.error !== null && <ErrorAlert error={start.error} />}
      <Group gap="xs">
        {methods.map((method) => (
          <Button key={method} size="xs" loading={start.isPending} onClick={() => start.mutate(method)}>
            Pay by {methodNames[method]}
          </Button>
        ))}
      </Group>
    </Stack>
  );
}

const stateOf = ({ finished_at, awaits_outcome }: Run): string => {
  if (finished_at === null) return "under way";
  return awaits_outcome ? "sent" : "done";
};

function RunLine({ run }: { run: Run }) {
  const { id, method, is_retry, created_at } = run;
  const confirm = useAdminMutation(() =>
    unwrap(api.POST("/admin/payout-runs/{run_id}/paid", { params: { path: { run_id: id } } })),
  );
  // Without a sent payout there is nothing to pay and no outcome to record.
  const isAtBank = method !== "stripe" && stateOf(run) === "sent";
  return (
    <Group gap="sm">
      {confirm.error !== null && <ErrorAlert error={confirm.error} />}
      <Text size="sm">
        Run {id}, {methodNames[method]}
        {is_retry && ", a retry"}, <RelativeTime at={created_at} />: {stateOf(run)}
      </Text>
      {isAtBank && (
        <>
          {!run.has_outcome && (
            <Anchor size="sm" href={`/portal/api/admin/payout-runs/${id}/file`} download>
              File for the bank
            </Anchor>
          )}
          <Button size="xs" variant="default" loading={confirm.isPending} onClick={() => confirm.mutate(undefined)}>
            All arrived
          </Button>
        </>
      )}
    </Group>
  );
}
