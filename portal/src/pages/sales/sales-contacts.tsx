import { Anchor, Badge, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api, unwrap } from "../../api/client.ts";
import { t } from "../../api/locale.ts";
import { refundReasons } from "../../display/contact/refund-reasons.ts";
import { RelativeTime } from "../../display/relative-time.tsx";
import { Section } from "../../display/section.tsx";
import { words } from "../../display/words.tsx";

/** Messages of buyers and their requests for refunds. Renders nothing without any. */
export function SalesContacts() {
  const { data } = useQuery({
    queryKey: ["sales", "contacts"],
    queryFn: () => unwrap(api.GET("/sales/contacts")),
  });
  if (data === undefined || data.threads.length + data.requests.length === 0) return null;
  return (
    <Section title={t("sales.buyersWrite")}>
      <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: "none" }}>
        {data.requests.map(({ id, order_id, title, reason, created_at }) => (
          <Group key={`request ${id}`} component="li" gap="xs">
            <SaleLink orderId={order_id} title={title} />
            <Badge color="orange" variant="light">
              {t("sales.refundAskedFor")}
            </Badge>
            <Text size="sm" c="dimmed" component="div">
              {refundReasons[reason]}, <RelativeTime at={created_at} />
            </Text>
          </Group>
        ))}
        {data.threads.map(({ order_id, title, messages, last_at, awaits_producer }) => (
          <Group key={`thread ${order_id}`} component="li" gap="xs">
            <SaleLink orderId={order_id} title={title} />
            {awaits_producer && (
              <Badge color="violet" variant="light">
                {t("sales.waitsForYourAnswer")}
              </Badge>
            )}
            <Text size="sm" c="dimmed" component="div">
              {t("sales.messages", { count: messages })}, <RelativeTime at={last_at} />
            </Text>
          </Group>
        ))}
      </Stack>
    </Section>
  );
}

const SaleLink = ({ orderId, title }: { orderId: number; title: string }) => (
  <Anchor size="sm" renderRoot={(props) => <Link to="/sales/orders/$orderId" params={{ orderId }} {...props} />}>
    {words("sales.titleAndOrder", { title: <bdi>{title}</bdi>, orderId: String(orderId) })}
  </Anchor>
);
