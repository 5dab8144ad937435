import { Stack, Switch } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { isLanguage, languageCodes, languages } from "../../../../../contract/texts/languages.ts";
import { api, unwrap } from "../../../api/client.ts";
import { showLanguage } from "../../../api/language.ts";
import { t } from "../../../api/locale.ts";
import type { components } from "../../../api/paths.ts";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { RowsSkeleton } from "../../../display/page.tsx";
import { Select } from "../../../display/select.tsx";
import { Part } from "./account-section.tsx";

const mailsKey = ["mail-preferences"];

/**
 * The settings of optional mails, the time zone of mails, and the language of mails and portal. Each change is saved at
 * once.
 */
export function MailsPart() {
  const { data, error, refetch } = useQuery({
    queryKey: mailsKey,
    queryFn: () => unwrap(api.GET("/account/mails")),
  });
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: (body: Partial<components["schemas"]["MailPreferences"]>) =>
      unwrap(api.PATCH("/account/mails", { body })),
    onSuccess: async (preferences, { language }) => {
      client.setQueryData(mailsKey, preferences);
      if (isLanguage(language)) await showLanguage(language);
    },
  });
  const zones = ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];
  return (
    <Part id="mails" title={t("settings.mails")} lead={t("settings.mailsLead")}>
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {save.error !== null && <ErrorAlert error={save.error} />}
      {data === undefined ? (
        error === null && <RowsSkeleton rows={2} />
      ) : (
        <Stack gap="sm" maw={420}>
          <Switch
            label={t("settings.aMailForEachSale")}
            checked={data.sale_mails}
            disabled={save.isPending}
            onChange={({ currentTarget }) => save.mutate({ sale_mails: currentTarget.checked })}
          />
          <Select
            label={t("settings.timeZoneOfTheMails")}
            data={zones.map((zone) => ({ value: zone, label: zone }))}
            value={data.time_zone ?? "UTC"}
            onChange={(zone) => zone !== null && save.mutate({ time_zone: zone })}
          />
          <Select
            label={t("settings.language")}
            data={languageCodes.map((code) => ({ value: code, label: languages[code].name }))}
            value={data.language ?? "en"}
            onChange={(code) => isLanguage(code) && save.mutate({ language: code })}
          />
        </Stack>
      )}
    </Part>
  );
}
