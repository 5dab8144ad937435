import { Button, Drawer, Group, NativeSelect, SegmentedControl, Stack, Text, VisuallyHidden } from "@mantine/core";
import { useDisclosure, useMediaQuery } from "@mantine/hooks";
import { IconAdjustmentsHorizontal, IconLayoutGrid, IconList, IconMusicOff } from "@tabler/icons-react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { beatsQuery } from "../../api/catalogue.ts";
import { t } from "../../api/locale.ts";
import { optionsQuery } from "../../api/market.ts";
import { ApiCall } from "../../display/calls/api-call.tsx";
import { EmptyState } from "../../display/empty-state.tsx";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { Page, RowsSkeleton } from "../../display/page.tsx";
import { SkipLink } from "../../display/skip-link.tsx";
import classes from "./catalogue.module.css";
import {
  type CatalogueSearch,
  catalogueCall,
  catalogueQuery,
  lastPage,
  pageSize,
  withoutFilters,
} from "./catalogue-search.ts";
import { ActiveFilters } from "./filters/active-filters.tsx";
import { type Change, Filters } from "./filters/filters.tsx";
import { BeatCovers } from "./results/beat-covers.tsx";
import { BeatTable } from "./results/beat-table.tsx";
import { Understood } from "./results/understood.tsx";
import { useResultKeys } from "./results/use-result-keys.ts";
import { SearchBox } from "./search-box.tsx";

const route = getRouteApi("/frame/market");

const sortLabels = {
  newest: "market.newestFirst",
  popular: "market.mostPlayedFirst",
  price_asc: "market.cheapestFirst",
  price_desc: "market.dearestFirst",
  bpm_asc: "market.slowestFirst",
  bpm_desc: "market.fastestFirst",
} as const satisfies Record<NonNullable<CatalogueSearch["sort"]>, string>;

/** The catalogue: search, filters and playing, with or without an account. The address contains the whole state. */
export function CataloguePage() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const [areFiltersOpen, filters] = useDisclosure();
  const isWide = useMediaQuery("(min-width: 62em)", true, { getInitialValueInEffect: false });
  const currency = useQuery(optionsQuery).data?.currency ?? "USD";
  const results = useInfiniteQuery(beatsQuery((page) => catalogueQuery(search, page), lastPage));
  const pages = results.data?.pages ?? [];
  const [first] = pages;
  // Remove duplicates: a beat may move to the next page between two requests.
  const beats = [...new Map(pages.flatMap((page) => page.beats).map((beat) => [beat.id, beat])).values()];
  const facets = first?.facets ?? {};
  const total = first?.total ?? 0;
  useResultKeys(beats);

  const open = (to: CatalogueSearch, replace = false) =>
    void navigate({ to: "/market", search: to, replace, resetScroll: false });
  const change = (fields: Change, replace = false) => open({ ...search, ...fields } as CatalogueSearch, replace);
  // Further typing replaces the history entry, so that Back undoes the whole search.
  const type = (q: string | undefined) => change({ q, read: undefined }, search.q !== undefined && q !== undefined);
  const choices = <Filters search={search} facets={facets} currency={currency} onChange={(value) => change(value)} />;
  const Beats = search.view === "list" ? BeatTable : BeatCovers;

  return (
    <Page
      title={t("nav.catalogue")}
      documentTitle={search.q === undefined ? t("nav.catalogue") : t("market.searchDocumentTitle", { q: search.q })}
      lead={t("market.catalogueLead")}
      actions={<ApiCall call={catalogueCall(search)} />}
    >
      <SkipLink to="beats">{t("market.skipToTheBeats")}</SkipLink>
      <div className={classes.columns}>
        {isWide && (
          <aside className={classes.filters} aria-label={t("market.filters")}>
            {choices}
          </aside>
        )}
        <Stack gap="md">
          <Group gap="xs">
            <SearchBox q={search.q} onChange={type} />
            {!isWide && (
              <Button variant="default" leftSection={<IconAdjustmentsHorizontal size={16} />} onClick={filters.open}>
                {t("market.filters")}
              </Button>
            )}
            <NativeSelect
              aria-label={t("market.sortOrder")}
              value={search.sort ?? ""}
              data={[
                { value: "", label: search.q === undefined ? t("market.mostPlayedFirst") : t("market.bestMatchFirst") },
                ...Object.entries(sortLabels)
                  .filter(([value]) => search.q !== undefined || value !== "popular")
                  .map(([value, label]) => ({ value, label: t(label) })),
              ]}
              onChange={({ currentTarget }) =>
                change({ sort: (currentTarget.value || undefined) as CatalogueSearch["sort"] })
              }
            />
            <SegmentedControl
              aria-label={t("market.howBeatsAreShown")}
              value={search.view ?? "covers"}
              data={[
                { value: "covers", label: <ViewIcon icon={IconLayoutGrid} name={t("market.covers")} /> },
                { value: "list", label: <ViewIcon icon={IconList} name={t("market.list")} /> },
              ]}
              onChange={(view) => change({ view: view === "list" ? "list" : undefined })}
            />
          </Group>
          <ActiveFilters
            search={search}
            facets={facets}
            currency={currency}
            onChange={(value) => change(value)}
            onClear={(to) => open(to)}
          />
          {first?.interpreted !== undefined && (
            <Understood interpreted={first.interpreted} currency={currency} onWords={() => change({ read: "words" })} />
          )}
          {results.error !== null && beats.length === 0 && (
            <ErrorAlert error={results.error} onRetry={() => void results.refetch()} />
          )}
          {results.isPending && <RowsSkeleton rows={6} height={84} />}
          {first !== undefined && (
            <Text size="sm" c="dimmed" role="status">
              {t("market.beats", { count: total })}
            </Text>
          )}
          {first !== undefined && total === 0 && (
            <EmptyState
              icon={IconMusicOff}
              title={t("market.noBeatFound")}
              action={
                <Button variant="default" onClick={() => open(withoutFilters({ ...search, q: undefined } as object))}>
                  {t("market.showAllBeats")}
                </Button>
              }
            >
              {t("market.noBeatFoundHint")}
            </EmptyState>
          )}
          {beats.length > 0 && (
            <section
              id="beats"
              tabIndex={-1}
              className={classes.results}
              aria-label={t("nav.beats")}
              aria-busy={results.isPlaceholderData}
              data-old={results.isPlaceholderData || undefined}
            >
              <Beats beats={beats} currency={currency} />
            </section>
          )}
          {results.isFetchNextPageError && (
            <ErrorAlert error={results.error} onRetry={() => void results.fetchNextPage()} />
          )}
          {results.hasNextPage && (
            <Button
              variant="default"
              mx="auto"
              loading={results.isFetchingNextPage}
              onClick={() => void results.fetchNextPage()}
            >
              {t("market.showMore", { pageSize: Math.min(pageSize, total - beats.length) })}
            </Button>
          )}
          {pages.length === lastPage && total > beats.length && (
            <Text size="sm" c="dimmed" ta="center">
              {t("market.firstBeatsOnlyNote", { shown: beats.length })}
            </Text>
          )}
        </Stack>
      </div>
      <Drawer
        opened={areFiltersOpen && !isWide}
        onClose={filters.close}
        title={t("market.filters")}
        closeButtonProps={{ "aria-label": t("market.closeTheFilters") }}
      >
        <Stack>
          {choices}
          <Button onClick={filters.close}>{t("market.showBeats", { count: total })}</Button>
        </Stack>
      </Drawer>
    </Page>
  );
}

const ViewIcon = ({ icon: Icon, name }: { icon: typeof IconList; name: string }) => (
  <>
    <Icon size={16} style={{ display: "block" }} aria-hidden />
    <VisuallyHidden>{name}</VisuallyHidden>
  </>
);
