import { Button, Group, Stack, Text, Textarea } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { api, unwrap } from "../../../api/client.ts";
import { t } from "../../../api/locale.ts";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { RowsSkeleton } from "../../../display/page.tsx";
import { GuardedForm } from "../../../display/unsaved-work.tsx";
import { Part } from "./account-section.tsx";

const embedsKey = ["embed-origins"];

/** The form for the sites that may embed the account's beats. */
export function EmbedsPart() {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: embedsKey,
    queryFn: () => unwrap(api.GET("/account/embed-origins")),
  });
  const save = useMutation({
    mutationFn: (origins: string[]) => unwrap(api.PUT("/account/embed-origins", { body: { origins } })),
    onSuccess: (saved) => client.setQueryData(embedsKey, saved),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get("origins") ?? "");
    save.mutate(text.split(/[\s,]+/).filter((origin) => origin !== ""));
  };
  return (
    <Part id="embeds" title={t("settings.playersOnOtherSites")} lead={t("settings.embedsLead")}>
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null && <RowsSkeleton rows={2} />
      ) : (
        <GuardedForm onSubmit={submit} error={save.error}>
          <Stack gap="sm" maw={420}>
            {save.error !== null && <ErrorAlert error={save.error} />}
            <Textarea
              key={data.origins.join()}
              name="origins"
              label={t("settings.sites")}
              description={t("settings.sitesHint")}
              autosize
              minRows={2}
              maxRows={10}
              defaultValue={data.origins.join("\n")}
            />
            <Group gap="sm">
              <Button type="submit" variant="default" loading={save.isPending}>
                {t("settings.saveTheSites")}
              </Button>
              <Text size="sm" c="dimmed" role="status">
                {save.isSuccess ? t("ui.saved") : ""}
              </Text>
            </Group>
          </Stack>
        </GuardedForm>
      )}
    </Part>
  );
}
