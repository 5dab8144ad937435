import { Button, Group } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { t } from "../../api/locale.ts";
import { Select } from "../../display/select.tsx";
import { lastMonths } from "./last-months.ts";

const monthsOffered = 36;

/** The sales of a month, as CSV. */
export function MonthFile() {
  const [months] = useState(() => lastMonths(new Date(), monthsOffered));
  const [month, setMonth] = useState(months[0] ?? "");
  return (
    <Group gap="xs" align="flex-end">
      <Select
        size="xs"
        aria-label={t("sales.monthUTC")}
        data={months}
        value={month}
        onChange={(value) => setMonth(value ?? month)}
        w={110}
      />
      <Button
        component="a"
        href={`/portal/api/sales.csv?month=${month}`}
        download
        size="xs"
        variant="default"
        leftSection={<IconDownload size={14} />}
      >
        {t("sales.csvOfMonth", { month })}
      </Button>
    </Group>
  );
}
