import { NativeSelect, Stack, Title } from "@mantine/core";
import type { ReactNode } from "react";
import type { FacetCount, Facets } from "../../../api/catalogue.ts";
import { t } from "../../../api/locale.ts";
import type { CatalogueSearch } from "../catalogue-search.ts";
import { priceText, tempoText } from "./facet-text.ts";
import { RangeFilter } from "./range-filter.tsx";
import { ValueFilter } from "./value-filter.tsx";

/** A part of the search; undefined removes a filter. */
export type Change = { [Name in keyof CatalogueSearch]?: CatalogueSearch[Name] | undefined };

interface FiltersProps {
  search: CatalogueSearch;
  facets: Facets;
  currency: string;
  onChange: (change: Change) => void;
}

const notes = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"];
const keys = ["minor", "major"].flatMap((mode) => notes.map((note) => `${note} ${mode}`));

/** All filters of the catalogue, with the number of beats for each choice. */
export function Filters({ search, facets, currency, onChange }: FiltersProps) {
  return (
    <Stack gap="lg">
      {hasValues(facets.genre, search.genre) && (
        <Part title={t("market.genre")}>
          <ValueFilter
            title={t("market.genre")}
            counts={facets.genre ?? []}
            selected={search.genre}
            onChange={(genre) => onChange({ genre })}
          />
        </Part>
      )}
      <Part title={t("market.tempo")}>
        <RangeFilter
          name={t("market.tempo")}
          counts={facets.bpm ?? []}
          low={search.bpm_min}
          high={search.bpm_max}
          decimals={0}
          limit={999}
          words={(low, high) => tempoText(low, high) ?? ""}
          onChange={(bpm_min, bpm_max) => onChange({ bpm_min, bpm_max })}
        />
      </Part>
      <Part title={t("market.key")}>
        <ValueFilter
          title={t("market.key")}
          counts={facets.key ?? []}
          selected={search.key}
          onChange={(key) => onChange({ key })}
        />
        <NativeSelect
          size="xs"
          mt="xs"
          px="xs"
          label={t("market.mixesWithLabel")}
          data={[{ value: "", label: t("market.anyKey") }, ...keys]}
          value={search.key_compatible ?? ""}
          onChange={({ currentTarget }) => onChange({ key_compatible: currentTarget.value || undefined })}
        />
      </Part>
      <Part title={t("market.price")}>
        <RangeFilter
          name={t("market.price")}
          counts={facets.price ?? []}
          low={search.price_min}
          high={search.price_max}
          decimals={2}
          limit={999_999}
          words={(low, high) => priceText(low, high, currency) ?? ""}
          onChange={(price_min, price_max) => onChange({ price_min, price_max })}
        />
      </Part>
      {hasValues(facets.tag, search.tag) && (
        <Part title={t("market.moodAndTags")}>
          <ValueFilter
            title={t("market.tags")}
            counts={facets.tag ?? []}
            selected={search.tag}
            onChange={(tag) => onChange({ tag })}
          />
        </Part>
      )}
    </Stack>
  );
}

/** Whether a filter has values: a search without results offers only the chosen values. */
const hasValues = (counts: readonly FacetCount[] = [], selected: string | undefined): boolean =>
  counts.length > 0 || selected !== undefined;

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title}>
    <Title order={2} size="h5" mb={4} px="xs">
      {title}
    </Title>
    {children}
  </section>
);
