import { Button, Group } from "@mantine/core";
import { t } from "../../../api/locale.ts";
import { DateTimeInput } from "../../../display/date-time-input.tsx";
import { zoneName } from "../../../display/time-zone.tsx";
import { fieldId } from "./field-errors.ts";
import { FieldProblem } from "./field-problem.tsx";

interface PublishAtFieldProps {
  /** The scheduled time of publishing in ISO 8601; null if none is scheduled. */
  value: string | null;
  problem: string | undefined;
  onChange: (at: string | null) => void;
}

/** The field of the scheduled time of publishing. The label names the time zone. */
export const PublishAtField = ({ value, problem, onChange }: PublishAtFieldProps) => (
  <div id={fieldId("publish_at")} tabIndex={-1}>
    <Group align="flex-end" gap="xs">
      <DateTimeInput
        label={t("studio.publishAtOptional", { zoneName: zoneName("local") })}
        description={t("studio.publishAtDescription")}
        value={value ?? undefined}
        onChange={(at) => onChange(at ?? null)}
      />
      {value !== null && (
        <Button variant="default" onClick={() => onChange(null)}>
          {t("studio.clearPublishAt")}
        </Button>
      )}
    </Group>
    {problem !== undefined && <FieldProblem field="publish_at" problem={problem} />}
  </div>
);
