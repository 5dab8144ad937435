import { Anchor, Button, Select, Stack, Text, Textarea } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import { t } from "../../api/locale.ts";
import { type RefundReason, refundReasons } from "../../display/contact/refund-reasons.ts";
import { RefundRequests } from "../../display/contact/refund-requests.tsx";
import { maxTextLength, Thread } from "../../display/contact/thread.tsx";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { Page, RowsSkeleton } from "../../display/page.tsx";
import { ProducerLink } from "../../display/producer-link.tsx";
import { Section } from "../../display/section.tsx";
import { GuardedForm } from "../../display/unsaved-work.tsx";
import { words } from "../../display/words.tsx";
import { contactQuery } from "./library-queries.ts";

const route = getRouteApi("/frame/signed-in/library/$orderId/contact");

/** The messages between buyer and producer of an order, and requests for a refund. */
export function LibraryContactPage() {
  const { orderId } = route.useParams();
  const client = useQueryClient();
  const { data, error, isPending, refetch } = useQuery(contactQuery(orderId));
  const params = { path: { order_id: orderId } };
  const onSuccess = (contact: NonNullable<typeof data>) => client.setQueryData(contactQuery(orderId).queryKey, contact);
  const write = useMutation({
    mutationFn: (text: string) => unwrap(api.POST("/library/orders/{order_id}/messages", { params, body: { text } })),
    onSuccess,
  });
  const ask = useMutation({
    mutationFn: (body: { reason: RefundReason; details: string }) =>
      unwrap(api.POST("/library/orders/{order_id}/refund-requests", { params, body })),
    onSuccess,
  });
  return (
    <Page
      title={t("library.orderTitle", { orderId: String(orderId) })}
      lead={
        data &&
        words("library.titleByProducer", {
          title: <bdi>{data.title}</bdi>,
          producer: <ProducerLink id={data.producer_id} name={data.producer_name} />,
        })
      }
      actions={
        <Anchor size="sm" renderRoot={(props) => <Link to="/library" search={{ order: orderId }} {...props} />}>
          {t("library.backToTheLibrary")}
        </Anchor>
      }
    >
      {isPending && <RowsSkeleton rows={4} />}
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {data !== undefined && (
        <Stack gap="xl" maw={640}>
          <Section title={t("library.writeToTheProducer")}>
            <Thread
              contact={data}
              side="buyer"
              isPending={write.isPending}
              error={write.error}
              onSend={write.mutateAsync}
            />
          </Section>
          <Section title={t("library.askForARefund")}>
            <Stack gap="md">
              {data.refund_requests.length > 0 && <RefundRequests requests={data.refund_requests} />}
              {data.refund_requests.every(({ state }) => state === "refused") && (
                <AskForm isPending={ask.isPending} error={ask.error} onAsk={ask.mutate} />
              )}
            </Stack>
          </Section>
        </Stack>
      )}
    </Page>
  );
}

interface AskFormProps {
  isPending: boolean;
  error: Error | null;
  onAsk: (request: { reason: RefundReason; details: string }) => void;
}

function AskForm({ isPending, error, onAsk }: AskFormProps) {
  const [reason, setReason] = useState<RefundReason>("mistake");
  const [details, setDetails] = useState("");
  const ask = (event: FormEvent) => {
    event.preventDefault();
    onAsk({ reason, details });
  };
  return (
    <GuardedForm onSubmit={ask} error={error}>
      <Stack gap="sm">
        {error !== null && <ErrorAlert error={error} />}
        <Text size="sm" c="dimmed">
          {t("library.refundRequestNote")}
        </Text>
        <Select
          label={t("library.reason")}
          value={reason}
          onChange={(value) => value !== null && setReason(value as RefundReason)}
          data={Object.entries(refundReasons).map(([value, label]) => ({ value, label }))}
          allowDeselect={false}
        />
        <Textarea
          label={t("library.whatIsWrong")}
          value={details}
          onChange={(event) => setDetails(event.currentTarget.value)}
          maxLength={maxTextLength}
          minRows={3}
          autosize
          required
        />
        <Button
          type="submit"
          variant="default"
          loading={isPending}
          disabled={details.trim() === ""}
          style={{ alignSelf: "flex-start" }}
        >
          {t("library.askForARefund")}
        </Button>
      </Stack>
    </GuardedForm>
  );
}
