import { Group, Stack, Text, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { locale, t } from "../../../api/locale.ts";
import { BarChart } from "../../../display/charts/bar-chart.tsx";
import { CopyButton } from "../../../display/copy-button.tsx";
import { DocumentLink } from "../../../display/document-link.tsx";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { Section } from "../../../display/section.tsx";
import { type OwnBeat, reachQuery } from "../studio-queries.ts";

/** A published beat's public page, embed code and recent plays. */
export function OnSale({ beat }: { beat: OwnBeat["beat"] }) {
  const { data, error, refetch } = useQuery(reachQuery(beat.id));
  const days = data?.days ?? [];
  const sum = (name: "plays" | "sales") => locale.number(days.reduce((total, day) => total + day[name], 0));
  const page = `${location.origin}/beats/${beat.id}`;
  const title = beat.title.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  const frame = `<iframe src="${location.origin}/embed/beats/${beat.id}?size=medium" width="480" height="280" title="${title}" loading="lazy" style="border:0"></iframe>`;
  return (
    <Section
      title={t("studio.onTheMarket")}
      note={data && t("studio.playsAndSalesIn30", { plays: sum("plays"), sales: sum("sales") })}
    >
      <Stack gap="sm">
        <Group gap="xs">
          <Text size="sm">
            <DocumentLink href={`/beats/${beat.id}`}>{t("studio.openThePublicPage")}</DocumentLink>
          </Text>
          <CopyButton value={page} label={t("studio.copyTheLinkOfThe")} />
        </Group>
        {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
        {days.length > 0 && (
          <BarChart
            label={t("studio.playsAndSalesByThe")}
            heightPx={96}
            series={[
              { label: t("studio.plays"), tone: "quiet" },
              { label: t("nav.sales"), tone: "faint" },
            ]}
            bars={days.map(({ day, plays, sales }) => ({
              short: day.slice(5),
              name: locale.day(new Date(day)),
              values: [plays, sales],
            }))}
          />
        )}
        <Group gap="xs" align="flex-end" wrap="nowrap">
          <Textarea
            label={t("studio.playerForYourOwnSite")}
            value={frame}
            readOnly
            autosize
            maxRows={4}
            style={{ flex: 1 }}
          />
          <CopyButton value={frame} label={t("studio.copyTheCodeOfThe")} />
        </Group>
      </Stack>
    </Section>
  );
}
