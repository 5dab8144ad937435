import { Alert, Button, Group, PasswordInput, Stack } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { api, unwrap } from "../../../api/client.ts";
import { t } from "../../../api/locale.ts";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { GuardedForm } from "../../../display/unsaved-work.tsx";
import { passwordRule } from "../fields.ts";
import { Part } from "./account-section.tsx";
import { useAccountMutation } from "./security-query.ts";

/** The form that changes the password, which ends all other sessions of the account. */
export function ChangePassword() {
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const change = useAccountMutation(() =>
    unwrap(api.POST("/auth/change-password", { body: { current_password: current, new_password: next } })),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate(undefined, {
      onSuccess: () => {
        setCurrent("");
        setNext("");
      },
    });
  };
  return (
    <Part id="password" title={t("shell.password")} lead={t("settings.changePasswordLead")}>
      <GuardedForm onSubmit={submit} error={change.error}>
        <Stack gap="sm" maw={420}>
          {change.error !== null && <ErrorAlert error={change.error} />}
          {change.isSuccess && (
            <Alert color="teal" variant="light" role="status">
              {t("settings.passwordChanged")}
            </Alert>
          )}
          <PasswordInput
            label={t("settings.currentPassword")}
            autoComplete="current-password"
            value={current}
            onChange={(event) => setCurrent(event.currentTarget.value)}
            required
          />
          <PasswordInput
            label={t("settings.newPassword")}
            autoComplete="new-password"
            {...passwordRule()}
            value={next}
            onChange={(event) => setNext(event.currentTarget.value)}
            required
          />
          <Group>
            <Button type="submit" variant="default" loading={change.isPending}>
              {t("settings.changePassword")}
            </Button>
          </Group>
        </Stack>
      </GuardedForm>
    </Part>
  );
}
