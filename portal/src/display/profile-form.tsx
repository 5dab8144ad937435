import { Button, Group, SimpleGrid, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { t } from "../api/locale.ts";
import type { components } from "../api/paths.ts";
import { ErrorAlert } from "./error-alert.tsx";
import { GuardedForm } from "./unsaved-work.tsx";

type Profile = components["schemas"]["User"];
type ProfileChanges = components["schemas"]["ProfileFields"];

const optional = ["bio", "location", "website"] as const;

interface ProfileFormProps {
  profile: Profile;
  onSave: (changes: ProfileChanges) => Promise<unknown>;
}

/** The form that changes an account's public profile. */
export function ProfileForm({ profile, onSave }: ProfileFormProps) {
  const save = useMutation({
    mutationFn: (form: FormData) => {
      const cleared = optional.map((name) => [name, text(form, name).trim() || null]);
      const body = { display_name: text(form, "display_name").trim(), ...Object.fromEntries(cleared) };
      return onSave(body);
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    save.mutate(new FormData(event.currentTarget));
  };
  return (
    <GuardedForm onSubmit={submit} error={save.error}>
      <Stack gap="sm" maw={640}>
        {save.error !== null && <ErrorAlert error={save.error} />}
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <TextInput
            name="display_name"
            label={t("ui.displayName")}
            autoComplete="name"
            maxLength={100}
            defaultValue={profile.display_name}
            required
          />
          <TextInput
            label={t("ui.username")}
            value={`@${profile.username}`}
            readOnly
            description={t("ui.doesNotChange")}
            inputWrapperOrder={["label", "input", "description"]}
          />
        </SimpleGrid>
        <Textarea
          name="bio"
          label={t("ui.bioOptional")}
          autosize
          minRows={3}
          maxRows={10}
          maxLength={2000}
          defaultValue={profile.bio ?? ""}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <TextInput
            name="location"
            label={t("ui.locationOptional")}
            maxLength={100}
            defaultValue={profile.location ?? ""}
          />
          <TextInput
            name="website"
            type="url"
            label={t("ui.websiteOptional")}
            placeholder="https://"
            maxLength={2000}
            defaultValue={profile.website ?? ""}
          />
        </SimpleGrid>
        <Group gap="sm">
          <Button type="submit" loading={save.isPending}>
            {t("ui.saveTheProfile")}
          </Button>
          <Text size="sm" c="dimmed" role="status">
            {save.isSuccess ? t("ui.saved") : ""}
          </Text>
        </Group>
      </Stack>
    </GuardedForm>
  );
}

const text = (form: FormData, name: string): string => String(form.get(name) ?? "");
