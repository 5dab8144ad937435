import { Modal, Skeleton, Stack, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import {
  beatQuery,
  type MarketOptions,
  type OfferedBeat,
  type OfferedLicense,
  optionsQuery,
  placeOrder,
} from "../../../api/market.ts";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { type Choice, ChoiceStep } from "./choice-step.tsx";
import { ConfirmStep } from "./confirm-step.tsx";
import { OrderOutcome } from "./order-outcome.tsx";

interface BuyDialogProps {
  beatId: number;
  /** Chosen at first. */
  license: OfferedLicense["type"];
  onClose: () => void;
}

/** Buys a license of a beat in three steps: choose, confirm, see what came of it. */
export function BuyDialog({ beatId, license, onClose }: BuyDialogProps) {
  const beat = useQuery(beatQuery(beatId));
  const options = useQuery(optionsQuery);
  const error = beat.error ?? options.error;
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={beat.data === undefined ? "Buy a license" : `Buy a license of “${beat.data.beat.title}”`}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {error !== null && <ErrorAlert error={error} />}
      {error === null && (beat.data === undefined || options.data === undefined) && <Skeleton height={300} />}
      {beat.data !== undefined && options.data !== undefined && (
        <Purchase offered={beat.data} options={options.data} license={license} onClose={onClose} />
      )}
    </Modal>
  );
}

interface PurchaseProps {
  offered: OfferedBeat;
  options: MarketOptions;
  license: OfferedLicense["type"];
  onClose: () => void;
}

function Purchase({ offered, options, license: first, onClose }: PurchaseProps) {
  const client = useQueryClient();
  const [choice, setChoice] = useState<Choice>({
    type: first,
    method: options.payment_methods[0]?.id ?? "",
  });
  const [step, setStep] = useState<"choose" | "confirm" | "done">("choose");
  // One for each purchase: it stays the same until the outcome is known, so that trying again never buys twice.
  const key = useRef(crypto.randomUUID());
  const buy = useMutation({
    mutationFn: placeOrder,
    onSuccess: async () => {
      setStep("done");
      await Promise.all([
        client.invalidateQueries({ queryKey: ["library"] }),
        client.invalidateQueries({ queryKey: ["catalogue"] }),
      ]);
    },
  });
  const license = offered.licenses.find(({ type }) => type === choice.type);
  if (offered.is_own) return <Text size="sm">This beat is your own; nobody buys from themselves.</Text>;
  if (license === undefined) return null;
  const chooseAnew = () => {
    key.current = crypto.randomUUID();
    buy.reset();
    setStep("choose");
  };
  return (
    <Stack>
      {step === "choose" && (
        <ChoiceStep
          offered={offered}
          options={options}
          choice={choice}
          onChange={setChoice}
          onNext={() => setStep("confirm")}
        />
      )}
      {step === "confirm" && (
        <ConfirmStep
          beat={offered.beat}
          license={license}
          method={choice.method}
          currency={options.currency}
          error={buy.error}
          isBuying={buy.isPending}
          onBack={chooseAnew}
          onBuy={() =>
            buy.mutate({
              key: key.current,
              body: { beat_id: offered.beat.id, license_type: license.type, payment_method: choice.method },
            })
          }
        />
      )}
      {step === "done" && buy.data !== undefined && (
        <OrderOutcome order={buy.data} onChooseAnew={chooseAnew} onClose={onClose} />
      )}
    </Stack>
  );
}
