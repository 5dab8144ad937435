import { Group, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import type { FacetCount } from "../../../api/catalogue.ts";
import { t } from "../../../api/locale.ts";
import { numberIn } from "./facet-text.ts";
import classes from "./filters.module.css";

interface RangeFilterProps {
  /** The label, such as "Tempo", with which the names of the fields begin. */
  name: string;
  counts: readonly FacetCount[];
  low: number | undefined;
  high: number | undefined;
  decimals: number;
  limit: number;
  /** The text of a range of values: "120 to 129 BPM". */
  words: (low: number, high: number) => string;
  onChange: (low: number | undefined, high: number | undefined) => void;
}

/** A filter for a range. Bars show the number of beats in each part of the range, and two fields have the ends. */
export function RangeFilter({ name, counts, low, high, decimals, limit, words, onChange }: RangeFilterProps) {
  const highest = Math.max(1, ...counts.map(({ count }) => count));
  return (
    <>
      <fieldset className={classes.histogram} aria-label={t("market.histogramLabel", { name })}>
        {counts.map(({ value, max = Number(value), count }) => {
          const from = Number(value);
          const isAll = low === from && high === max;
          const isChosen = (low !== undefined || high !== undefined) && from <= (high ?? limit) && max >= (low ?? 0);
          return (
            <button
              key={from}
              type="button"
              className={classes.bar}
              aria-pressed={isChosen}
              aria-label={`${words(from, max)}, ${t("market.beats", { count })}`}
              title={`${words(from, max)}: ${count}`}
              onClick={() => (isAll ? onChange(undefined, undefined) : onChange(from, max))}
            >
              <span style={{ height: `${(100 * count) / highest}%` }} />
            </button>
          );
        })}
      </fieldset>
      <Group gap="xs" wrap="nowrap" px="xs">
        <End
          label={t("market.nameFrom", { name })}
          placeholder={t("market.fromCaption")}
          value={low}
          decimals={decimals}
          limit={limit}
          onChange={(value) => onChange(value, high)}
        />
        <End
          label={t("market.nameUpTo", { name })}
          placeholder={t("market.toCaption")}
          value={high}
          decimals={decimals}
          limit={limit}
          onChange={(value) => onChange(low, value)}
        />
      </Group>
    </>
  );
}

interface EndProps {
  label: string;
  placeholder: string;
  value: number | undefined;
  decimals: number;
  limit: number;
  onChange: (value: number | undefined) => void;
}

/** The field of one end. Reports the value on Enter and when the field loses the focus. */
function End({ label, placeholder, value, decimals, limit, onChange }: EndProps) {
  const text = value === undefined ? "" : String(value);
  const [typedText, setTypedText] = useState(text);
  useEffect(() => setTypedText(text), [text]);
  const report = () => {
    const next = numberIn(typedText, decimals, limit);
    if (next === value) setTypedText(text);
    else onChange(next);
  };
  return (
    <TextInput
      size="xs"
      inputMode={decimals === 0 ? "numeric" : "decimal"}
      aria-label={label}
      placeholder={placeholder}
      value={typedText}
      maxLength={9}
      onChange={({ currentTarget }) => setTypedText(currentTarget.value)}
      onBlur={report}
      onKeyDown={({ key }) => key === "Enter" && report()}
    />
  );
}
