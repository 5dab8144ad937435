import { useMutation, useQueryClient } from "@tanstack/react-query";

/** A mutation by an operator. Refetches every list of the operators' pages. */
export function useAdminMutation<Input, Output>(
  change: (input: Input) => Promise<Output>,
  onDone: (output: Output) => void = () => {},
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async (output) => {
      await client.invalidateQueries({ queryKey: ["admin"] });
      onDone(output);
    },
  });
}
