import { Anchor, Badge, Button, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { t } from "../../api/locale.ts";
import { moneyText } from "../../display/beats/money.ts";
import { ownOrigin } from "../../display/beats/own-origin.ts";
import { CopyButton } from "../../display/copy-button.tsx";
import type { IssuedLicense } from "./library-queries.ts";
import { licenseQuery } from "./license/license-queries.ts";

const states = {
  valid: "library.valid",
  expired: "library.expired",
  refunded: "library.refunded",
  replaced: "library.replaced",
} as const;

/** The certificate of a license, with a link to the public page. The PDF's QR code leads to the same page. */
export function Certificate({ license, orderId }: { license: IssuedLicense; orderId: number }) {
  const { url, status, terms_version, jws } = license;
  return (
    <div>
      <Group gap="xs">
        <Text size="sm" fw={500}>
          {t("library.license")}
        </Text>
        <Badge color={status === "valid" ? "teal" : "gray"} variant="light" radius="sm" tt="none">
          {t(states[status])}
        </Badge>
        <Anchor href={ownOrigin(url)} target="_blank" rel="noopener" size="sm">
          {t("library.openItsPublicPage")}
        </Anchor>
        <CopyButton value={url} label={t("library.copyPublicPageLink")} />
        <Text size="sm" c="dimmed">
          {t("library.signedCertificateJWS")}
        </Text>
        <CopyButton value={jws} label={t("library.copyTheSignedCertificate")} />
      </Group>
      <Text size="xs" c="dimmed">
        {t("library.publicPageNote", { termsVersion: terms_version })}
      </Text>
      {(status === "valid" || status === "expired") && <LicenseLinks orderId={orderId} />}
    </div>
  );
}

/** Links to the license's page, for the lowest upgrade or the renewal, and for reports of usage. */
function LicenseLinks({ orderId }: { orderId: number }) {
  const { data } = useQuery(licenseQuery(orderId));
  const [lowest] = data?.upgrades ?? [];
  const toLicense = (props: object) => <Link to="/library/$orderId/license" params={{ orderId }} {...props} />;
  return (
    <Group gap="sm" mt="xs">
      {data !== undefined && lowest !== undefined && (
        <Button size="xs" renderRoot={toLicense}>
          {t(lowest.is_renewal ? "library.renewPay" : "library.upgradePay", {
            sum: moneyText(lowest.amount, data.currency),
          })}
        </Button>
      )}
      <Button size="xs" variant="default" renderRoot={toLicense}>
        {t("library.reportStreamsCopiesAndVideos")}
      </Button>
    </Group>
  );
}
