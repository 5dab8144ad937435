import { Alert, Button, Checkbox, Code, Group, Text } from "@mantine/core";
import { useState } from "react";
import type { OfferedBeat, OfferedLicense, OwnedLicense } from "../../../api/market.ts";
import { licenseLabels } from "../../../display/beats/licenses.ts";
import { moneyText } from "../../../display/beats/money.ts";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { OwnedNote } from "./owned-note.tsx";
import { Step } from "./step.tsx";

interface ConfirmStepProps {
  beat: OfferedBeat["beat"];
  license: OfferedLicense;
  /** The order by which the buyer has this license already. */
  owned: OwnedLicense | undefined;
  method: string;
  /** The price that was shown or agreed to before; undefined if there was none. */
  earlierPrice: number | undefined;
  currency: string;
  error: Error | null;
  isBuying: boolean;
  /** The order may exist. Another purchase could then buy twice. */
  isUnknown: boolean;
  onBack: () => void;
  onBuy: () => void;
}

/** Names what is bought and what it costs, before anything is charged. */
export function ConfirmStep(props: ConfirmStepProps) {
  const { beat, license, owned, method, earlierPrice, currency, error, isBuying, isUnknown, onBack, onBuy } = props;
  const [buysAgain, setBuysAgain] = useState(false);
  const isOtherPrice = earlierPrice !== undefined && earlierPrice !== license.price;
  const price = moneyText(license.price, currency);
  const label = licenseLabels[license.type];
  return (
    <Step label="Confirm the purchase">
      {error !== null && !isOtherPrice && <ErrorAlert error={error} />}
      {isOtherPrice && (
        <Alert color="orange" variant="light" title="The price has changed" role="alert">
          It was {moneyText(earlierPrice, currency)}, and is {price} now. Nothing was charged. Buy it at the new price,
          or go back.
        </Alert>
      )}
      {isUnknown && (
        <Text size="sm">
          Whether the order was placed is not known. Try again: it is placed once at most. Or look into your library.
        </Text>
      )}
      <Text>
        You buy the <b>{label} license</b> of “<bdi>{beat.title}</bdi>” by <bdi>{beat.producer_name}</bdi> for{" "}
        <b>{price}</b>, paid with <Code>{method}</Code>, under the terms of version {license.terms.version}.
      </Text>
      {owned !== undefined && !isUnknown && (
        <>
          <OwnedNote owned={owned} />
          <Checkbox
            label="Buy this license again, and pay for it a second time"
            checked={buysAgain}
            onChange={({ currentTarget }) => setBuysAgain(currentTarget.checked)}
          />
        </>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onBack} disabled={isBuying || isUnknown}>
          Back
        </Button>
        <Button onClick={onBuy} loading={isBuying} disabled={owned !== undefined && !buysAgain && !isUnknown}>
          {isUnknown ? "Try again" : `Buy ${label} for ${price}`}
        </Button>
      </Group>
    </Step>
  );
}
