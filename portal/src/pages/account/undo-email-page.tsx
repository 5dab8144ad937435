import { Anchor, Button, PasswordInput, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Link, useLocation } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { api, unwrap } from "../../api/client.ts";
import { t } from "../../api/locale.ts";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { SignedOutPage } from "../../shell/signed-out-page.tsx";
import { passwordRule, textField } from "./fields.ts";

/**
 * The page of the link mailed to the previous address after a change of address. It restores that address and sets a
 * new password.
 */
export function UndoEmailPage() {
  const { hash: token } = useLocation();
  const undo = useMutation({
    mutationFn: (password: string) => unwrap(api.POST("/auth/undo-email", { body: { token, password } })),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    undo.mutate(textField(new FormData(event.currentTarget), "password"));
  };
  if (undo.isSuccess)
    return (
      <SignedOutPage title={t("entry.theAccountIsYoursAgain")}>
        <Text size="sm" role="status">
          {t("entry.accountTakenBackNote")}
        </Text>
        <Anchor size="sm" renderRoot={(props) => <Link to="/sign-in" {...props} />}>
          {t("shell.signIn")}
        </Anchor>
      </SignedOutPage>
    );
  return (
    <SignedOutPage title={t("entry.takeYourAccountBack")} lead={t("entry.takeAccountBackLead")}>
      {undo.error !== null && <ErrorAlert error={undo.error} />}
      <form onSubmit={submit}>
        <Stack gap="sm">
          <PasswordInput
            name="password"
            label={t("entry.newPassword")}
            autoComplete="new-password"
            {...passwordRule()}
            required
          />
          <Button type="submit" loading={undo.isPending}>
            {t("entry.takeItBack")}
          </Button>
        </Stack>
      </form>
    </SignedOutPage>
  );
}
