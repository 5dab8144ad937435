import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { t } from "../../../api/locale.ts";
import { useAccount } from "../../../api/session.ts";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { RowsSkeleton } from "../../../display/page.tsx";
import { AccountSection, notForDemo, Part } from "./account-section.tsx";
import { AuthenticatorPart } from "./authenticator-part.tsx";
import { ChangePassword } from "./change-password.tsx";
import { PasskeysPart } from "./passkeys-part.tsx";
import { securityQuery } from "./security-query.ts";

/** The page of the account's sign-in methods. */
export function SecurityPage() {
  const account = useAccount();
  const { data, error, refetch } = useQuery(securityQuery);
  if (account === null) return <AccountSection>{null}</AccountSection>;
  if (account.is_demo)
    return (
      <AccountSection>
        <Part id="security" title={t("settings.security")}>
          <Text size="sm">
            {notForDemo()} {t("settings.demoHasNoPassword")}
          </Text>
        </Part>
      </AccountSection>
    );
  return (
    <AccountSection>
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <RowsSkeleton rows={4} />}
      {data !== undefined && (
        <>
          <PasskeysPart passkeys={data.passkeys} />
          <AuthenticatorPart authenticator={data.authenticator} />
        </>
      )}
      <ChangePassword />
    </AccountSection>
  );
}
