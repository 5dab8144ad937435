import { Button } from "@mantine/core";
import { IconBooks } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { t } from "../../api/locale.ts";
import { ApiCall } from "../../display/calls/api-call.tsx";
import { EmptyState } from "../../display/empty-state.tsx";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { Page, RowsSkeleton } from "../../display/page.tsx";
import { Pager } from "../../display/pager.tsx";
import rows from "../../display/rows.module.css";
import { words } from "../../display/words.tsx";
import { BillingDetails } from "./billing-details.tsx";
import { ordersQuery } from "./library-queries.ts";
import type { LibrarySearch } from "./library-search.ts";
import { OrderRow } from "./order-row.tsx";

const route = getRouteApi("/frame/signed-in/library");

/** The account's purchases. */
export function LibraryPage() {
  const { page = 1, order } = route.useSearch();
  const navigate = useNavigate();
  const open = (search: LibrarySearch) => void navigate({ to: "/library", search, resetScroll: false });
  const { data, error, isPending, refetch } = useQuery(ordersQuery(page));
  return (
    <Page
      title={t("nav.library")}
      lead={t("library.libraryLead")}
      actions={<ApiCall call={{ operationId: "listOrders", query: { page: page > 1 ? page : undefined } }} />}
    >
      {isPending && <RowsSkeleton rows={4} height={84} />}
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {data?.total === 0 && (
        <EmptyState
          icon={IconBooks}
          title={t("library.nothingBoughtYet")}
          action={<Button renderRoot={(props) => <Link to="/market" {...props} />}>{t("library.findABeat")}</Button>}
        >
          {words("library.nothingBoughtHint", { code: (text) => <code>{text}</code> })}
        </EmptyState>
      )}
      {data !== undefined && data.orders.length > 0 && (
        <ul className={rows.rows}>
          {data.orders.map((each) => (
            <OrderRow
              key={each.id}
              order={each}
              isOpen={each.id === order}
              onToggle={() => open({ ...(page > 1 && { page }), ...(each.id !== order && { order: each.id }) })}
            />
          ))}
        </ul>
      )}
      {data !== undefined && data.total > 0 && (
        <Pager page={data.page} lastPage={data.last_page} onOpen={(to) => open(to === undefined ? {} : { page: to })} />
      )}
      {data !== undefined && <BillingDetails />}
    </Page>
  );
}
