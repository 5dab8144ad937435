import { Badge, Button, Group, Modal, Stack, Table, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { locale, t } from "../../../api/locale.ts";
import { licenseLabels } from "../../../display/beats/licenses.ts";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { ExactTime } from "../../../display/exact-time.tsx";
import { Permitted } from "../../../display/permitted.tsx";
import { type Discount, useEndDiscount } from "./discount-queries.ts";

const states = {
  scheduled: { color: "blue", label: "studio.scheduled" },
  running: { color: "teal", label: "studio.running" },
  used_up: { color: "orange", label: "studio.usedUp" },
  over: { color: "gray", label: "studio.over" },
  ended: { color: "gray", label: "studio.ended" },
} as const satisfies Record<Discount["state"], object>;

/** The effect of a discount, as a text for buyers. */
function effectText({ kind, percent, amount, pack_size, pack_paid }: Discount, currency: string): string {
  switch (kind) {
    case "percent":
      return `${percent} %`;
    case "amount":
      return locale.amount(Math.round((amount ?? 0) * 100), currency);
    case "pack":
      return t("studio.packEffect", { size: pack_size ?? 0, paid: pack_paid ?? 0 });
    case "ownership":
      return t("studio.ownershipEffect");
  }
}

function scopeText({ beat_ids, license_types }: Discount): string {
  const beats = beat_ids === null ? t("studio.allBeats") : t("studio.beats", { count: beat_ids.length });
  return license_types === null
    ? beats
    : `${beats}, ${license_types.map((type) => locale.inSentence(licenseLabels[type])).join(", ")}`;
}

export function DiscountTable({ discounts, currency }: { discounts: readonly Discount[]; currency: string }) {
  return (
    <Table.ScrollContainer minWidth={720} tabIndex={0} role="region" aria-label={t("studio.discounts")}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("studio.discount")}</Table.Th>
            <Table.Th>{t("studio.takesOff")}</Table.Th>
            <Table.Th>{t("studio.discountScope")}</Table.Th>
            <Table.Th>{t("studio.until")}</Table.Th>
            <Table.Th>{t("studio.uses")}</Table.Th>
            <Table.Th>{t("studio.state")}</Table.Th>
            <Table.Th aria-label={t("studio.endIt")} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {discounts.map((discount) => (
            <Table.Tr key={discount.id}>
              <Table.Td>
                <bdi>{discount.name}</bdi>
                <Text size="sm" c="dimmed" ff={discount.code === null ? "text" : "monospace"}>
                  {discount.code ?? t("studio.appliesByItself")}
                </Text>
              </Table.Td>
              <Table.Td>{effectText(discount, currency)}</Table.Td>
              <Table.Td>{scopeText(discount)}</Table.Td>
              <Table.Td>
                {discount.valid_until === null ? t("studio.noEndDate") : <ExactTime at={discount.valid_until} />}
              </Table.Td>
              <Table.Td>
                {locale.number(discount.uses_count)}
                {discount.max_uses !== null && ` ${t("studio.ofMaxUses", { max: discount.max_uses })}`}
              </Table.Td>
              <Table.Td>
                <Badge color={states[discount.state].color} variant="light" radius="sm" tt="none" miw="max-content">
                  {t(states[discount.state].label)}
                </Badge>
              </Table.Td>
              <Table.Td>{discount.state !== "ended" && <EndButton discount={discount} />}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** A button that ends a discount after a confirmation. */
function EndButton({ discount }: { discount: Discount }) {
  const [isAsking, { open, close }] = useDisclosure();
  const end = useEndDiscount(close);
  return (
    <Permitted to="studio:write" isQuiet>
      <Button
        size="xs"
        variant="subtle"
        color="red"
        onClick={open}
        aria-label={t("studio.endDiscount", { name: discount.name })}
      >
        {t("studio.endIt")}
      </Button>
      <Modal
        opened={isAsking}
        onClose={close}
        title={t("studio.endQuestion", { name: discount.name })}
        closeButtonProps={{ "aria-label": t("shell.close") }}
      >
        <Stack>
          {end.error !== null && <ErrorAlert error={end.error} />}
          <Text size="sm">{t("studio.endDiscountWarning")}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t("studio.keepIt")}
            </Button>
            <Button color="red" loading={end.isPending} onClick={() => end.mutate(discount.id)}>
              {t("studio.endIt")}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </Permitted>
  );
}
