import { Anchor, VisuallyHidden } from "@mantine/core";
import { useState } from "react";
import type { FacetCount } from "../../../api/catalogue.ts";
import { locale, t } from "../../../api/locale.ts";
import { toggled, valuesOf } from "../catalogue-search.ts";
import { facetValues } from "./facet-text.ts";
import classes from "./filters.module.css";

interface ValueFilterProps {
  title: string;
  counts: readonly FacetCount[];
  /** The chosen values, separated by commas. */
  selected: string | undefined;
  onChange: (selected: string | undefined) => void;
}

const shownAtFirst = 8;

/** A filter by values, any of which may match. Each value shows its number of beats. */
export function ValueFilter({ title, counts, selected, onChange }: ValueFilterProps) {
  const [isWhole, setWhole] = useState(false);
  const values = valuesOf(selected);
  const options = facetValues(counts, values);
  const visible = isWhole
    ? options
    : options.filter(({ value }, index) => index < shownAtFirst || values.includes(value));
  return (
    <>
      <ul className={classes.values}>
        {visible.map(({ value, label, count }) => (
          <li key={value}>
            <label className={classes.value}>
              <input
                type="checkbox"
                checked={values.includes(value)}
                onChange={() => onChange(toggled(selected, value))}
              />
              <span className={classes.label}>
                <bdi>{label}</bdi>
              </span>
              <span className={classes.count}>{locale.number(count)}</span>
            </label>
          </li>
        ))}
      </ul>
      {options.length > shownAtFirst && (
        <Anchor
          component="button"
          type="button"
          size="xs"
          ml={8}
          mt={4}
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? t("market.fewer") : t("market.all", { count: options.length })}
          <VisuallyHidden> {t("market.ofFilterTitle", { title })}</VisuallyHidden>
        </Anchor>
      )}
    </>
  );
}
