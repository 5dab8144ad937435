import { Button, Group, SimpleGrid, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import type { components } from "../../api/paths.ts";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { Section } from "../../display/section.tsx";
import { GuardedForm } from "../../display/unsaved-work.tsx";

type Details = components["schemas"]["BillingDetails"];

const billingQuery = queryOptions({
  queryKey: ["library", "billing"],
  queryFn: () => unwrap(api.GET("/library/billing")),
});

/** How invoices of later purchases name the account. */
export function BillingDetails() {
  const { data, error, refetch } = useQuery(billingQuery);
  const [isEdited, setIsEdited] = useState(false);
  return (
    <Section title="Details for invoices">
      <Stack gap="sm" maw={640}>
        {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
        {data !== undefined && !isEdited && (
          <>
            <Text size="sm" style={{ whiteSpace: "pre-line" }}>
              {data.name === ""
                ? "Your invoices name you as your licenses do. A company may want its address and VAT number there."
                : [data.name, data.address, data.country, data.vat_id].filter((line) => line !== "").join("\n")}
            </Text>
            <Group>
              <Button size="xs" variant="default" onClick={() => setIsEdited(true)}>
                Change the details for invoices
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
  const save = useMutation({
    mutationFn: (body: Details) => unwrap(api.PUT("/library/billing", { body })),
    onSuccess: (saved) => {
      client.setQueryData(billingQuery.queryKey, saved);
      onDone();
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: keyof Details) => String(form.get(name) ?? "");
    save.mutate({ name: text("name"), address: text("address"), country: text("country"), vat_id: text("vat_id") });
  };
  return (
    <GuardedForm onSubmit={submit} error={save.error}>
      <Stack gap="sm">
        {save.error !== null && <ErrorAlert error={save.error} />}
        <TextInput name="name" label="Name or company" defaultValue={details.name} maxLength={100} />
        <Textarea
          name="address"
          label="Address"
          description="At most three lines."
          defaultValue={details.address}
          maxLength={320}
          rows={3}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <TextInput
            name="country"
            label="Country"
            description="Two letters, such as DE."
            defaultValue={details.country}
            maxLength={2}
          />
          <TextInput
            name="vat_id"
            label="VAT number"
            description="With its country, such as DE123456789."
            defaultValue={details.vat_id}
            maxLength={20}
          />
        </SimpleGrid>
        <Text size="sm" c="dimmed">
          They are used from your next purchase on. Invoices that you have stay as they are.
        </Text>
        <Group>
          <Button type="submit" loading={save.isPending}>
            Save the details
          </Button>
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </GuardedForm>
  );
}
