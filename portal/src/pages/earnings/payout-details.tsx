import { Alert, Button, Group, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import type { components } from "../../api/paths.ts";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { Section } from "../../display/section.tsx";
import { GuardedForm } from "../../display/unsaved-work.tsx";
import { earningsQuery } from "./earnings-query.ts";

type Details = components["schemas"]["PayoutDetails"];

/** The bank account that payouts go to. */
export function PayoutDetails({ details }: { details: Details | null }) {
  const [isEdited, setIsEdited] = useState(false);
  return (
    <Section title="Payout details">
      <Stack gap="sm" maw={640}>
        {details?.blocked_reason != null && (
          <Alert color="red" title="The last payout did not arrive">
            {details.blocked_reason}. Correct the details, and the next payout includes the money.
          </Alert>
        )}
        {details?.iban != null && (
          <Text size="sm">
            <bdi>{details.holder}</bdi>, {details.iban}
          </Text>
        )}
        {details?.stripe_account != null && <Text size="sm">Stripe account {details.stripe_account}</Text>}
        {isEdited || details === null ? (
          <DetailsForm onDone={() => setIsEdited(false)} />
        ) : (
          <Group>
            <Button size="xs" variant="default" onClick={() => setIsEdited(true)}>
              Change the bank account
            </Button>
          </Group>
        )}
      </Stack>
    </Section>
  );
}

function DetailsForm({ onDone }: { onDone: () => void }) {
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: (body: { holder: string; iban: string }) => unwrap(api.PUT("/earnings/details", { body })),
    onSuccess: (earnings) => {
      client.setQueryData(earningsQuery.queryKey, earnings);
      onDone();
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    save.mutate({ holder: String(form.get("holder")), iban: String(form.get("iban")) });
  };
  return (
    <GuardedForm onSubmit={submit} error={save.error}>
      <Stack gap="sm">
        {save.error !== null && <ErrorAlert error={save.error} />}
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <TextInput name="holder" label="Account holder" description="As your bank has it." maxLength={70} required />
          <TextInput name="iban" label="IBAN" description="With or without spaces." maxLength={60} required />
        </SimpleGrid>
        <Group>
          <Button type="submit" loading={save.isPending}>
            Save the bank account
          </Button>
        </Group>
      </Stack>
    </GuardedForm>
  );
}
