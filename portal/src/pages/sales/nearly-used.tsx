import { Badge, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client.ts";
import { locale, t } from "../../api/locale.ts";
import { licenseLabels } from "../../display/beats/licenses.ts";
import { Section } from "../../display/section.tsx";

/** Sold licenses whose reported usage is near a limit. Renders nothing without any. */
export function NearlyUsed() {
  const { data } = useQuery({
    queryKey: ["sales", "nearly used"],
    queryFn: () => unwrap(api.GET("/sales/nearly-used")),
  });
  if (data === undefined || data.licenses.length === 0) return null;
  return (
    <Section title={t("sales.nearlyUsedLicenses")}>
      <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: "none" }}>
        {data.licenses.map(({ order_id, title, license_type, buyer, use, percent }) => (
          <Group key={`${order_id} ${use}`} component="li" gap="xs">
            <Text size="sm">
              <bdi>{title}</bdi>, {locale.inSentence(licenseLabels[license_type])}, <bdi>{buyer}</bdi>
            </Text>
            <Badge color={percent === 100 ? "red" : "orange"} variant="light">
              {t("sales.percentOfUseLimit", { percent, use: t(`use.${use}`) })}
            </Badge>
          </Group>
        ))}
      </Stack>
    </Section>
  );
}
