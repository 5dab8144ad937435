import { AuditLog } from "../../display/audit-log.tsx";
import { Part } from "./part.tsx";

/** Members' actions on the organisation, its keys and its webhooks, newest first. */
export const LogPart = () => (
  <Part id="log" title="Log" lead="What members did with the organisation, its keys and its webhooks.">
    <AuditLog path="/organisation/audit" />
  </Part>
);
