import { useLocalStorage } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { api, unwrap } from "../../../api/client.ts";
import type { components } from "../../../api/paths.ts";

export type ExplorerKey = components["schemas"]["ExplorerKey"];

export interface ExplorerKeys {
  /** The account's keys; undefined while loading and when signed out. */
  keys: readonly ExplorerKey[] | undefined;
  selectedKey: ExplorerKey | null;
  error: Error | null;
  choose: (id: number) => void;
  refetch: () => Promise<unknown>;
}

/** The account's keys, and the chosen key: the first, until a choice is remembered for the account. */
export function useExplorerKeys(userId: number | null): ExplorerKeys {
  const { data, error, refetch } = useQuery({
    queryKey: ["explorer-keys", userId],
    queryFn: () => unwrap(api.GET("/explorer/keys")),
    enabled: userId !== null,
  });
  const [storedId, storeId] = useLocalStorage<number | null>({
    key: `beatmarket-explorer-key-${userId}`,
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  const keys = data?.keys;
  const selectedKey = keys?.find(({ id }) => id === storedId) ?? keys?.[0] ?? null;
  return { keys, selectedKey, error, choose: storeId, refetch };
}
