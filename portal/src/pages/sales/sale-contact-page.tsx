import { Anchor, Stack } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { api, unwrap } from "../../api/client.ts";
import { t } from "../../api/locale.ts";
import { RefundRequests } from "../../display/contact/refund-requests.tsx";
import { Thread } from "../../display/contact/thread.tsx";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { Page, RowsSkeleton } from "../../display/page.tsx";
import { Section } from "../../display/section.tsx";

const route = getRouteApi("/frame/signed-in/sales/orders/$orderId");

/** The messages between the buyer and the producer of a sale, and requests for a refund. */
export function SaleContactPage() {
  const { orderId } = route.useParams();
  const client = useQueryClient();
  const params = { path: { order_id: orderId } };
  const queryKey = ["sales", "contact", orderId];
  const { data, error, isPending, refetch } = useQuery({
    queryKey,
    queryFn: () => unwrap(api.GET("/sales/orders/{order_id}/contact", { params })),
  });
  const write = useMutation({
    mutationFn: (text: string) => unwrap(api.POST("/sales/orders/{order_id}/messages", { params, body: { text } })),
    onSuccess: (contact) => {
      client.setQueryData(queryKey, contact);
      return client.invalidateQueries({ queryKey: ["sales", "contacts"] });
    },
  });
  return (
    <Page
      title={t("sales.saleTitle", { orderId: String(orderId) })}
      lead={data && <bdi>{data.title}</bdi>}
      actions={
        <Anchor size="sm" renderRoot={(props) => <Link to="/sales" {...props} />}>
          {t("sales.backToTheSales")}
        </Anchor>
      }
    >
      {isPending && <RowsSkeleton rows={4} />}
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {data !== undefined && (
        <Stack gap="xl" maw={640}>
          {data.refund_requests.length > 0 && (
            <Section title={t("sales.buyerAsksForRefund")}>
              <RefundRequests requests={data.refund_requests} />
            </Section>
          )}
          <Section title={t("sales.writeToTheBuyer")}>
            <Thread
              contact={data}
              side="producer"
              isPending={write.isPending}
              error={write.error}
              onSend={write.mutateAsync}
            />
          </Section>
        </Stack>
      )}
    </Page>
  );
}
