import { Alert, Stack, Text } from "@mantine/core";
import { IconBan } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "../../../api/client.ts";
import { t } from "../../../api/locale.ts";
import { RelativeTime } from "../../../display/relative-time.tsx";
import { words } from "../../../display/words.tsx";
import { beatQuery, type OwnBeat } from "../studio-queries.ts";
import { AnswerForm } from "./answer-form.tsx";

/** The reason for a takedown, and the producer's answer. Renders nothing without a takedown. */
export function TakedownNote({ live: { beat, takedown } }: { live: Pick<OwnBeat, "beat" | "takedown"> }) {
  const client = useQueryClient();
  if (takedown === null) return null;
  return (
    <Alert color="red" variant="light" icon={<IconBan />} title={t("studio.takedownTitle")}>
      <Stack gap="sm">
        <Text size="sm" style={{ overflowWrap: "anywhere" }}>
          {takedown.reason}
        </Text>
        <Text size="sm">
          {words("studio.offSaleSince", { takenDownAt: <RelativeTime at={takedown.taken_down_at} /> })}{" "}
          {t(takedown.withdraws_files ? "studio.buyersLoseFiles" : "studio.buyersKeepTheirLicense")}
        </Text>
        {takedown.answer === null ? (
          <AnswerForm
            label={t("studio.yourAnswer")}
            confirmLabel={t("studio.sendTheAnswer")}
            onSend={async (text) => {
              const params = { path: { beat_id: beat.id } };
              const response = await unwrap(
                api.POST("/studio/beats/{beat_id}/takedown-answer", { params, body: { text } }),
              );
              client.setQueryData(beatQuery(beat.id).queryKey, response);
            }}
          />
        ) : (
          <Text size="sm" component="div">
            {t("studio.answeredAwaitingDecision")}
            <bdi style={{ display: "block", whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>{takedown.answer}</bdi>
          </Text>
        )}
      </Stack>
    </Alert>
  );
}
