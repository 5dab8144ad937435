import { Button, Group, Stack, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client.ts";
import { t } from "../../api/locale.ts";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { ProducerLink } from "../../display/producer-link.tsx";
import { Section } from "../../display/section.tsx";
import { words } from "../../display/words.tsx";

const queryKey = ["earnings", "splits"];

/**
 * The account's shares of other producers' beats: offered, accepted and declined ones. Renders nothing without any
 * share.
 */
export function SplitInvitations() {
  const client = useQueryClient();
  const { data } = useQuery({ queryKey, queryFn: () => unwrap(api.GET("/earnings/splits")) });
  const answer = useMutation({
    mutationFn: ({ id, accepts }: { id: number; accepts: boolean }) =>
      unwrap(api.POST("/earnings/splits/{share_id}", { params: { path: { share_id: id } }, body: { accepts } })),
    onSuccess: () => client.invalidateQueries({ queryKey }),
  });
  if (data === undefined || data.invitations.length === 0) return null;
  return (
    <Section title={t("sales.splits")} note={t("sales.splitsNote")}>
      <Stack gap="sm">
        {answer.error !== null && <ErrorAlert error={answer.error} />}
        {data.invitations.map(({ id, title, producer_id, producer_name, basis_points, state }) => (
          <Group key={id} justify="space-between" gap="sm">
            <Text size="sm">
              {words("sales.splitInvitation", {
                part: basis_points / 100,
                title: <bdi>{title}</bdi>,
                producer: <ProducerLink id={producer_id} name={producer_name} />,
                state: t(`split.${state}`),
              })}
            </Text>
            <Group gap="xs">
              {state !== "accepted" && (
                <Button size="xs" loading={answer.isPending} onClick={() => answer.mutate({ id, accepts: true })}>
                  {t("sales.accept")}
                </Button>
              )}
              {state !== "declined" && (
                <Button
                  size="xs"
                  variant="default"
                  loading={answer.isPending}
                  onClick={() => answer.mutate({ id, accepts: false })}
                >
                  {t("sales.decline")}
                </Button>
              )}
            </Group>
          </Group>
        ))}
      </Stack>
    </Section>
  );
}
