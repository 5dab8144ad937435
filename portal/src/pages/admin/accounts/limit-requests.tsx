import { Anchor, Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api, unwrap } from "../../../api/client.ts";
import type { components } from "../../../api/paths.ts";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { RelativeTime } from "../../../display/relative-time.tsx";
import { ReasonDialog } from "../reason-dialog.tsx";
import { useAdminMutation } from "../use-admin-mutation.ts";

type Request = components["schemas"]["OpenLimitRequest"];

/** The open requests for higher limits. Renders nothing without any. */
export function LimitRequests() {
  const { data } = useQuery({
    queryKey: ["admin", "limit-requests"],
    queryFn: () => unwrap(api.GET("/admin/limit-requests")),
  });
  const [refusing, setRefusing] = useState<Request | null>(null);
  const grant = useAdminMutation((id: number) =>
    unwrap(api.POST("/admin/limit-requests/{request_id}/grant", { params: { path: { request_id: id } } })),
  );
  const refuse = useAdminMutation(
    ({ id, response }: { id: number; response: string }) =>
      unwrap(
        api.POST("/admin/limit-requests/{request_id}/refuse", {
          params: { path: { request_id: id } },
          body: { response },
        }),
      ),
    () => setRefusing(null),
  );
  if (data === undefined || data.requests.length === 0) return null;
  return (
    <Stack gap="sm" component="section" aria-label="Requests for limits">
      <Title order={2} size="h4">
        Requests for limits
      </Title>
      {grant.error !== null && <ErrorAlert error={grant.error} />}
      {data.requests.map((request) => (
        <Paper key={request.id} withBorder p="sm" component="article" aria-label={`Request of ${request.account}`}>
          <Group justify="space-between" align="flex-start" gap="sm">
            <Stack gap={2} style={{ flex: "1 1 300px" }} miw={0}>
              <Text size="sm">
                <Anchor
                  inherit
                  fw={600}
                  renderRoot={(props) => (
                    <Link to="/admin/accounts/$userId" params={{ userId: request.user_id }} {...props} />
                  )}
                >
                  <bdi>{request.account}</bdi>
                </Anchor>
                , API key {request.key_id} (…{request.ends_with}): {request.present_plan} to {request.plan},{" "}
                <RelativeTime at={request.created_at} />
              </Text>
              <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere", whiteSpace: "pre-line" }} dir="auto">
                {request.reason}
              </Text>
            </Stack>
            <Group gap="xs">
              <Button
                size="xs"
                loading={grant.isPending && grant.variables === request.id}
                onClick={() => grant.mutate(request.id)}
              >
                Grant {request.plan}
              </Button>
              <Button size="xs" variant="default" onClick={() => setRefusing(request)}>
                Refuse
              </Button>
            </Group>
          </Group>
        </Paper>
      ))}
      <ReasonDialog
        title="Refuse higher limits"
        opened={refusing !== null}
        onClose={() => setRefusing(null)}
        reasonHelp="The person who asked gets it by mail."
        confirmLabel="Refuse"
        error={refuse.error}
        isPending={refuse.isPending}
        onConfirm={(response) => refusing !== null && refuse.mutate({ id: refusing.id, response })}
      >
        API key {refusing?.key_id} stays in the plan {refusing?.present_plan}.
      </ReasonDialog>
    </Stack>
  );
}
