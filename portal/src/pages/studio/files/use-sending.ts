import { useEffect, useSyncExternalStore } from "react";
import { useAccount } from "../../../api/session.ts";
import { useRefetchStudio } from "../studio-queries.ts";
import { Sending, type SentFile } from "./sending.ts";

/** A single object for the document, so that sending continues while the user visits other pages. */
export const sending = new Sending();

/**
 * The files that the signed-in account sends from this document. Refetches the queries of uploads when a file has
 * arrived.
 */
export function useSending(): readonly SentFile[] {
  const allFiles = useSyncExternalStore(sending.subscribe, sending.snapshot);
  const userId = useAccount()?.user_id;
  const files = allFiles.filter((file) => file.userId === userId);
  const refetch = useRefetchStudio();
  const arrived = files.filter(({ state }) => state === "sent").length;
  useEffect(() => {
    if (arrived > 0) void refetch();
  }, [arrived, refetch]);
  return files;
}
