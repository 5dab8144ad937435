import { Progress, Text } from "@mantine/core";
import { t } from "../../api/locale.ts";
import { bytesInWords } from "./files/sending.ts";
import type { Storage } from "./studio-queries.ts";

/** The used share of the account's storage. Renders nothing for an account without a limit. */
export function StorageUse({ storage }: { storage: Storage | undefined }) {
  if (storage === undefined || storage.max_bytes === null) return null;
  const { used_bytes: usedBytes, max_bytes: maxBytes } = storage;
  const percent = Math.min(100, Math.round((100 * usedBytes) / maxBytes));
  const words = t("studio.storageUsed", {
    used: usedBytes === 0 ? t("studio.nothing") : bytesInWords(usedBytes),
    max: bytesInWords(maxBytes),
  });
  return (
    <div>
      <Progress value={percent} size="sm" mb={4} color={colorOf(percent)} aria-label={words} />
      <Text size="xs" c="dimmed">
        {words} {percent >= 90 && t("studio.storageNearlyFull")}
      </Text>
    </div>
  );
}

function colorOf(percent: number): string {
  if (percent >= 90) return "red";
  return percent >= 70 ? "orange" : "violet";
}
