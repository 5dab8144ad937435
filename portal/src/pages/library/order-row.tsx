import { Anchor, Button, Group, Image, Text, Title } from "@mantine/core";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { t } from "../../api/locale.ts";
import { licenseLabels } from "../../display/beats/licenses.ts";
import { moneyText } from "../../display/beats/money.ts";
import { ownOrigin } from "../../display/beats/own-origin.ts";
import { documentLink } from "../../display/document-link.tsx";
import { InvoiceLinks } from "../../display/invoice-links.tsx";
import { ProducerLink } from "../../display/producer-link.tsx";
import { RelativeTime } from "../../display/relative-time.tsx";
import { words } from "../../display/words.tsx";
import type { LibraryOrder } from "./library-queries.ts";
import { OrderFiles } from "./order-files.tsx";
import { OrderState } from "./order-state.tsx";

interface OrderRowProps {
  order: LibraryOrder;
  /** Whether the order's files are shown. */
  isOpen: boolean;
  onToggle: () => void;
}

/** An order in the library: beat and license, state, receipt and files. */
export function OrderRow({ order, isOpen, onToggle }: OrderRowProps) {
  const { id, beat, license_type, amount, currency, status, created_at, next_action, cover_image } = order;
  const filesId = `files-of-${id}`;
  return (
    <li>
      <Group align="flex-start" gap="md" wrap="nowrap">
        <Image src={ownOrigin(cover_image)} alt="" w={64} h={64} radius="sm" fit="cover" loading="lazy" />
        <div style={{ flex: 1, minWidth: 0 }}>
          <Group justify="space-between" align="flex-start" gap="xs">
            <div style={{ minWidth: 0, flex: "1 1 220px" }}>
              <Title order={2} size="h4" style={{ overflowWrap: "anywhere" }}>
                <bdi>{beat.title}</bdi>
              </Title>
              <Text size="sm" c="dimmed" component="div">
                {words("library.orderFacts", {
                  producer: <ProducerLink id={beat.producer_id} name={beat.producer_name} />,
                  license: licenseLabels[license_type],
                  amount: moneyText(amount, currency),
                  order: String(id),
                  createdAt: <RelativeTime at={created_at} />,
                })}
              </Text>
            </div>
            <OrderState order={order} />
          </Group>
          {status === "pending" && next_action !== null && (
            <Button component="a" {...documentLink(ownOrigin(next_action.url))} size="xs" mt="xs">
              {t("library.finishPaying")}
            </Button>
          )}
          {status === "failed" && (
            <Button
              variant="default"
              size="xs"
              mt="xs"
              renderRoot={(props) => <Link to="/market/beats/$beatId" params={{ beatId: beat.id }} {...props} />}
            >
              {t("library.buyItAnotherWay")}
            </Button>
          )}
          {status === "completed" && (
            <Group gap="md" mt="xs">
              <Button
                variant="default"
                size="xs"
                rightSection={isOpen ? <IconChevronUp size={14} /> : <IconChevronDown size={14} />}
                aria-expanded={isOpen}
                aria-controls={filesId}
                aria-label={t("library.filesAndCertificateOfOrder", { title: beat.title, id: String(id) })}
                onClick={onToggle}
              >
                {t("library.filesAndCertificate")}
              </Button>
              <Anchor
                size="sm"
                aria-label={t("library.receiptLinkLabel", { id: String(id) })}
                renderRoot={(props) => <Link to="/library/$orderId/receipt" params={{ orderId: id }} {...props} />}
              >
                {t("library.receipt")}
              </Anchor>
              <InvoiceLinks invoices={order.invoices} reader="library" />
              <Anchor
                size="sm"
                aria-label={t("library.contactLinkLabel", { title: beat.title, id: String(id) })}
                renderRoot={(props) => <Link to="/library/$orderId/contact" params={{ orderId: id }} {...props} />}
              >
                {t("library.contactProducer")}
              </Anchor>
            </Group>
          )}
        </div>
      </Group>
      <div id={filesId}>{isOpen && status === "completed" && <OrderFiles order={order} />}</div>
    </li>
  );
}
