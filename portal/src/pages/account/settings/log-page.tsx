import { t } from "../../../api/locale.ts";
import { AuditLog } from "../../../display/audit-log.tsx";
import { AccountSection, Part } from "./account-section.tsx";

/** Changes to the account, its keys and its webhooks, newest first. */
export const LogPage = () => (
  <AccountSection>
    <Part id="log" title={t("settings.securityLog")} lead={t("settings.securityLogLead")}>
      <AuditLog path="/audit" />
    </Part>
  </AccountSection>
);
