import { Anchor, Text } from "@mantine/core";
import type { Interpretation } from "../../../api/catalogue.ts";
import { t } from "../../../api/locale.ts";
import { moneyText } from "../../../display/beats/money.ts";
import { words } from "../../../display/words.tsx";
import { tempoText } from "../filters/facet-text.ts";

interface UnderstoodProps {
  interpreted: Interpretation;
  currency: string;
  /** Searches for the text without interpreting it. */
  onWords: () => void;
}

/**
 * How the search was interpreted: tempo, keys, price, and what was widened, corrected or omitted. Renders nothing if
 * the words were used unchanged.
 */
export function Understood({ interpreted, currency, onWords }: UnderstoodProps) {
  const { q, bpm_min, bpm_max, price_min, price_max, key, widened = {}, corrected = {}, ignored = [] } = interpreted;
  const tempo = tempoText(bpm_min, bpm_max);
  const prices = [
    price_min == null ? null : t("market.priceFrom", { price: moneyText(price_min, currency) }),
    price_max == null ? null : t("market.priceUpTo", { price: moneyText(price_max, currency) }),
  ];
  const read = [tempo, key?.replaceAll(",", ` ${t("market.orWord")} `) ?? null, ...prices].filter(
    (text) => text !== null,
  );
  const corrections = Object.entries(corrected);
  if (read.length === 0 && corrections.length === 0 && ignored.length === 0) return null;
  return (
    <Text size="sm" c="dimmed" component="p" m={0}>
      {read.length > 0 && (
        <>
          {words("market.queryReadAs", {
            read: <strong>{[...read, ...(q === "" ? [] : [t("market.quoted", { text: q })])].join(", ")}</strong>,
            link: (text) => (
              <Anchor component="button" type="button" inherit onClick={onWords}>
                {text}
              </Anchor>
            ),
          })}{" "}
        </>
      )}
      {Object.entries(widened).map(([typed, range]) => (
        <span key={typed}>
          {t("market.tempoWidened", { typed, range: range.replace("-", ` ${t("market.rangeToWord")} `) })}{" "}
        </span>
      ))}
      {corrections.map(([word, better]) => (
        <span key={word}>
          {words("market.wordCorrected", {
            word: <bdi>{word}</bdi>,
            better: <strong>{words("market.quoted", { text: <bdi>{better}</bdi> })}</strong>,
          })}{" "}
        </span>
      ))}
      {ignored.length > 0 && <span>{t("market.wordsIgnored", { ignored: ignored.join(", ") })}</span>}
    </Text>
  );
}
