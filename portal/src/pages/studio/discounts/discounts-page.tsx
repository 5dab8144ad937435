import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus, IconRosetteDiscount } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { t } from "../../../api/locale.ts";
import { EmptyState } from "../../../display/empty-state.tsx";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { Page, RowsSkeleton } from "../../../display/page.tsx";
import { Permitted } from "../../../display/permitted.tsx";
import { discountsQuery } from "./discount-queries.ts";
import { DiscountTable } from "./discount-table.tsx";
import { NewDiscount } from "./new-discount.tsx";

/** The producer's discounts: codes, and automatic discounts. */
export function DiscountsPage() {
  const { data, error, isPending, refetch } = useQuery(discountsQuery);
  const [isMaking, { open, close }] = useDisclosure();
  return (
    <Page
      title={t("studio.discounts")}
      lead={t("studio.discountsLead")}
      actions={
        <Permitted to="studio:write" isQuiet>
          <Button size="xs" leftSection={<IconPlus size={14} />} onClick={open}>
            {t("studio.newDiscount")}
          </Button>
        </Permitted>
      }
    >
      {isPending && <RowsSkeleton rows={4} />}
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {data?.discounts.length === 0 && (
        <EmptyState icon={IconRosetteDiscount} title={t("studio.noDiscountYet")}>
          {t("studio.noDiscountHint")}
        </EmptyState>
      )}
      {data !== undefined && data.discounts.length > 0 && (
        <DiscountTable discounts={data.discounts} currency={data.currency} />
      )}
      {data !== undefined && isMaking && <NewDiscount currency={data.currency} onClose={close} />}
    </Page>
  );
}
