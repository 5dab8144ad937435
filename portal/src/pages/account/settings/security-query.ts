import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "../../../api/client.ts";
import type { components } from "../../../api/paths.ts";

export type Security = components["schemas"]["AccountSecurity"];

/** The account's authenticator and passkeys. */
export const securityQuery = queryOptions({
  queryKey: ["account-security"],
  queryFn: () => unwrap(api.GET("/account/security")),
});

/** A mutation that refetches the account's security, sessions and log. */
export function useAccountMutation<Input = void, Output = unknown>(mutationFn: (input: Input) => Promise<Output>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: () =>
      Promise.all(
        [securityQuery.queryKey, ["account-sessions"], ["audit"]].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      ),
  });
}
