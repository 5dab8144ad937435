import { Pagination, Stack, Text } from "@mantine/core";
import { IconMusicOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { EmptyState } from "../../display/empty-state.tsx";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { Page, RowsSkeleton } from "../../display/page.tsx";
import { BeatRow } from "./beat-row.tsx";
import { BuyDialog } from "./buy/buy-dialog.tsx";
import { MarketFilters } from "./market-filters.tsx";
import { beatsQuery } from "./market-queries.ts";
import type { MarketSearch } from "./market-search.ts";

const route = getRouteApi("/frame/signed-in/market");

/** Where beats are found, heard and bought. */
export function MarketPage() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const open = (to: MarketSearch) => {
    // Typing on is one step back.
    const replace = search.q !== undefined && to.q !== undefined && search.q !== to.q;
    void navigate({ to: "/market", search: to, replace });
  };
  const { data, error, isPending, refetch } = useQuery(beatsQuery(search));
  const { beat, ...listed } = search;
  return (
    <Page title="Market" lead="Find a beat, listen to it, and buy a license.">
      <MarketFilters search={search} onChange={open} />
      {isPending && <RowsSkeleton rows={6} height={84} />}
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {data !== undefined && data.beats.length === 0 && (
        <EmptyState icon={IconMusicOff} title="No beat found">
          Try fewer or other words, or another genre.
        </EmptyState>
      )}
      {data !== undefined && data.beats.length > 0 && (
        <Stack gap="sm">
          <Text size="sm" c="dimmed" role="status">
            {data.total === 1 ? "1 beat" : `${data.total.toLocaleString("en")} beats`}
          </Text>
          <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: "none" }}>
            {data.beats.map((each) => (
              <BeatRow key={each.id} beat={each} onBuy={() => open({ ...listed, beat: each.id })} />
            ))}
          </Stack>
          {data.last_page > 1 && (
            <Pagination
              total={data.last_page}
              value={data.page}
              onChange={(page) => open({ ...listed, page })}
              getControlProps={(control) => ({ "aria-label": `${control} page` })}
            />
          )}
        </Stack>
      )}
      {beat !== undefined && <BuyDialog key={beat} beatId={beat} onClose={() => open(listed)} />}
    </Page>
  );
}
