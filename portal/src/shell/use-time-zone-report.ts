import { useEffect } from "react";
import { api } from "../api/client.ts";
import type { Account } from "../api/session.ts";

/** Stores the browser's time zone if the account has none. Mails use it for times; the settings can change it. */
export function useTimeZoneReport(account: Account | null | undefined): void {
  const isUnknown = account?.time_zone === null;
  useEffect(() => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    if (isUnknown && timeZone) void api.PATCH("/account/mails", { body: { time_zone: timeZone } });
  }, [isUnknown]);
}
