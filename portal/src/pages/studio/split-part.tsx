import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import { t } from "../../api/locale.ts";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { Section } from "../../display/section.tsx";
import { GuardedForm } from "../../display/unsaved-work.tsx";
import { words } from "../../display/words.tsx";

const wholeBasisPoints = 10_000;

/** The shares of a beat's sales. If the split is inactive, shows whose acceptance is missing. */
export function SplitPart({ beatId }: { beatId: number }) {
  const client = useQueryClient();
  const [isAdding, setIsAdding] = useState(false);
  const params = { path: { beat_id: beatId } };
  const queryKey = ["studio", "split", beatId];
  const { data, error } = useQuery({
    queryKey,
    queryFn: () => unwrap(api.GET("/studio/beats/{beat_id}/split", { params })),
  });
  const save = useMutation({
    mutationFn: (shares: { who: string; basis_points: number }[]) =>
      unwrap(
        api.PUT("/studio/beats/{beat_id}/split", {
          params,
          body: {
            own_basis_points: wholeBasisPoints - shares.reduce((sum, { basis_points }) => sum + basis_points, 0),
            shares,
          },
        }),
      ),
    onSuccess: (split) => {
      client.setQueryData(queryKey, split);
      setIsAdding(false);
    },
  });
  if (error !== null) return <ErrorAlert error={error} />;
  if (data === undefined) return null;
  const shares = data.shares.map(({ who, basis_points }) => ({ who, basis_points }));
  const notAccepted = data.shares.filter(({ state }) => state !== "accepted");
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const basis_points = Math.round(Number(String(form.get("percent")).replace(",", ".")) * 100);
    save.mutate([...shares, { who: String(form.get("who")).trim(), basis_points }]);
  };
  return (
    <Section title={t("studio.split")} note={t("studio.splitNote")}>
      <Stack gap="sm" maw={640}>
        {save.error !== null && <ErrorAlert error={save.error} />}
        {notAccepted.length > 0 && (
          <Text size="sm" role="status">
            {t("studio.splitNotUsedYet", {
              who: notAccepted
                .map(({ who, state }) => (state === "declined" ? t("studio.whoDeclined", { who }) : who))
                .join(", "),
            })}
          </Text>
        )}
        {data.shares.map((share) => (
          <Group key={share.id} justify="space-between" gap="sm">
            <Text size="sm">
              {words("studio.shareOf", {
                part: share.basis_points / 100,
                who: <bdi>{share.who}</bdi>,
                state: t(`split.${share.state}`),
              })}
            </Text>
            <Button
              size="xs"
              variant="default"
              aria-label={t("studio.removeCollaborator", { who: share.who })}
              loading={save.isPending}
              onClick={() => save.mutate(shares.filter(({ who }) => who !== share.who))}
            >
              {t("studio.removeButton")}
            </Button>
          </Group>
        ))}
        <Text size="sm">{t("studio.ownShare", { part: data.own_basis_points / 100 })}</Text>
        {isAdding ? (
          <GuardedForm onSubmit={add} error={save.error}>
            <Group align="flex-end" gap="sm">
              <TextInput name="who" label={t("studio.usernameOrEMail")} maxLength={254} required />
              <TextInput
                name="percent"
                label={t("studio.percent")}
                inputMode="decimal"
                pattern="\d{1,2}([.,]\d{1,2})?"
                w={100}
                required
              />
              <Button type="submit" loading={save.isPending}>
                {t("studio.offer")}
              </Button>
            </Group>
          </GuardedForm>
        ) : (
          <Group>
            <Button size="xs" variant="default" onClick={() => setIsAdding(true)}>
              {t("studio.addACollaborator")}
            </Button>
          </Group>
        )}
      </Stack>
    </Section>
  );
}
