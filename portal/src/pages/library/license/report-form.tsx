import { Anchor, Button, FileButton, Group, Stack, Text, TextInput } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { t } from "../../../api/locale.ts";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { Select } from "../../../display/select.tsx";
import { GuardedForm } from "../../../display/unsaved-work.tsx";
import { words } from "../../../display/words.tsx";
import { type UsageReport, useReportUsage } from "./license-queries.ts";

const uses = () => [
  { value: "streams", label: t("library.streams") },
  { value: "copies", label: t("library.copies") },
  { value: "videos", label: t("library.musicVideos") },
];

/** The form that reports one month of one source, or uploads a distributor's file. */
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
            label={t("library.whatWasUsed")}
            data={uses()}
            value={use}
            onChange={(value) => setUse((value ?? "streams") as UsageReport["use"])}
            w={150}
          />
          <TextInput name="quantity" label={t("library.howMany")} type="number" min={0} step={1} required w={130} />
          <TextInput
            name="period"
            label={t("library.inTheMonth")}
            type="month"
            required
            pattern="\d{4}-\d{2}"
            placeholder="2027-01"
            min={firstMonth}
            max={thisMonth}
            defaultValue={thisMonth}
            w={170}
          />
          <TextInput
            name="source"
            label={t("library.whoCounted")}
            placeholder={t("library.distributor")}
            maxLength={100}
            required
            w={180}
          />
          <Button type="submit" loading={report.isPending}>
            {t("library.report")}
          </Button>
        </Group>
      </GuardedForm>
      <Group gap="sm">
        <FileButton
          accept=".csv,text/csv"
          onChange={(file) => file !== null && report.mutate(file)}
          inputProps={{ "aria-label": t("library.csvFileInput") }}
        >
          {(props) => (
            <Button {...props} variant="default" loading={report.isPending}>
              {t("library.uploadACSVFile")}
            </Button>
          )}
        </FileButton>
        <Text size="sm" c="dimmed">
          {words("library.csvColumnsHint", {
            code: (text) => <code>{text}</code>,
            link: (text) => (
              <Anchor
                size="sm"
                renderRoot={(props) => (
                  <Link to="/docs/$page" params={{ page: "clauses" }} hash="a-file-of-a-distributor" {...props} />
                )}
              >
                {text}
              </Anchor>
            ),
          })}
        </Text>
      </Group>
      <Text size="sm" role="status">
        {report.isSuccess && t("library.theReportIsStored")}
      </Text>
      {report.error !== null && <ErrorAlert error={report.error} />}
      <Text size="xs" c="dimmed">
        {t("library.repeatedReportNote")}
      </Text>
    </Stack>
  );
}
