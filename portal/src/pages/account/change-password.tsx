import { Alert, Button, Group, Paper, PasswordInput, Stack, Text, Title } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { passwordRule } from "./fields.ts";

/** Changes the password, which ends every other session of the account. */
export function ChangePassword({ isDemo }: { isDemo: boolean }) {
  const client = useQueryClient();
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const change = useMutation({
    mutationFn: () =>
      unwrap(api.POST("/auth/change-password", { body: { current_password: current, new_password: next } })),
    onSuccess: () => {
      setCurrent("");
      setNext("");
      return client.invalidateQueries({ queryKey: ["audit"] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="password">
      <Title order={2} size="h5" id="password">
        Password
      </Title>
      {isDemo ? (
        <Text size="sm" c="dimmed" mt="xs">
          The demo account has no password. Everyone who tries this server shares it.
        </Text>
      ) : (
        <form onSubmit={submit}>
          <Stack gap="sm" maw={420} mt="sm">
            {change.error !== null && <ErrorAlert error={change.error} />}
            {change.isSuccess && (
              <Alert color="teal" variant="light" role="status">
                The password has been changed. Every other session has ended.
              </Alert>
            )}
            <PasswordInput
              label="Current password"
              autoComplete="current-password"
              value={current}
              onChange={(event) => setCurrent(event.currentTarget.value)}
              required
            />
            <PasswordInput
              label="New password"
              autoComplete="new-password"
              {...passwordRule}
              value={next}
              onChange={(event) => setNext(event.currentTarget.value)}
              required
            />
            <Group>
              <Button type="submit" variant="default" loading={change.isPending}>
                Change password
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Paper>
  );
}
