import { Group, Radio, Text } from "@mantine/core";
import { t } from "../../../api/locale.ts";
import type { OfferedLicense } from "../../../api/market.ts";
import { fileLabels, licenseLabels } from "../../../display/beats/licenses.ts";
import { moneyText } from "../../../display/beats/money.ts";

interface LicenseCardProps {
  license: OfferedLicense;
  currency: string;
  isChosen: boolean;
}

/** A license to choose: name, price and files. */
export function LicenseCard({ license, currency, isChosen }: LicenseCardProps) {
  const { type, price, files } = license;
  return (
    <Radio.Card
      value={type}
      p="sm"
      radius="md"
      aria-label={`${licenseLabels[type]}, ${moneyText(price, currency)}`}
      data-autofocus={isChosen || undefined}
    >
      <Group wrap="nowrap" align="flex-start">
        <Radio.Indicator />
        <div style={{ flex: 1 }}>
          <Group justify="space-between">
            <Text fw={600} size="sm">
              {licenseLabels[type]}
            </Text>
            <Text fw={600} size="sm">
              {moneyText(price, currency)}
            </Text>
          </Group>
          <Text size="xs" c="dimmed">
            {files.map((kind) => fileLabels[kind]).join(" · ")}
          </Text>
          {type === "exclusive" && (
            <Text size="xs" c="dimmed">
              {t("market.exclusiveSoldOnce")}
            </Text>
          )}
        </div>
      </Group>
    </Radio.Card>
  );
}
