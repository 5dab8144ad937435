import { Button, Code, Group, Modal, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Call } from "../../../../../contract/snippets/call.ts";
import { beatQuery, optionsQuery } from "../../../api/market.ts";
import { sessionQuery } from "../../../api/session.ts";
import { licenseLabels } from "../../../display/beats/licenses.ts";
import { moneyText } from "../../../display/beats/money.ts";
import { PaymentModeBadge, paymentModeSentences } from "../../../display/payment-mode.tsx";
import { UntrustedText } from "../../../display/untrusted-text.tsx";
import { idempotencyKeyName } from "../call/drafts.ts";
import { type FieldValues, requestOf } from "../call/explorer-call.ts";
import type { Operation } from "../call/operations.ts";
import { TextWithCode } from "../text-with-code.tsx";
import type { ExplorerKey } from "./use-explorer-keys.ts";

interface ConfirmSendProps {
  operation: Operation;
  values: FieldValues;
  call: Call;
  apiKey: ExplorerKey;
  onSend: (apiKey: ExplorerKey) => void;
  onClose: () => void;
}

/** Before a call that changes something is sent, shows its effect and its request. */
export function ConfirmSend(props: ConfirmSendProps) {
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={`${props.operation.summary}?`}
      size="lg"
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <Confirmation {...props} />
    </Modal>
  );
}

function Confirmation({ operation, values, call, apiKey, onSend, onClose }: ConfirmSendProps) {
  const { method, url, body } = requestOf(call);
  const takesKey = operation.fields.some(({ name }) => name === idempotencyKeyName);
  return (
    <Stack>
      {operation.id === "createOrder" ? (
        <OrderConsequence values={values} />
      ) : (
        <Text size="sm">
          <TextWithCode text={operation.description} />
        </Text>
      )}
      <UntrustedText
        text={`${method} ${url}${body === undefined ? "" : `\n\n${JSON.stringify(JSON.parse(body), null, 2)}`}`}
        label="What is sent"
        maxHeight={260}
      />
      <Text size="sm" style={{ overflowWrap: "anywhere" }}>
        It is sent in your name with the key <bdi>{apiKey.name}</bdi> (…{apiKey.ends_with}).{" "}
        {takesKey && <RepetitionNote idempotencyKey={values[idempotencyKeyName] ?? ""} />}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button onClick={() => onSend(apiKey)}>{operation.summary}</Button>
      </Group>
    </Stack>
  );
}

/** The effect of sending the call twice. */
const RepetitionNote = ({ idempotencyKey }: { idempotencyKey: string }) =>
  idempotencyKey === "" ? (
    "Without an Idempotency-Key, a repeated call is done again."
  ) : (
    <>
      Repeated with the Idempotency-Key <Code>{idempotencyKey}</Code>, it is done once.
    </>
  );

/** The purchase, its price, and whether money moves. */
function OrderConsequence({ values }: { values: FieldValues }) {
  const mode = useQuery(sessionQuery).data?.payments;
  const { beat_id: id = "", payment_method: paymentMethod = "" } = values;
  const { data: offered } = useQuery({ ...beatQuery(Number(id)), enabled: /^\d{1,15}$/.test(id), retry: false });
  const { data: options } = useQuery(optionsQuery);
  const type = values.license_type || "basic";
  const license = offered?.licenses.find((each) => each.type === type);
  const missingFields = [...(id === "" ? ["beat_id"] : []), ...(paymentMethod === "" ? ["payment_method"] : [])];
  if (missingFields.length > 0)
    return (
      <Text size="sm">
        <TextWithCode
          text={`Buys nothing: without ${missingFields.map((name) => `\`${name}\``).join(" and ")} the API refuses it.`}
        />
      </Text>
    );
  return (
    <Stack gap="xs">
      {mode !== undefined && (
        <Group gap="xs">
          <PaymentModeBadge mode={mode} />
          <Text size="sm">{paymentModeSentences[mode]}</Text>
        </Group>
      )}
      <Text size="sm" style={{ overflowWrap: "anywhere" }}>
        Buys the <b>{license === undefined ? type : licenseLabels[license.type].toLowerCase()} license</b> of{" "}
        {offered === undefined ? (
          <>beat {id}</>
        ) : (
          <>
            “<bdi>{offered.beat.title}</bdi>” by <bdi>{offered.beat.producer_name}</bdi>
          </>
        )}
        {license !== undefined && options !== undefined && (
          <>
            {" "}
            for <b>{moneyText(license.price, options.currency)}</b>
          </>
        )}
        , paid with <Code>{paymentMethod}</Code>.{type === "exclusive" && " It takes the beat out of the catalogue."}
      </Text>
    </Stack>
  );
}
