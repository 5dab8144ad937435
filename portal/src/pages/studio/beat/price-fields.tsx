import { SimpleGrid, Text } from "@mantine/core";
import { t } from "../../../api/locale.ts";
import { licenseLabels } from "../../../display/beats/licenses.ts";
import { DecimalInput } from "../../../display/decimal-input.tsx";
import type { Options } from "../studio-queries.ts";
import type { BeatValues } from "./beat-values.ts";
import { fieldId } from "./field-errors.ts";
import { derivedLicenses, derivedPrice } from "./prices.ts";

const maxPrice = 21_474_836.47;

interface PriceFieldsProps {
  price: number | null;
  licensePrices: BeatValues["licensePrices"];
  options: Options;
  problems: Readonly<Record<string, string>>;
  onChange: (change: Pick<BeatValues, "price"> | Pick<BeatValues, "licensePrices">) => void;
}

/** The fields of the four licenses' prices. An empty price is derived from the basic one. */
export function PriceFields({ price, licensePrices, options, problems, onChange }: PriceFieldsProps) {
  const { currency, price_rule } = options;
  const field = { min: 0, max: maxPrice, isMoney: true };
  return (
    <div>
      <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm">
        <DecimalInput
          {...field}
          id={fieldId("price")}
          label={t("beat.basic")}
          value={price}
          onChange={(value) => onChange({ price: value })}
          error={problems.price}
        />
        {derivedLicenses.map((license) => (
          <DecimalInput
            {...field}
            key={license}
            id={fieldId(`license_prices.${license}`)}
            label={licenseLabels[license]}
            placeholder={price === null || price === 0 ? "" : derivedPrice(price_rule, license, price).toFixed(2)}
            value={licensePrices[license]}
            onChange={(value) => onChange({ licensePrices: { ...licensePrices, [license]: value } })}
            error={problems[`license_prices.${license}`]}
          />
        ))}
      </SimpleGrid>
      <Text size="xs" c="dimmed" mt="xs">
        {t("studio.derivedPricesHint", {
          currency,
          premiumPercent: price_rule.premium_percent / 100,
          unlimitedPercent: price_rule.unlimited_percent / 100,
          exclusivePercent: price_rule.exclusive_percent / 100,
        })}
      </Text>
    </div>
  );
}
