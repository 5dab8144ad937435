import { Alert, Button, Checkbox, Group, Modal, Radio, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { t } from "../../../api/locale.ts";
import {
  beatQuery,
  type MarketOptions,
  type OfferedBeat,
  type OfferedLicense,
  optionsQuery,
} from "../../../api/market.ts";
import { licenseLabels } from "../../../display/beats/licenses.ts";
import { moneyText } from "../../../display/beats/money.ts";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { Permitted } from "../../../display/permitted.tsx";
import { ProducerLink } from "../../../display/producer-link.tsx";
import { words } from "../../../display/words.tsx";
import { LicenseCard } from "./license-card.tsx";
import { OwnedNote } from "./owned-note.tsx";
import { Terms } from "./terms.tsx";

interface BuyDialogProps {
  beatId: number;
  /** The initially chosen license. If the producer does not sell it, the first license that is sold is chosen. */
  license: OfferedLicense["type"];
  /** The price that the previous page showed; undefined if unknown. */
  shownPrice: number | undefined;
  onClose: () => void;
}

/**
 * The dialog to choose a license of a beat and to put the license into the basket, where it is paid. Shows the terms in
 * full.
 */
export function BuyDialog({ beatId, license, shownPrice, onClose }: BuyDialogProps) {
  const beat = useQuery(beatQuery(beatId));
  const options = useQuery(optionsQuery);
  const error = beat.error ?? options.error;
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={
        beat.data === undefined
          ? t("market.buyALicense")
          : t("market.buyLicenseOfBeat", { title: beat.data.beat.title })
      }
      closeButtonProps={{ "aria-label": t("shell.close") }}
    >
      {error !== null && <ErrorAlert error={error} />}
      {error === null && (beat.data === undefined || options.data === undefined) && <Skeleton height={300} />}
      {beat.data !== undefined && options.data !== undefined && (
        <Choice offered={beat.data} options={options.data} first={license} shownPrice={shownPrice} />
      )}
    </Modal>
  );
}

interface ChoiceProps {
  offered: OfferedBeat;
  options: MarketOptions;
  first: OfferedLicense["type"];
  shownPrice: number | undefined;
}

function Choice({ offered, options: { currency }, first, shownPrice }: ChoiceProps) {
  const initial = offered.licenses.find(({ type }) => type === first) ?? offered.licenses[0];
  const [type, setType] = useState(initial?.type);
  const [buysAgain, setBuysAgain] = useState(false);
  const license = offered.licenses.find((each) => each.type === type);
  if (offered.is_own) return <Text size="sm">{t("market.ownBeatNote")}</Text>;
  if (license === undefined) return <Text size="sm">{t("market.licenseUnavailable")}</Text>;
  const owned = offered.owned.find(({ license_type }) => license_type === type);
  const isOtherPrice = license === initial && shownPrice !== undefined && shownPrice !== license.price;
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {words("market.byProducer", {
          producer: <ProducerLink id={offered.beat.user_id} name={offered.beat.producer_name} />,
        })}
      </Text>
      <Radio.Group
        label={t("market.license")}
        value={license.type}
        onChange={(option) => setType(option as OfferedLicense["type"])}
      >
        <Stack gap="xs" mt="xs">
          {offered.licenses.map((each) => (
            <LicenseCard key={each.type} license={each} currency={currency} isChosen={each.type === type} />
          ))}
        </Stack>
      </Radio.Group>
      {isOtherPrice && (
        <Alert color="orange" variant="light" title={t("market.thePriceHasChanged")} role="alert">
          {t("market.priceChangedFromTo", {
            shownPrice: moneyText(shownPrice, currency),
            price: moneyText(license.price, currency),
          })}
        </Alert>
      )}
      {offered.unprintable.length > 0 && (
        <Text size="sm" c="dimmed">
          {words("market.unprintableCharactersNote", { unprintable: <bdi>{offered.unprintable.join(" ")}</bdi> })}
        </Text>
      )}
      <Terms key={license.type} terms={license.terms} />
      {owned !== undefined && (
        <>
          <OwnedNote owned={owned} />
          <Checkbox
            label={t("market.buyAgainConfirm")}
            checked={buysAgain}
            onChange={({ currentTarget }) => setBuysAgain(currentTarget.checked)}
          />
        </>
      )}
      {!license.available && (
        <Text size="sm" c="red" role="status">
          {t("market.licenseUnavailable")}
        </Text>
      )}
      <Group justify="flex-end">
        <Permitted to="orders:write">
          <form method="post" action="/basket">
            <input type="hidden" name="beat_id" value={offered.beat.id} />
            <input type="hidden" name="license_type" value={license.type} />
            <input type="hidden" name="price" value={Math.round(license.price * 100)} />
            <Button type="submit" disabled={!license.available || (owned !== undefined && !buysAgain)}>
              {t("market.putLicenseIntoBasket", {
                license: licenseLabels[license.type],
                price: moneyText(license.price, currency),
              })}
            </Button>
          </form>
        </Permitted>
      </Group>
    </Stack>
  );
}
