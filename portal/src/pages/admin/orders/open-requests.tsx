import { Alert, Anchor, Stack } from "@mantine/core";
import { IconReceiptRefund } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api, unwrap } from "../../../api/client.ts";
import { refundReasons } from "../../../display/contact/refund-reasons.ts";
import { RelativeTime } from "../../../display/relative-time.tsx";

/** The orders with undecided refund requests. Renders nothing without any. */
export function OpenRequests() {
  const { data } = useQuery({
    queryKey: ["admin", "refund-requests"],
    queryFn: () => unwrap(api.GET("/admin/refund-requests")),
  });
  if (data === undefined || data.requests.length === 0) return null;
  return (
    <Alert color="orange" variant="light" icon={<IconReceiptRefund />} title="Buyers ask for a refund" mb="md">
      <Stack gap={4} component="ul" p={0} m={0} style={{ listStyle: "none" }}>
        {data.requests.map(({ id, order_id, title, reason, created_at }) => (
          <li key={id}>
            <Anchor
              size="sm"
              renderRoot={(props) => <Link to="/admin/orders/$orderId" params={{ orderId: order_id }} {...props} />}
            >
              Order {order_id}, <bdi>{title}</bdi>
            </Anchor>
            : {refundReasons[reason]}, <RelativeTime at={created_at} />
          </li>
        ))}
      </Stack>
    </Alert>
  );
}
