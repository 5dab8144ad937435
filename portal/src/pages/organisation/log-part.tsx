import { t } from "../../api/locale.ts";
import { AuditLog } from "../../display/audit-log.tsx";
import { Part } from "./part.tsx";

/** Members' actions on the organisation, its keys and its webhooks, newest first. */
export const LogPart = () => (
  <Part id="log" title={t("settings.log")} lead={t("settings.organisationLogLead")}>
    <AuditLog path="/organisation/audit" />
  </Part>
);
