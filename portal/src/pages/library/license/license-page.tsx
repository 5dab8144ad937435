import { Anchor, Badge, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { t } from "../../../api/locale.ts";
import { licenseLabels } from "../../../display/beats/licenses.ts";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { Page, RowsSkeleton } from "../../../display/page.tsx";
import { Permitted } from "../../../display/permitted.tsx";
import { Section } from "../../../display/section.tsx";
import { words } from "../../../display/words.tsx";
import { type LibraryLicense, licenseQuery } from "./license-queries.ts";
import { ReportForm } from "./report-form.tsx";
import { Reports } from "./reports.tsx";
import { Upgrades } from "./upgrades.tsx";
import { UsageBars } from "./usage-bars.tsx";

const route = getRouteApi("/frame/signed-in/library/$orderId/license");

const states = {
  valid: "library.valid",
  expired: "library.expired",
  refunded: "library.refunded",
  replaced: "library.replaced",
} as const;

/** A license of the account: its limits, the reported usage, and the possible upgrades. */
export function LibraryLicensePage() {
  const { orderId } = route.useParams();
  const { data, error, isPending, refetch } = useQuery(licenseQuery(orderId));
  return (
    <Page
      title={t("library.licenseOfOrder", { orderId: String(orderId) })}
      lead={data && <Lead license={data} />}
      actions={
        <Anchor size="sm" renderRoot={(props) => <Link to="/library" search={{ order: orderId }} {...props} />}>
          {t("library.backToTheLibrary")}
        </Anchor>
      }
    >
      {isPending && <RowsSkeleton rows={4} />}
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {data !== undefined && (
        <Stack gap="xl" maw={720}>
          <Section title={t("library.usedSoFar")}>
            <UsageBars sums={data.usage.sums} isReplaced={data.status === "replaced"} />
          </Section>
          {data.status === "replaced" ? (
            <Text size="sm">{t("library.licenseReplaced")}</Text>
          ) : (
            <Upgrades license={data} />
          )}
          {data.status === "valid" && (
            <Permitted to="orders:write">
              <Section title={t("library.reportWhatWasUsed")}>
                <ReportForm orderId={orderId} firstMonth={data.ordered_month} />
              </Section>
            </Permitted>
          )}
          <Reports reports={data.usage.reports} />
        </Stack>
      )}
    </Page>
  );
}

const Lead = ({ license: { beat, license_type, status } }: { license: LibraryLicense }) => (
  <Group gap="xs" component="span">
    <Text component="span">
      {words("library.titleAndLicense", { title: <bdi>{beat.title}</bdi>, license: licenseLabels[license_type] })}
    </Text>
    <Badge component="span" color={status === "valid" ? "teal" : "gray"} variant="light" radius="sm" tt="none">
      {t(states[status])}
    </Badge>
  </Group>
);
