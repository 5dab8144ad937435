import { Button, Group, Stack, Text } from "@mantine/core";
import { t } from "../../../api/locale.ts";
import { licenseLabels } from "../../../display/beats/licenses.ts";
import { moneyText } from "../../../display/beats/money.ts";
import { Permitted } from "../../../display/permitted.tsx";
import { Section } from "../../../display/section.tsx";
import type { LibraryLicense } from "./license-queries.ts";

type Upgrade = LibraryLicense["upgrades"][number];

/** Upgrades to a higher license, and a renewal of the current one. Each button puts one into the basket. */
export function Upgrades({ license }: { license: LibraryLicense }) {
  const { upgrades, no_upgrade_reason } = license;
  return (
    <Section title={t("library.upgradeOrRenew")}>
      {no_upgrade_reason !== null && (
        <Text size="sm" c="dimmed">
          {no_upgrade_reason}
        </Text>
      )}
      {upgrades.length > 0 && (
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            {t("library.upgradeCostNote")}
          </Text>
          <Permitted to="orders:write">
            <Group gap="sm">
              {upgrades.map((upgrade) => (
                <UpgradeForm key={upgrade.license_type} license={license} upgrade={upgrade} />
              ))}
            </Group>
          </Permitted>
        </Stack>
      )}
    </Section>
  );
}

function UpgradeForm({
  license: { id, beat, currency },
  upgrade: { license_type, is_renewal, amount },
}: {
  license: LibraryLicense;
  upgrade: Upgrade;
}) {
  const sum = moneyText(amount, currency);
  return (
    <form method="post" action="/basket">
      <input type="hidden" name="beat_id" value={beat.id} />
      <input type="hidden" name="license_type" value={license_type} />
      <input type="hidden" name="price" value={Math.round(amount * 100)} />
      <input type="hidden" name="upgrades" value={id} />
      <Button type="submit" variant={is_renewal ? "default" : "filled"}>
        {is_renewal
          ? t("library.renewPay", { sum })
          : t("library.upgradeToLicense", { license: licenseLabels[license_type], sum })}
      </Button>
    </form>
  );
}
