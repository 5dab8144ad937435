import { Modal, Skeleton, Stack, Text } from "@mantine/core";
import { useIsMutating, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import {
  beatQuery,
  type MarketOptions,
  type OfferedBeat,
  type OfferedLicense,
  optionsQuery,
} from "../../../api/market.ts";
import { useAccount } from "../../../api/session.ts";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { type Choice, ChoiceStep } from "./choice-step.tsx";
import { ConfirmStep } from "./confirm-step.tsx";
import { OrderOutcome } from "./order-outcome.tsx";
import { findUnresolved, placeOnce } from "./unresolved-orders.ts";

interface BuyDialogProps {
  beatId: number;
  /** Chosen at first. */
  license: OfferedLicense["type"];
  /** The price that the page before showed; undefined if it is not known. */
  shownPrice: number | undefined;
  onClose: () => void;
}

const buyingKey = ["buying"];

/** Buys a license of a beat in three steps: choose, confirm, see what came of it. It stays open while it buys. */
export function BuyDialog({ beatId, license, shownPrice, onClose }: BuyDialogProps) {
  const beat = useQuery(beatQuery(beatId));
  const options = useQuery(optionsQuery);
  const account = useAccount();
  const isBuying = useIsMutating({ mutationKey: buyingKey }) > 0;
  const error = beat.error ?? options.error;
  return (
    <Modal
      opened
      onClose={() => {
        if (!isBuying) onClose();
      }}
      size="xl"
      title={beat.data === undefined ? "Buy a license" : `Buy a license of “${beat.data.beat.title}”`}
      closeButtonProps={{ "aria-label": "Close", disabled: isBuying }}
    >
      {error !== null && <ErrorAlert error={error} />}
      {error === null && (beat.data === undefined || options.data === undefined) && <Skeleton height={300} />}
      {beat.data !== undefined && options.data !== undefined && account !== null && (
        <Purchase
          userId={account.user_id}
          offered={beat.data}
          options={options.data}
          license={license}
          shownPrice={shownPrice}
          onClose={onClose}
        />
      )}
    </Modal>
  );
}

interface PurchaseProps {
  userId: number;
  offered: OfferedBeat;
  options: MarketOptions;
  license: OfferedLicense["type"];
  shownPrice: number | undefined;
  onClose: () => void;
}

function Purchase({ userId, offered, options, license: first, shownPrice, onClose }: PurchaseProps) {
  const client = useQueryClient();
  const purchaseOf = (type: Choice["type"]) => ({ userId, beatId: offered.beat.id, license: type });
  const [choice, setChoice] = useState<Choice>({
    type: first,
    method: findUnresolved(purchaseOf(first))?.paymentMethod ?? options.payment_methods[0]?.id ?? "",
  });
  const [step, setStep] = useState<"choose" | "confirm" | "done">(() =>
    findUnresolved(purchaseOf(first)) === undefined ? "choose" : "confirm",
  );
  const buy = useMutation({
    mutationKey: buyingKey,
    mutationFn: ({ type, method, price }: Choice & { price: number }) =>
      placeOnce(purchaseOf(type), { paymentMethod: method, price, currency: options.currency }),
    // The price may be another one by now, or the license gone.
    onError: () => client.invalidateQueries({ queryKey: beatQuery(offered.beat.id).queryKey }),
    onSuccess: async () => {
      setStep("done");
      await Promise.all([
        client.invalidateQueries({ queryKey: ["library"] }),
        client.invalidateQueries({ queryKey: beatQuery(offered.beat.id).queryKey }),
        client.invalidateQueries({ queryKey: ["catalogue"] }),
      ]);
    },
  });
  const license = offered.licenses.find(({ type }) => type === choice.type);
  if (offered.is_own) return <Text size="sm">This beat is your own; nobody buys from themselves.</Text>;
  if (license === undefined) return null;
  const unresolved = findUnresolved(purchaseOf(choice.type));
  const agreedPrice = buy.variables?.type === license.type ? buy.variables.price : undefined;
  const earlierPrice = agreedPrice ?? (choice.type === first ? shownPrice : undefined);
  const chooseAgain = () => {
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
          onNext={() => {
            if (unresolved !== undefined) setChoice({ ...choice, method: unresolved.paymentMethod });
            setStep("confirm");
          }}
        />
      )}
      {step === "confirm" && (
        <ConfirmStep
          beat={offered.beat}
          license={license}
          owned={offered.owned.find(({ license_type }) => license_type === license.type)}
          method={choice.method}
          earlierPrice={earlierPrice}
          currency={options.currency}
          error={buy.error}
          isBuying={buy.isPending}
          isUnknown={unresolved !== undefined && !buy.isPending}
          onBack={chooseAgain}
          onBuy={() => buy.mutate({ ...choice, price: license.price })}
        />
      )}
      {step === "done" && buy.data !== undefined && (
        <OrderOutcome order={buy.data} onChooseAnew={chooseAgain} onClose={onClose} />
      )}
    </Stack>
  );
}
