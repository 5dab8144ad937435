import { ActionIcon, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { type UseMutationResult, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import { t } from "../../api/locale.ts";
import { useUnsavedWork } from "../../api/unsaved-work.ts";
import { ErrorAlert } from "../error-alert.tsx";
import { RowsSkeleton } from "../page.tsx";
import { Permitted } from "../permitted.tsx";

const key = ["profile-links"];
const maxLinks = 8;

/** The links of the public page. */
export function LinksForm() {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery({ queryKey: key, queryFn: () => unwrap(api.GET("/account/links")) });
  // The fields remount with the saved links, so this state must be outside them.
  const save = useMutation({
    mutationFn: (links: string[]) => unwrap(api.PUT("/account/links", { body: { links } })),
    onSuccess: (answer) => client.setQueryData(key, answer),
  });
  if (error !== null) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  return data === undefined ? (
    <RowsSkeleton rows={2} />
  ) : (
    <Fields key={data.links.join("\n")} links={data.links} save={save} />
  );
}

interface FieldsProps {
  links: readonly string[];
  save: Pick<UseMutationResult<unknown, Error, string[]>, "mutate" | "error" | "isPending" | "isSuccess">;
}

function Fields({ links, save }: FieldsProps) {
  const savedLinks = links.length === 0 ? [""] : links;
  const [values, setValues] = useState(savedLinks);
  const isDirty = JSON.stringify(values) !== JSON.stringify(savedLinks);
  useUnsavedWork(isDirty);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(values.map((value) => value.trim()).filter((value) => value !== ""));
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm" maw={480}>
        {save.error !== null && <ErrorAlert error={save.error} />}
        {values.map((value, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a link has no id, only its place
          <Group key={index} gap="xs" wrap="nowrap" align="flex-end">
            <TextInput
              type="url"
              label={t("face.link", { at: index + 1 })}
              placeholder={index === 0 ? "https://www.instagram.com/name" : "https://"}
              pattern="https://.*"
              title={t("face.linkFormatHint")}
              maxLength={300}
              flex={1}
              value={value}
              onChange={({ currentTarget }) => setValues(values.with(index, currentTarget.value))}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              aria-label={t("face.removeLink", { at: index + 1 })}
              onClick={() => setValues(values.length === 1 ? [""] : values.toSpliced(index, 1))}
            >
              <IconX size={16} />
            </ActionIcon>
          </Group>
        ))}
        <Permitted to="studio:write">
          <Group gap="sm">
            <Button
              variant="subtle"
              leftSection={<IconPlus size={16} />}
              disabled={values.length >= maxLinks}
              onClick={() => setValues([...values, ""])}
            >
              {t("face.addALink")}
            </Button>
            <Button type="submit" variant="default" loading={save.isPending}>
              {t("face.saveTheLinks")}
            </Button>
            <Text size="sm" c="dimmed" role="status">
              {save.isSuccess && !isDirty ? t("ui.saved") : ""}
            </Text>
          </Group>
        </Permitted>
      </Stack>
    </form>
  );
}
