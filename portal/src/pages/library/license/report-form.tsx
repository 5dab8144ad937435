import { Anchor, Button, FileButton, Group, Stack, Text, TextInput } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { Select } from "../../../display/select.tsx";
import { GuardedForm } from "../../../display/unsaved-work.tsx";
import { type UsageReport, useReportUsage } from "./license-queries.ts";

const uses = [
  { value: "streams", label: "Streams" },
  { value: "copies", label: "Copies" },
  { value: "videos", label: "Music videos" },
];

/** One month of one source, or the file of a distributor. */
export function ReportForm({ orderId, firstMonth }: { orderId: number; firstMonth: string }) {
  const report = useReportUsage(orderId);
  const [use, setUse] = useState<UsageReport["use"]>("streams");
  const thisMonth = new Date().toISOString().slice(0, 7);
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const text = (name: string) => String(fields.get(name) ?? "").trim();
    report.mutate({ use, quantity: Number(text("quantity")), period: text("period"), source: text("source") });
  };
  return (
    <Stack gap="md">
      <GuardedForm onSubmit={send} error={report.error}>
        <Group gap="sm" align="flex-end">
          <Select
            label="What was used"
            data={uses}
            value={use}
            onChange={(value) => setUse((value ?? "streams") as UsageReport["use"])}
            w={150}
          />
          <TextInput name="quantity" label="How many" type="number" min={0} step={1} required w={130} />
          <TextInput
            name="period"
            label="In the month"
            type="month"
            required
            pattern="\d{4}-\d{2}"
            placeholder="2027-01"
            min={firstMonth}
            max={thisMonth}
            defaultValue={thisMonth}
            w={170}
          />
          <TextInput name="source" label="Who counted" placeholder="Distributor" maxLength={100} required w={180} />
          <Button type="submit" loading={report.isPending}>
            Report
          </Button>
        </Group>
      </GuardedForm>
      <Group gap="sm">
        <FileButton
          accept=".csv,text/csv"
          onChange={(file) => file !== null && report.mutate(file)}
          inputProps={{ "aria-label": "Choose a CSV file of a distributor" }}
        >
          {(props) => (
            <Button {...props} variant="default" loading={report.isPending}>
              Upload a CSV file
            </Button>
          )}
        </FileButton>
        <Text size="sm" c="dimmed">
          With the columns <code>use</code>, <code>quantity</code>, <code>period</code> and <code>source</code>.{" "}
          <Anchor
            size="sm"
            renderRoot={(props) => (
              <Link to="/docs/$page" params={{ page: "clauses" }} hash="a-file-of-a-distributor" {...props} />
            )}
          >
            About the file
          </Anchor>
        </Text>
      </Group>
      <Text size="sm" role="status">
        {report.isSuccess && "The report is stored."}
      </Text>
      {report.error !== null && <ErrorAlert error={report.error} />}
      <Text size="xs" c="dimmed">
        The same month and source again replaces the number. At 80 and 100 percent of a limit you get a mail.
      </Text>
    </Stack>
  );
}
