import { useEffect } from "react";
import { api } from "../api/client.ts";
import type { Account } from "../api/session.ts";

/** Sends the zone of the browser once, if the account has none, for the times in mails. The settings change it. */
export function useTimeZoneReport(account: Account | null | undefined): void {
  const isUnknown = account?.time_zone === null;
  useEffect(() => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    if (isUnknown && timeZone) void api.PATCH("/account/mails", { body: { time_zone: timeZone } });
  }, [isUnknown]);
}
