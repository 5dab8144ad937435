import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { locale, t } from "../../../api/locale.ts";
import { BarChart } from "../../../display/charts/bar-chart.tsx";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { PlayerCode } from "../../../display/player-code.tsx";
import { PublicPageLink } from "../../../display/public-page-link.tsx";
import { Section } from "../../../display/section.tsx";
import { type OwnBeat, reachQuery } from "../studio-queries.ts";

/** A published beat's public page, embed code, and recent plays and sales. */
export function OnSale({ beat }: { beat: OwnBeat["beat"] }) {
  const { data, error, refetch } = useQuery(reachQuery(beat.id));
  const days = data?.days ?? [];
  const sum = (name: "plays" | "sales") => locale.number(days.reduce((total, day) => total + day[name], 0));
  const path = `/beats/${beat.id}`;
  return (
    <Section
      title={t("studio.onTheMarket")}
      note={data && t("studio.playsAndSalesTotals", { plays: sum("plays"), sales: sum("sales") })}
    >
      <Stack gap="sm">
        <PublicPageLink path={path} />
        {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
        {days.length > 0 && (
          <BarChart
            label={t("studio.playsAndSalesChart")}
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
        <PlayerCode path={path} title={beat.title} />
      </Stack>
    </Section>
  );
}
