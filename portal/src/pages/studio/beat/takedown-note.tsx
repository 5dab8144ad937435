import { Alert, Button, Stack, Text, Textarea } from "@mantine/core";
import { IconBan } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, unwrap } from "../../../api/client.ts";
import { maxTextLength } from "../../../display/contact/thread.tsx";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { RelativeTime } from "../../../display/relative-time.tsx";
import { GuardedForm } from "../../../display/unsaved-work.tsx";
import { beatQuery, type OwnBeat } from "../studio-queries.ts";

/** Why an operator took the beat down, and the answer to it. Nothing for other beats. */
export function TakedownNote({ live: { beat, takedown } }: { live: Pick<OwnBeat, "beat" | "takedown"> }) {
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
          <AnswerForm beatId={beat.id} />
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

function AnswerForm({ beatId }: { beatId: number }) {
  const [text, setText] = useState("");
  const client = useQueryClient();
  const answer = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST("/studio/beats/{beat_id}/takedown-answer", { params: { path: { beat_id: beatId } }, body: { text } }),
      ),
    onSuccess: (answered) => client.setQueryData(beatQuery(beatId).queryKey, answered),
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    answer.mutate();
  };
  return (
    <GuardedForm onSubmit={send} error={answer.error}>
      <Stack gap="sm">
        {answer.error !== null && <ErrorAlert error={answer.error} />}
        <Textarea
          label="Your answer"
          description="You can answer once. The operator gets it by mail, and decides."
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          maxLength={maxTextLength}
          minRows={3}
          autosize
          required
        />
        <Button
          type="submit"
          size="xs"
          loading={answer.isPending}
          disabled={text.trim() === ""}
          style={{ alignSelf: "flex-start" }}
        >
          Send the answer
        </Button>
      </Stack>
    </GuardedForm>
  );
}
