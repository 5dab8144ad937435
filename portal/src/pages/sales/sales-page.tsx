import { Button, Stack } from "@mantine/core";
import { IconReceipt } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { t } from "../../api/locale.ts";
import { ApiCall } from "../../display/calls/api-call.tsx";
import { EmptyState } from "../../display/empty-state.tsx";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { Page, RowsSkeleton } from "../../display/page.tsx";
import { Pager } from "../../display/pager.tsx";
import { MonthFile } from "./month-file.tsx";
import { NearlyUsed } from "./nearly-used.tsx";
import { SalesContacts } from "./sales-contacts.tsx";
import { SalesFilters } from "./sales-filters.tsx";
import { salesQuery } from "./sales-queries.ts";
import { readSalesSearch, type SalesSearch, salesCall } from "./sales-search.ts";
import { SalesSums } from "./sales-sums.tsx";
import { SalesTable } from "./sales-table.tsx";

const route = getRouteApi("/frame/signed-in/sales");

/** The sales of the account. */
export function SalesPage() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const open = (to: SalesSearch) => void navigate({ to: "/sales", search: to });
  const { data, error, isPending, refetch } = useQuery(salesQuery(search));
  const isFiltered = search.from !== undefined || search.to !== undefined || search.beat !== undefined;
  return (
    <Page
      title={t("nav.sales")}
      lead={t("sales.salesLead")}
      actions={
        <>
          <ApiCall call={salesCall(search)} />
          <MonthFile />
        </>
      }
    >
      <SalesContacts />
      <NearlyUsed />
      <SalesFilters search={search} onChange={open} />
      {isPending && <RowsSkeleton rows={6} />}
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {data !== undefined && data.sums.length === 0 && (
        <EmptyState
          icon={IconReceipt}
          title={isFiltered ? t("sales.noSalePassesTheseFilters") : t("sales.nothingSoldYet")}
          {...(!isFiltered && {
            action: (
              <Button renderRoot={(props) => <Link to="/studio" {...props} />}>{t("sales.openTheStudio")}</Button>
            ),
          })}
        >
          {isFiltered ? t("sales.noFilteredSalesHint") : t("sales.nothingSoldHint")}
        </EmptyState>
      )}
      {data !== undefined && data.sums.length > 0 && (
        <Stack gap="md">
          {data.sums.map((sum) => (
            <SalesSums key={sum.currency} sum={sum} />
          ))}
          {data.sales.length > 0 && <SalesTable sales={data.sales} />}
          <Pager
            page={data.page}
            lastPage={data.last_page}
            onOpen={(page) => open(readSalesSearch({ ...search, page }))}
          />
        </Stack>
      )}
    </Page>
  );
}
