import { Alert, Stack, Text } from "@mantine/core";
import { IconBan } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "../../../api/client.ts";
import { RelativeTime } from "../../../display/relative-time.tsx";
import { beatQuery, type OwnBeat } from "../studio-queries.ts";
import { AnswerForm } from "./answer-form.tsx";

/** Why an operator took the beat down, and the answer to it. Nothing for other beats. */
export function TakedownNote({ live: { beat, takedown } }: { live: Pick<OwnBeat, "beat" | "takedown"> }) {
  const client = useQueryClient();
  if (takedown === null) return null;
  return (
    <Alert color="red" variant="light" icon={<IconBan />} title="Taken down by the operator of this marketplace">
      <Stack gap="sm">
        <Text size="sm" style={{ overflowWrap: "anywhere" }}>
          {takedown.reason}
        </Text>
        <Text size="sm">
          Since <RelativeTime at={takedown.taken_down_at} /> it is off sale and off every page.{" "}
          {takedown.withdraws_files
            ? "Those who bought a license can no longer download its files."
            : "Those who bought a license keep it."}
        </Text>
        {takedown.answer === null ? (
          <AnswerForm
            label="Your answer"
            confirmLabel="Send the answer"
            onSend={async (text) => {
              const params = { path: { beat_id: beat.id } };
              const answered = await unwrap(
                api.POST("/studio/beats/{beat_id}/takedown-answer", { params, body: { text } }),
              );
              client.setQueryData(beatQuery(beat.id).queryKey, answered);
            }}
          />
        ) : (
          <Text size="sm" component="div">
            You answered, and the operator decides:
            <bdi style={{ display: "block", whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>{takedown.answer}</bdi>
          </Text>
        )}
      </Stack>
    </Alert>
  );
}
