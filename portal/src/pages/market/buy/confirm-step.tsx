import { Button, Code, Group, Text } from "@mantine/core";
import type { OfferedBeat, OfferedLicense } from "../../../api/market.ts";
import { licenseLabels } from "../../../display/beats/licenses.ts";
import { moneyText } from "../../../display/beats/money.ts";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { Step } from "./step.tsx";

interface ConfirmStepProps {
  beat: OfferedBeat["beat"];
  license: OfferedLicense;
  method: string;
  currency: string;
  error: Error | null;
  isBuying: boolean;
  /** The order may exist. Another purchase could then buy twice. */
  isUnknown: boolean;
  onBack: () => void;
  onBuy: () => void;
}

/** Names what is bought and what it costs, before anything is charged. */
export function ConfirmStep(its: ConfirmStepProps) {
  const { beat, license, method, currency, error, isBuying, isUnknown, onBack, onBuy } = its;
  const price = moneyText(license.price, currency);
  const label = licenseLabels[license.type];
  return (
    <Step label="Confirm the purchase">
      {error !== null && <ErrorAlert error={error} />}
      {isUnknown && (
        <Text size="sm">
          Whether the order was placed is not known. Try again: it is placed once at most. Or look into your library.
        </Text>
      )}
      <Text>
        You buy the <b>{label} license</b> of “<bdi>{beat.title}</bdi>” by <bdi>{beat.producer_name}</bdi> for{" "}
        <b>{price}</b>, paid with <Code>{method}</Code>, under the terms of version {license.terms.version}.
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onBack} disabled={isBuying || isUnknown}>
          Back
        </Button>
        <Button onClick={onBuy} loading={isBuying}>
          {isUnknown ? "Try again" : `Buy ${label} for ${price}`}
        </Button>
      </Group>
    </Step>
  );
}
