import { Anchor, Text } from "@mantine/core";
import type { Interpretation } from "../../../api/catalogue.ts";
import { moneyText } from "../../../display/beats/money.ts";
import { tempoText } from "../filters/facet-text.ts";

interface UnderstoodProps {
  interpreted: Interpretation;
  currency: string;
  /** Searches for the text without interpreting it. */
  onWords: () => void;
}

/**
 * How the search was interpreted: tempo, keys, price, and what was widened, corrected or omitted. Renders nothing if the words were
 * used unchanged.
 */
export function Understood({ interpreted, currency, onWords }: UnderstoodProps) {
  const { q, bpm_min, bpm_max, price_min, price_max, key, widened = {}, corrected = {}, ignored = [] } = interpreted;
  const tempo = tempoText(bpm_min, bpm_max);
  const prices = [
    price_min == null ? null : `from ${moneyText(price_min, currency)}`,
    price_max == null ? null : `up to ${moneyText(price_max, currency)}`,
  ];
  const read = [tempo, key?.replaceAll(",", " or ") ?? null, ...prices].filter((text) => text !== null);
  const corrections = Object.entries(corrected);
  if (read.length === 0 && corrections.length === 0 && ignored.length === 0) return null;
  return (
    <Text size="sm" c="dimmed" component="p" m={0}>
      {read.length > 0 && (
        <>
          Read as <strong>{[...read, ...(q === "" ? [] : [`“${q}”`])].join(", ")}</strong>.{" "}
          <Anchor component="button" type="button" inherit onClick={onWords}>
            Search for the words instead
          </Anchor>
          .{" "}
        </>
      )}
      {Object.entries(widened).map(([typed, range]) => (
        <span key={typed}>
          Nothing has {typed} together with the rest: these are the nearest, {range.replace("-", " to ")} BPM.{" "}
        </span>
      ))}
      {corrections.map(([word, better]) => (
        <span key={word}>
          Nothing has “<bdi>{word}</bdi>”: these are for{" "}
          <strong>
            “<bdi>{better}</bdi>”
          </strong>
          .{" "}
        </span>
      ))}
      {ignored.length > 0 && <span>Left out, since nothing has it together with the rest: {ignored.join(", ")}.</span>}
    </Text>
  );
}
