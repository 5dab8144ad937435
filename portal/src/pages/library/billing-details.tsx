import { Button, Group, SimpleGrid, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import { t } from "../../api/locale.ts";
import type { components } from "../../api/paths.ts";
import { DialogContext, mayClose } from "../../api/unsaved-work.ts";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { Section } from "../../display/section.tsx";
import { GuardedForm } from "../../display/unsaved-work.tsx";

type Details = components["schemas"]["BillingDetails"];

const billingQuery = queryOptions({
  queryKey: ["library", "billing"],
  queryFn: () => unwrap(api.GET("/library/billing")),
});

/** The billing details on future invoices, and the form that changes them. */
export function BillingDetails() {
  const { data, error, refetch } = useQuery(billingQuery);
  const [isEdited, setIsEdited] = useState(false);
  return (
    <Section title={t("library.detailsForInvoices")}>
      <Stack gap="sm" maw={640}>
        {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
        {data !== undefined && !isEdited && (
          <>
            <Text size="sm" style={{ whiteSpace: "pre-line" }}>
              {data.name === ""
                ? t("library.noInvoiceDetails")
                : [data.name, data.address, data.country, data.vat_id].filter((line) => line !== "").join("\n")}
            </Text>
            <Group>
              <Button size="xs" variant="default" onClick={() => setIsEdited(true)}>
                {t("library.changeTheDetailsForInvoices")}
              </Button>
            </Group>
          </>
        )}
        {data !== undefined && isEdited && <DetailsForm details={data} onDone={() => setIsEdited(false)} />}
      </Stack>
    </Section>
  );
}

function DetailsForm({ details, onDone }: { details: Details; onDone: () => void }) {
  const client = useQueryClient();
  // Identifies this form, so that Cancel asks only about its input.
  const [formToken] = useState({});
  const save = useMutation({
    mutationFn: (body: Details) => unwrap(api.PUT("/library/billing", { body })),
    onSuccess: (saved) => {
      client.setQueryData(billingQuery.queryKey, saved);
      onDone();
    },
  });
  const cancel = async () => {
    if (await mayClose(formToken)) onDone();
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: keyof Details) => String(form.get(name) ?? "");
    save.mutate({ name: text("name"), address: text("address"), country: text("country"), vat_id: text("vat_id") });
  };
  return (
    <DialogContext.Provider value={formToken}>
      <GuardedForm onSubmit={submit} error={save.error}>
        <Stack gap="sm">
          {save.error !== null && <ErrorAlert error={save.error} />}
          <TextInput name="name" label={t("library.nameOrCompany")} defaultValue={details.name} maxLength={100} />
          <Textarea
            name="address"
            label={t("library.address")}
            description={t("library.atMostThreeLines")}
            defaultValue={details.address}
            maxLength={320}
            rows={3}
          />
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
            <TextInput
              name="country"
              label={t("library.country")}
              description={t("library.twoLettersSuchAsDE")}
              defaultValue={details.country}
              maxLength={2}
            />
            <TextInput
              name="vat_id"
              label={t("library.vatNumber")}
              description={t("library.vatNumberHint")}
              defaultValue={details.vat_id}
              maxLength={20}
            />
          </SimpleGrid>
          <Text size="sm" c="dimmed">
            {t("library.invoiceDetailsNote")}
          </Text>
          <Group>
            <Button type="submit" loading={save.isPending}>
              {t("library.saveTheDetails")}
            </Button>
            <Button variant="default" onClick={() => void cancel()}>
              {t("shell.cancel")}
            </Button>
          </Group>
        </Stack>
      </GuardedForm>
    </DialogContext.Provider>
  );
}
