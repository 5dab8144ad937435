import { Button, Table } from "@mantine/core";
import { IconDownload, IconGift } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { t } from "../../api/locale.ts";
import { EmptyState } from "../../display/empty-state.tsx";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { Page, RowsSkeleton } from "../../display/page.tsx";
import { Pager } from "../../display/pager.tsx";
import { RelativeTime } from "../../display/relative-time.tsx";
import { freeDownloadsQuery } from "./studio-queries.ts";

const route = getRouteApi("/frame/signed-in/studio/free-downloads");

/** The addresses that requested free downloads of the account's beats. */
export function FreeDownloadsPage() {
  const { page = 1 } = route.useSearch();
  const navigate = useNavigate();
  const { data, error, isPending, refetch } = useQuery(freeDownloadsQuery(page));
  return (
    <Page
      title={t("studio.freeDownloads")}
      lead={t("studio.freeDownloadsLead")}
      actions={
        data !== undefined &&
        data.total > 0 && (
          <Button
            component="a"
            href="/portal/api/studio/free-downloads.csv"
            download
            size="xs"
            variant="default"
            leftSection={<IconDownload size={14} />}
          >
            {t("studio.addressesCsv", { count: data.total })}
          </Button>
        )
      }
    >
      {isPending && <RowsSkeleton rows={6} />}
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {data?.total === 0 && (
        <EmptyState
          icon={IconGift}
          title={t("studio.noAddressYet")}
          action={<Button renderRoot={(props) => <Link to="/studio" {...props} />}>{t("studio.openTheStudio")}</Button>}
        >
          {t("studio.noAddressHint")}
        </EmptyState>
      )}
      {data !== undefined && data.downloads.length > 0 && (
        <Table.ScrollContainer minWidth={520} tabIndex={0} role="region" aria-label={t("studio.addresses")}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t("studio.address")}</Table.Th>
                <Table.Th>{t("studio.beat")}</Table.Th>
                <Table.Th>{t("studio.confirmed")}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.downloads.map(({ email, beat_id, title, confirmed_at }) => (
                <Table.Tr key={`${email} ${beat_id}`}>
                  <Table.Td>{email}</Table.Td>
                  <Table.Td>
                    <bdi>{title}</bdi>
                  </Table.Td>
                  <Table.Td>
                    <RelativeTime at={confirmed_at} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {data !== undefined && data.total > 0 && (
        <Pager
          page={data.page}
          lastPage={data.last_page}
          onOpen={(to) => void navigate({ to: "/studio/free-downloads", search: to === undefined ? {} : { page: to } })}
        />
      )}
    </Page>
  );
}
