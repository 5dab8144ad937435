import { Button, Stack, Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { t } from "../../../api/locale.ts";
import { maxTextLength } from "../../../display/contact/thread.tsx";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { GuardedForm } from "../../../display/unsaved-work.tsx";

interface AnswerFormProps {
  label: string;
  confirmLabel: string;
  onSend: (text: string) => Promise<void>;
}

/** The form for a producer's answer to the operator. The server accepts one answer. */
export function AnswerForm({ label, confirmLabel, onSend }: AnswerFormProps) {
  const [text, setText] = useState("");
  const answer = useMutation({ mutationFn: () => onSend(text) });
  const send = (event: FormEvent) => {
    event.preventDefault();
    answer.mutate();
  };
  return (
    <GuardedForm onSubmit={send} error={answer.error}>
      <Stack gap="sm">
        {answer.error !== null && <ErrorAlert error={answer.error} />}
        <Textarea
          label={label}
          description={t("studio.answerDescription")}
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
          {confirmLabel}
        </Button>
      </Stack>
    </GuardedForm>
  );
}
