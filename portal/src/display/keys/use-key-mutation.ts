import { useMutation, useQueryClient } from "@tanstack/react-query";

/** A mutation of keys. Invalidates the queries of keys, of the audit log and of the session. */
export function useKeyMutation<Input, Output>(mutationFn: (input: Input) => Promise<Output>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: () =>
      client.invalidateQueries({
        predicate: ({ queryKey: [first] }) => typeof first === "string" && /key|audit|session/.test(first),
      }),
  });
}
