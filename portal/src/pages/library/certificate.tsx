import { Anchor, Badge, Button, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { moneyText } from "../../display/beats/money.ts";
import { ownOrigin } from "../../display/beats/own-origin.ts";
import { CopyButton } from "../../display/copy-button.tsx";
import type { IssuedLicense } from "./library-queries.ts";
import { licenseQuery } from "./license/license-queries.ts";

const states = { valid: "Valid", expired: "Expired", refunded: "Refunded", replaced: "Replaced" } as const;

/** The license's public page, which anyone may open: by its link, or by the QR code of the PDF. */
export function Certificate({ license, orderId }: { license: IssuedLicense; orderId: number }) {
  const { url, status, terms_version, jws } = license;
  return (
    <div>
      <Group gap="xs">
        <Text size="sm" fw={500}>
          License
        </Text>
        <Badge color={status === "valid" ? "teal" : "gray"} variant="light" radius="sm" tt="none">
          {states[status]}
        </Badge>
        <Anchor href={ownOrigin(url)} target="_blank" rel="noopener" size="sm">
          Open its public page
        </Anchor>
        <CopyButton value={url} label="Copy the link to the public page" />
        <Text size="sm" c="dimmed">
          Signed certificate (JWS)
        </Text>
        <CopyButton value={jws} label="Copy the signed certificate" />
      </Group>
      <Text size="xs" c="dimmed">
        Anyone with the link, or with the QR code of the PDF, sees whether the license is valid, and not who bought it.
        Terms of version {terms_version}.
      </Text>
      {(status === "valid" || status === "expired") && <LicenseLinks orderId={orderId} />}
    </div>
  );
}

/** The lowest price of more, and the page that has all ways to it and what was used. */
function LicenseLinks({ orderId }: { orderId: number }) {
  const { data } = useQuery(licenseQuery(orderId));
  const [lowest] = data?.upgrades ?? [];
  const toLicense = (props: object) => <Link to="/library/$orderId/license" params={{ orderId }} {...props} />;
  return (
    <Group gap="sm" mt="xs">
      {data !== undefined && lowest !== undefined && (
        <Button size="xs" renderRoot={toLicense}>
          {lowest.is_renewal ? "Renew" : "Upgrade"}: pay {moneyText(lowest.amount, data.currency)}
          {!lowest.is_renewal && " more"}
        </Button>
      )}
      <Button size="xs" variant="default" renderRoot={toLicense}>
        Report streams, copies and videos
      </Button>
    </Group>
  );
}
