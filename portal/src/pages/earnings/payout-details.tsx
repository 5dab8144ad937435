import { Alert, Button, Group, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import { t } from "../../api/locale.ts";
import type { components } from "../../api/paths.ts";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { Section } from "../../display/section.tsx";
import { GuardedForm } from "../../display/unsaved-work.tsx";
import { words } from "../../display/words.tsx";
import { earningsQuery } from "./earnings-query.ts";

type Details = components["schemas"]["PayoutDetails"];

/** The bank or Stripe account that payouts go to, and the form that changes the bank account. */
export function PayoutDetails({ details }: { details: Details | null }) {
  const [isEdited, setIsEdited] = useState(false);
  return (
    <Section title={t("sales.payoutDetails")}>
      <Stack gap="sm" maw={640}>
        {details?.blocked_reason != null && (
          <Alert color="red" title={t("sales.lastPayoutFailedTitle")}>
            {words("sales.lastPayoutFailedHint", { reason: <span lang="en">{details.blocked_reason}</span> })}
          </Alert>
        )}
        {details?.iban != null && (
          <Text size="sm">
            <bdi>{details.holder}</bdi>, {details.iban}
          </Text>
        )}
        {details?.stripe_account != null && (
          <Text size="sm">{t("sales.stripeAccount", { stripeAccount: details.stripe_account })}</Text>
        )}
        {isEdited || details === null ? (
          <DetailsForm onDone={() => setIsEdited(false)} />
        ) : (
          <Group>
            <Button size="xs" variant="default" onClick={() => setIsEdited(true)}>
              {t("sales.changeTheBankAccount")}
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
          <TextInput
            name="holder"
            label={t("sales.accountHolder")}
            description={t("sales.asYourBankHasIt")}
            maxLength={70}
            required
          />
          <TextInput
            name="iban"
            label={t("sales.iban")}
            description={t("sales.withOrWithoutSpaces")}
            maxLength={60}
            required
          />
        </SimpleGrid>
        <Group>
          <Button type="submit" loading={save.isPending}>
            {t("sales.saveTheBankAccount")}
          </Button>
        </Group>
      </Stack>
    </GuardedForm>
  );
}
