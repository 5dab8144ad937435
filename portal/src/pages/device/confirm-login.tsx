import { Alert, Button, Checkbox, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import type { components } from "../../api/paths.ts";
import { useAccount } from "../../api/session.ts";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { Facts } from "../../display/facts.tsx";
import { type Permission, permissionLabels } from "../../display/keys/permission-labels.ts";
import { useKeyMutation } from "../../display/keys/use-key-mutation.ts";
import { RowsSkeleton } from "../../display/page.tsx";

type DeviceLogin = components["schemas"]["DeviceLogin"];

/** The confirmation of a terminal's login. The person compares the code with the code in the terminal. */
export function ConfirmLogin({ code }: { code: string }) {
  const login = useQuery({
    queryKey: ["device-login", code],
    queryFn: () => unwrap(api.GET("/device/codes/{user_code}", { params: { path: { user_code: code } } })),
    retry: false,
    // The server deletes a login when the user confirms or refuses it, but the page must keep showing it.
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (login.isPending) return <RowsSkeleton rows={3} height={48} />;
  if (login.isError) return <ErrorAlert error={login.error} />;
  return <DecisionForm login={login.data} />;
}

function DecisionForm({ login }: { login: DeviceLogin }) {
  const organisation = useAccount()?.organisation ?? null;
  const isWithinRole = (permission: Permission) => organisation?.key_permissions.includes(permission) ?? true;
  const [permissions, setPermissions] = useState<string[]>(login.permissions.filter(isWithinRole));
  const path = { user_code: login.user_code };
  const approve = useKeyMutation<void, void>(() =>
    unwrap(
      api.POST("/device/codes/{user_code}/approve", {
        params: { path },
        body: { permissions: permissions as Permission[] },
      }),
    ),
  );
  const deny = useKeyMutation<void, void>(() =>
    unwrap(api.POST("/device/codes/{user_code}/deny", { params: { path } })),
  );
  if (approve.isSuccess)
    return (
      <Alert color="green" title="Logged in" role="status">
        The program has its key now. You may close this page. The key is in the list of API keys, where you can revoke
        it.
      </Alert>
    );
  if (deny.isSuccess)
    return (
      <Alert title="Refused" role="status">
        The program gets no key. You may close this page.
      </Alert>
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    approve.mutate();
  };
  const error = approve.error ?? deny.error;
  return (
    <form onSubmit={submit}>
      <Stack maw={560}>
        {error !== null && <ErrorAlert error={error} />}
        <Text size="xl" ff="monospace" fw={600} aria-label="Code">
          {login.user_code}
        </Text>
        <Text size="sm">
          Confirm only if you started this login yourself, and your terminal shows the same code. With the key, the
          program acts for {organisation === null ? "your account" : organisation.name}.
        </Text>
        <Facts
          rows={[
            ["Name of the key", <bdi key="name">{login.name}</bdi>],
            ["Requested from", login.client_address],
          ]}
        />
        <Checkbox.Group label="Permissions" value={permissions} onChange={setPermissions}>
          <Stack gap={8} mt="xs">
            {permissionLabels
              .filter(({ permission }) => login.permissions.includes(permission))
              .map(({ permission, label }) => (
                <Checkbox
                  key={permission}
                  value={permission}
                  label={label}
                  description={permission}
                  disabled={!isWithinRole(permission)}
                />
              ))}
          </Stack>
        </Checkbox.Group>
        <Group>
          <Button type="submit" loading={approve.isPending} disabled={permissions.length === 0}>
            Confirm
          </Button>
          <Button variant="default" loading={deny.isPending} onClick={() => deny.mutate()}>
            Refuse
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
