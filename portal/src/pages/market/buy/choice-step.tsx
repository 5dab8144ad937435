import { Button, Group, Radio, Stack, Text } from "@mantine/core";
import type { MarketOptions, OfferedBeat, OfferedLicense } from "../../../api/market.ts";
import { licenseLabels } from "../../../display/beats/licenses.ts";
import { Permitted } from "../../../display/permitted.tsx";
import { LicenseCard } from "./license-card.tsx";
import { OwnedNote } from "./owned-note.tsx";
import { PaymentMethodField } from "./payment-method-field.tsx";
import { Step } from "./step.tsx";
import { Terms } from "./terms.tsx";

/** What a buyer chooses: the license, and the id of the payment method. */
export interface Choice {
  type: OfferedLicense["type"];
  method: string;
}

interface ChoiceStepProps {
  offered: OfferedBeat;
  options: MarketOptions;
  choice: Choice;
  onChange: (choice: Choice) => void;
  onNext: () => void;
}

/** The four licenses, the terms of the chosen one, and how to pay. */
export function ChoiceStep({ offered, options, choice, onChange, onNext }: ChoiceStepProps) {
  const license = offered.licenses.find(({ type }) => type === choice.type);
  const isAvailable = license?.available === true;
  const owned = offered.owned.find(({ license_type }) => license_type === choice.type);
  return (
    <Step label="Choose a license" hasAutofocus>
      <Text size="sm" c="dimmed">
        by <bdi>{offered.beat.producer_name}</bdi>
      </Text>
      <Radio.Group
        label="License"
        value={choice.type}
        onChange={(type) => onChange({ ...choice, type: type as Choice["type"] })}
      >
        <Stack gap="xs" mt="xs">
          {offered.licenses.map((each) => (
            <LicenseCard
              key={each.type}
              license={each}
              currency={options.currency}
              isChosen={each.type === choice.type}
            />
          ))}
        </Stack>
      </Radio.Group>
      {owned !== undefined && <OwnedNote owned={owned} />}
      {offered.unprintable.length > 0 && (
        <Text size="sm" c="dimmed">
          The PDF certificate prints a box for <bdi>{offered.unprintable.join(" ")}</bdi>, as its fonts lack that. Its
          signed text and its public page have the names in full.
        </Text>
      )}
      {license !== undefined && <Terms key={license.type} terms={license.terms} />}
      <PaymentMethodField
        options={options}
        value={choice.method}
        onChange={(method) => onChange({ ...choice, method })}
      />
      {!isAvailable && (
        <Text size="sm" c="red" role="status">
          No license of this beat can be bought now: its exclusive license is sold, or somebody is buying it.
        </Text>
      )}
      <Group justify="flex-end">
        <Permitted to="orders:write">
          <Button disabled={!isAvailable || choice.method.trim() === ""} onClick={onNext}>
            Go on with {licenseLabels[choice.type]}
          </Button>
        </Permitted>
      </Group>
    </Step>
  );
}
