import { Anchor, Button, Group } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import type { Facets } from "../../../api/catalogue.ts";
import { t } from "../../../api/locale.ts";
import { type CatalogueSearch, toggled, valuesOf, withoutFilters } from "../catalogue-search.ts";
import { facetValues, priceText, tempoText } from "./facet-text.ts";
import type { Change } from "./filters.tsx";

interface Active {
  label: string;
  /** The change that removes the filter. */
  without: Change;
}

interface ActiveFiltersProps {
  search: CatalogueSearch;
  facets: Facets;
  currency: string;
  onChange: (change: Change) => void;
  onClear: (search: CatalogueSearch) => void;
}

/** The active filters; each can be removed separately. Renders nothing without any. */
export function ActiveFilters({ search, facets, currency, onChange, onClear }: ActiveFiltersProps) {
  const active = activeOf(search, facets, currency);
  if (active.length === 0) return null;
  return (
    <Group gap="xs" component="ul" p={0} m={0} aria-label={t("market.filtersThatAreSet")} style={{ listStyle: "none" }}>
      {active.map(({ label, without }) => (
        <li key={label}>
          <Button
            size="compact-sm"
            variant="light"
            radius="xl"
            rightSection={<IconX size={12} />}
            aria-label={t("market.removeFilter", { label })}
            onClick={() => onChange(without)}
          >
            <bdi>{label}</bdi>
          </Button>
        </li>
      ))}
      <li>
        <Anchor component="button" type="button" size="sm" onClick={() => onClear(withoutFilters(search))}>
          {t("market.clearAll")}
        </Anchor>
      </li>
    </Group>
  );
}

function activeOf(search: CatalogueSearch, facets: Facets, currency: string): Active[] {
  const { genre, bpm_min, bpm_max, key, key_compatible, price_min, price_max, tag } = search;
  const tempo = tempoText(bpm_min, bpm_max);
  const price = priceText(price_min, price_max, currency);
  const genreName = (id: string) => facetValues(facets.genre ?? [], []).find(({ value }) => value === id)?.label;
  return [
    ...valuesOf(genre).map((id) => ({
      label: genreName(id) ?? t("market.genreWithId", { id: String(id) }),
      without: { genre: toggled(genre, id) },
    })),
    ...(tempo === null ? [] : [{ label: tempo, without: { bpm_min: undefined, bpm_max: undefined } }]),
    ...valuesOf(key).map((each) => ({
      label: each === "unknown" ? t("market.unknownKey") : each,
      without: { key: toggled(key, each) },
    })),
    ...(key_compatible === undefined
      ? []
      : [
          {
            label: t("market.mixesWithKey", { keyCompatible: key_compatible }),
            without: { key_compatible: undefined },
          },
        ]),
    ...(price === null ? [] : [{ label: price, without: { price_min: undefined, price_max: undefined } }]),
    ...valuesOf(tag).map((each) => ({ label: each, without: { tag: toggled(tag, each) } })),
  ];
}
