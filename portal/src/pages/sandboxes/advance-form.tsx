import { Alert, Button, Group, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { ClockTime } from "./clock-time.tsx";
import { type Advance, type Advanced, advance, type Sandbox, useSandboxMutation } from "./sandboxes.ts";

const steps = [1, 7, 30] as const;

/** The fields of an advance, with their bounds. */
const fields = [
  { name: "days", label: "Days", min: 1, max: 3_650 },
  { name: "ordersPerDay", label: "Orders a day", min: 0, max: 1_000 },
  { name: "outageDays", label: "Receivers down, days", min: 0, max: 3_650 },
  { name: "bouncePercent", label: "Refunds that bounce, %", min: 0, max: 100 },
  { name: "disputePercent", label: "Orders disputed, %", min: 0, max: 100 },
  { name: "payoutFailPercent", label: "Payouts that fail, %", min: 0, max: 100 },
] as const;

/** The form that advances a sandbox's clock by days, with buyers and faults. Shows the results. */
export function AdvanceForm({ sandbox }: { sandbox: Sandbox }) {
  const [request, setRequest] = useState<Advance>({
    days: 90,
    ordersPerDay: 0,
    outageDays: 0,
    bouncePercent: 0,
    disputePercent: 0,
    payoutFailPercent: 0,
  });
  const run = useSandboxMutation((days: number) => advance(sandbox, { ...request, days }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run.mutate(request.days);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <SimpleGrid cols={{ base: 2, sm: 3 }} spacing="xs">
          {fields.map(({ name, ...field }) => (
            <TextInput
              key={name}
              {...field}
              type="number"
              step={1}
              required
              size="xs"
              value={request[name]}
              onChange={({ currentTarget }) => setRequest({ ...request, [name]: Number(currentTarget.value) })}
            />
          ))}
        </SimpleGrid>
        <Group gap="xs">
          <Button type="submit" size="xs" loading={run.isPending} disabled={request.days < 1}>
            Advance
          </Button>
          {steps.map((days) => (
            <Button key={days} size="xs" variant="default" disabled={run.isPending} onClick={() => run.mutate(days)}>
              {days === 1 ? "1 day" : `${days} days`}
            </Button>
          ))}
        </Group>
        {run.error !== null && <ErrorAlert error={run.error} />}
        {run.isSuccess && <Result {...run.data} />}
      </Stack>
    </form>
  );
}

const Result = ({ from, to, ...counts }: Advanced) => (
  <Alert color="teal" variant="light" icon={<IconCheck />} role="status" py="xs">
    <Text size="sm">
      From <ClockTime at={from} /> to <ClockTime at={to} />: {countText(counts.orders, "order")},{" "}
      {countText(counts.refunds, "refund")}, {countText(counts.disputes, "dispute")},{" "}
      {countText(counts.payouts, "payout")}.
    </Text>
  </Alert>
);

const countText = (count: number, noun: string): string =>
  `${count.toLocaleString("en")} ${count === 1 ? noun : `${noun}s`}`;
