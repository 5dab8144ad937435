import { useEffect } from "react";
import { api } from "../api/client.ts";
import type { Account } from "../api/session.ts";

/** Sends the browser's time zone once, if the account has none, for the times in mails. The settings can change it. */
export function useTimeZoneReport(account: Account | null | undefined): void {
  const isUnknown = account?.time_zone === null;
  useEffect(() => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    if (isUnknown && timeZone) void api.PATCH("/account/mails", { body: { time_zone: timeZone } });
  }, [isUnknown]);
}
