import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { Section } from "../../display/section.tsx";
import { GuardedForm } from "../../display/unsaved-work.tsx";

const wholeBasisPoints = 10_000;

/** Who shares the sales of a beat. It says when the split is not used, and for whom it waits. */
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
  const waiting = data.shares.filter(({ state }) => state !== "accepted");
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const basis_points = Math.round(Number(String(form.get("percent")).replace(",", ".")) * 100);
    save.mutate([...shares, { who: String(form.get("who")).trim(), basis_points }]);
  };
  return (
    <Section title="Split" note="Collaborators who get a part of each sale, after the commission.">
      <Stack gap="sm" maw={640}>
        {save.error !== null && <ErrorAlert error={save.error} />}
        {waiting.length > 0 && (
          <Text size="sm" role="status">
            This split is not used yet: you get all of a sale until{" "}
            {waiting.map(({ who, state }) => (state === "declined" ? `${who} (who declined)` : who)).join(", ")} accept.
          </Text>
        )}
        {data.shares.map((share) => (
          <Group key={share.id} justify="space-between" gap="sm">
            <Text size="sm">
              {share.basis_points / 100} % for <bdi>{share.who}</bdi>: {share.state}
            </Text>
            <Button
              size="xs"
              variant="default"
              aria-label={`Remove ${share.who}`}
              loading={save.isPending}
              onClick={() => save.mutate(shares.filter(({ who }) => who !== share.who))}
            >
              Remove
            </Button>
          </Group>
        ))}
        <Text size="sm">{data.own_basis_points / 100} % for you</Text>
        {isAdding ? (
          <GuardedForm onSubmit={add} error={save.error}>
            <Group align="flex-end" gap="sm">
              <TextInput name="who" label="Username or e-mail" maxLength={254} required />
              <TextInput
                name="percent"
                label="Percent"
                inputMode="decimal"
                pattern="\d{1,2}([.,]\d{1,2})?"
                w={100}
                required
              />
              <Button type="submit" loading={save.isPending}>
                Offer
              </Button>
            </Group>
          </GuardedForm>
        ) : (
          <Group>
            <Button size="xs" variant="default" onClick={() => setIsAdding(true)}>
              Add a collaborator
            </Button>
          </Group>
        )}
      </Stack>
    </Section>
  );
}
