import { Button, Group, NativeSelect, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import { t } from "../../api/locale.ts";
import { type Account, refreshSession } from "../../api/session.ts";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { Permitted } from "../../display/permitted.tsx";
import { GuardedForm } from "../../display/unsaved-work.tsx";
import { useMembershipChange } from "./membership-change.tsx";
import type { Organisation } from "./organisation-query.ts";
import { Part } from "./part.tsx";

/** Buttons to leave, to hand over and to delete the organisation. */
export function EndPart({ organisation, account }: { organisation: Organisation; account: Account }) {
  const client = useQueryClient();
  const router = useRouter();
  const showOwnAccount = async () => {
    await refreshSession(client);
    router.history.push("/portal");
  };
  const departure = useMembershipChange(showOwnAccount);
  const transfer = useMembershipChange();
  const erase = useMutation({
    mutationFn: (username: string) => unwrap(api.POST("/organisation/erasure", { body: { username } })),
    onSuccess: showOwnAccount,
  });
  const [typedText, setTypedText] = useState("");
  const otherMembers = organisation.members.filter(({ is_you }) => !is_you);
  const error = departure.error ?? transfer.error ?? erase.error;
  const name = account.organisation?.name ?? "";
  const leave = () =>
    departure.begin({
      userId: account.person_id,
      role: null,
      title: t("settings.leaveOrganisation", { name }),
      run: (query) => unwrap(api.POST("/organisation/leave", { params: { query } })),
    });
  const submitTransfer = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const to = Number(new FormData(event.currentTarget).get("to"));
    transfer.begin({
      userId: account.person_id,
      // The former owner's role.
      role: "developer",
      title: t("settings.handOverOrganisation", { name }),
      run: (query) => unwrap(api.POST("/organisation/transfer", { params: { query }, body: { user_id: to } })),
    });
  };
  const submitErasure = (event: FormEvent) => {
    event.preventDefault();
    erase.mutate(typedText);
  };
  return (
    <Part id="end" title={t("settings.leaveHandOverOrDelete")} lead={t("settings.lastOwnerMustHandOver")}>
      {error !== null && <ErrorAlert error={error} />}
      <Group>
        <Button variant="default" loading={departure.isBusy} onClick={leave}>
          {t("settings.leaveOrganisation", { name })}
        </Button>
      </Group>
      <Permitted to="organisation:manage">
        <Stack gap="sm" maw={520}>
          {otherMembers.length > 0 && (
            <GuardedForm onSubmit={submitTransfer} error={error}>
              <Group align="flex-end" gap="sm">
                <NativeSelect
                  name="to"
                  label={t("settings.newOwnerInYourPlace")}
                  data={otherMembers.map(({ user_id, email }) => ({ value: String(user_id), label: email }))}
                />
                <Button type="submit" variant="default" loading={transfer.isBusy}>
                  {t("settings.handOverButton")}
                </Button>
              </Group>
            </GuardedForm>
          )}
          <GuardedForm onSubmit={submitErasure} error={error}>
            <Group align="flex-end" gap="sm">
              <TextInput
                label={t("settings.typeToDeleteIt", { username: organisation.username })}
                autoComplete="off"
                spellCheck={false}
                value={typedText}
                onChange={(event) => setTypedText(event.currentTarget.value)}
                required
              />
              <Button
                type="submit"
                color="red"
                disabled={typedText.trim() !== organisation.username}
                loading={erase.isPending}
              >
                {t("settings.deleteForGood")}
              </Button>
            </Group>
          </GuardedForm>
        </Stack>
      </Permitted>
      {departure.dialog}
      {transfer.dialog}
    </Part>
  );
}
