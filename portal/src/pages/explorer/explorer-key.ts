import { useLocalStorage } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { answered, api } from "../../api/client.ts";
import type { components } from "../../api/paths.ts";

export type ExplorerKey = components["schemas"]["ExplorerKey"];

export interface ExplorerKeys {
  /** Undefined until they are known, and while nobody is signed in. */
  keys: readonly ExplorerKey[] | undefined;
  chosen: ExplorerKey | null;
  error: Error | null;
  choose: (id: number) => void;
  refetch: () => Promise<unknown>;
}

/** The account's keys and the one to call with, which is kept: the first until another is chosen. */
export function useExplorerKey(userId: number | null): ExplorerKeys {
  const { data, error, refetch } = useQuery({
    queryKey: ["explorer-keys", userId],
    queryFn: () => answered(api.GET("/explorer/keys")),
    enabled: userId !== null,
  });
  const [kept, keep] = useLocalStorage<number | null>({
    key: `beatmarket-explorer-key-${userId}`,
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  const keys = data?.keys;
  const chosen = keys?.find(({ id }) => id === kept) ?? keys?.[0] ?? null;
  return { keys, chosen, error, choose: keep, refetch };
}
