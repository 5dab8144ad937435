import { useMutation, useQueryClient } from "@tanstack/react-query";

/** A change of keys; whatever shows keys is read anew after it. */
export function useKeyChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () =>
      client.invalidateQueries({
        predicate: ({ queryKey: [first] }) => typeof first === "string" && /key|audit|session/.test(first),
      }),
  });
}
