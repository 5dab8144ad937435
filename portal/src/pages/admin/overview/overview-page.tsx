import { Anchor, Badge, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api, unwrap } from "../../../api/client.ts";
import type { components } from "../../../api/paths.ts";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { Page, RowsSkeleton } from "../../../display/page.tsx";
import { AdminTable } from "../admin-table.tsx";

type Figure = components["schemas"]["OverviewFigure"];

const refetchMs = 30_000;

/** Current activity and problems, with links to the pages where an operator acts. */
export function OverviewPage() {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["admin", "overview"],
    queryFn: () => unwrap(api.GET("/admin/overview")),
    refetchInterval: refetchMs,
  });
  return (
    <Page
      title="Overview"
      lead="What happens, what waits for you, and what is wrong. npx beatmarket doctor checks more."
    >
      {isPending && <RowsSkeleton rows={12} height={36} />}
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {data !== undefined && (
        <AdminTable label="Figures" head={["What", "Figure", "State", "In words"]} minWidth={640}>
          {data.figures.map((figure) => (
            <Table.Tr key={figure.name}>
              <Table.Td>
                <Name figure={figure} />
              </Table.Td>
              <Table.Td>{figure.value}</Table.Td>
              <Table.Td>
                <Badge color={colors[figure.state]} variant="light" radius="sm" tt="none" miw="max-content">
                  {labels[figure.state]}
                </Badge>
              </Table.Td>
              <Table.Td style={{ overflowWrap: "anywhere" }}>
                <Text size="sm">{figure.detail}</Text>
                {figure.remedy !== null && (
                  <Text size="sm" c="dimmed">
                    {figure.remedy}
                  </Text>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </AdminTable>
      )}
    </Page>
  );
}

const colors = { ok: "teal", warning: "yellow", wrong: "red", unused: "gray" } as const;
const labels = { ok: "Good", warning: "Look at it", wrong: "Wrong", unused: "Not used" } as const;

const Name = ({ figure: { name, page } }: { figure: Figure }) =>
  page === null ? (
    name
  ) : (
    <Anchor inherit renderRoot={(props) => <Link to={page as "/admin/orders"} {...props} />}>
      {name}
    </Anchor>
  );
