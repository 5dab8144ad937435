import { Alert, Stack, Text } from "@mantine/core";
import { IconFlag } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "../../../api/client.ts";
import { t } from "../../../api/locale.ts";
import { FutureTime } from "../../../display/relative-time.tsx";
import { reportReasons, reportStates } from "../../../display/report-labels.ts";
import { words } from "../../../display/words.tsx";
import { beatQuery, type OwnBeat } from "../studio-queries.ts";
import { AnswerForm } from "./answer-form.tsx";

type Report = OwnBeat["reports"][number];

/** The reports of the beat about which the producer got a notice. */
export const ReportNotices = ({ live: { beat, reports } }: { live: Pick<OwnBeat, "beat" | "reports"> }) =>
  reports.map((report) => <Notice key={report.id} beatId={beat.id} report={report} />);

function Notice({ beatId, report }: { beatId: number; report: Report }) {
  const client = useQueryClient();
  const { id, reason, details, state, counter, counter_until, can_counter, decision } = report;
  const isDecided = state === "upheld" || state === "rejected";
  return (
    <Alert
      color={isDecided ? "gray" : "orange"}
      variant="light"
      icon={<IconFlag />}
      title={
        isDecided
          ? t("studio.reportDecided", { state: reportStates[state].label, reason: reportReasons[reason] })
          : t("studio.reported", { reason: reportReasons[reason] })
      }
    >
      <Stack gap="sm">
        <Text size="sm" dir="auto" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
          {details ?? t("studio.theTextIsErased")}
        </Text>
        {counter !== null && (
          <Text size="sm" component="div">
            {t("studio.youCountered")}
            <bdi style={{ display: "block", whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>{counter}</bdi>
          </Text>
        )}
        {decision !== null && <Text size="sm">{t("studio.operatorDecision", { decision })}</Text>}
        {can_counter && (
          <>
            <Text size="sm">
              {words("studio.mayCounterUntil", { counterUntil: <FutureTime at={counter_until} /> })}
            </Text>
            <AnswerForm
              label={t("studio.yourCounterNotice")}
              confirmLabel={t("studio.sendCounterNotice")}
              onSend={async (text) => {
                const params = { path: { report_id: id } };
                const updatedBeat = await unwrap(
                  api.POST("/studio/reports/{report_id}/counter", { params, body: { text } }),
                );
                client.setQueryData(beatQuery(beatId).queryKey, updatedBeat);
              }}
            />
          </>
        )}
      </Stack>
    </Alert>
  );
}
