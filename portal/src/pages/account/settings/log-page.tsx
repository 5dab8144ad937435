import { AuditLog } from "../../../display/audit-log.tsx";
import { AccountSection, Part } from "./account-section.tsx";

/** Changes to the account, its keys and its webhooks, newest first. */
export const LogPage = () => (
  <AccountSection>
    <Part
      id="log"
      title="Security log"
      lead="Changes to the account, its keys and its webhooks. If one of them was not you, change the password and rotate the keys."
    >
      <AuditLog path="/audit" />
    </Part>
  </AccountSection>
);
