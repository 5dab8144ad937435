import { Anchor, Button, PasswordInput, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useLocation } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { api, unwrap } from "../../api/client.ts";
import { t } from "../../api/locale.ts";
import { sessionKey } from "../../api/session.ts";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { SignedOutPage } from "../../shell/signed-out-page.tsx";
import { textField } from "./fields.ts";

/**
 * The page of the link mailed to a new address. It asks for the password, because a mistyped address may be a
 * stranger's.
 */
export function ConfirmEmailPage() {
  const { hash: token } = useLocation();
  const client = useQueryClient();
  const confirm = useMutation({
    mutationFn: (password: string) => unwrap(api.POST("/auth/confirm-email", { body: { token, password } })),
    onSuccess: () => client.invalidateQueries({ queryKey: sessionKey }),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    confirm.mutate(textField(new FormData(event.currentTarget), "password"));
  };
  if (confirm.isSuccess)
    return (
      <SignedOutPage title={t("entry.theAddressIsChanged")}>
        <Text size="sm" role="status">
          {t("entry.newAddressSignsIn")}
        </Text>
        <Anchor size="sm" renderRoot={(props) => <Link to="/account" {...props} />}>
          {t("entry.toYourAccount")}
        </Anchor>
      </SignedOutPage>
    );
  return (
    <SignedOutPage title={t("entry.confirmYourNewAddress")} lead={t("entry.confirmAddressLead")}>
      {confirm.error !== null && <ErrorAlert error={confirm.error} />}
      <form onSubmit={submit}>
        <Stack gap="sm">
          <PasswordInput name="password" label={t("shell.password")} autoComplete="current-password" required />
          <Button type="submit" loading={confirm.isPending}>
            {t("entry.useThisAddress")}
          </Button>
        </Stack>
      </form>
    </SignedOutPage>
  );
}
