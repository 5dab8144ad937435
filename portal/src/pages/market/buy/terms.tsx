import { Paper, Text, Title } from "@mantine/core";
import { t } from "../../../api/locale.ts";
import type { OfferedLicense } from "../../../api/market.ts";

/** The terms of a license, in full. */
export const Terms = ({ terms: { title, version, blocks } }: { terms: OfferedLicense["terms"] }) => (
  <div>
    <Text size="sm" fw={500} mb={4}>
      {t("market.termsTitle", { title, version })}
    </Text>
    <Paper
      withBorder
      p="sm"
      mah={220}
      style={{ overflowY: "auto" }}
      tabIndex={0}
      role="region"
      aria-label={t("market.termsRegionLabel", { title })}
    >
      {blocks.map(({ kind, text }, index) =>
        kind === "heading" ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes
          <Title key={index} order={3} size="h6" mt="sm" mb={4}>
            {text}
          </Title>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes
          <Text key={index} size="sm" mb={4} dir="auto">
            {kind === "item" ? `• ${text}` : text}
          </Text>
        ),
      )}
    </Paper>
  </div>
);
