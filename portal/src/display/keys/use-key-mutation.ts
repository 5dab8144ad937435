import { useMutation, useQueryClient } from "@tanstack/react-query";

/** A mutation of keys. Invalidates every query that contains keys. */
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
