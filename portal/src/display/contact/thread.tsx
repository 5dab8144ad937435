import { Button, Paper, Stack, Text, Textarea } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { t } from "../../api/locale.ts";
import type { components } from "../../api/paths.ts";
import { ErrorAlert } from "../error-alert.tsx";
import { RelativeTime } from "../relative-time.tsx";
import { GuardedForm } from "../unsaved-work.tsx";

type Contact = components["schemas"]["OrderContact"];

export const maxTextLength = 2_000;

interface ThreadProps {
  contact: Contact;
  /** The reader's side. */
  side: "buyer" | "producer";
  isPending: boolean;
  error: Error | null;
  /** Resolves when the message is sent. */
  onSend: (text: string) => Promise<unknown>;
}

/** The messages between buyer and producer of an order, and the form for the next message. */
export function Thread({ contact, side, isPending, error, onSend }: ThreadProps) {
  const [text, setText] = useState("");
  const send = (event: FormEvent) => {
    event.preventDefault();
    // The form shows `error` below.
    onSend(text).then(
      () => setText(""),
      () => {},
    );
  };
  const other = side === "buyer" ? contact.producer_name : t("contact.theBuyer");
  return (
    <Stack gap="md">
      {contact.messages.length === 0 && (
        <Text size="sm" c="dimmed">
          {t("contact.nobodyHasWrittenYet")}
        </Text>
      )}
      {contact.messages.length > 0 && (
        <Stack gap="xs" component="ol" p={0} m={0} style={{ listStyle: "none" }} aria-label={t("contact.messages")}>
          {contact.messages.map(({ id, author, text: messageText, created_at }) => (
            <Paper key={id} component="li" withBorder p="sm">
              <Text size="xs" c="dimmed" component="div">
                {author === side ? t("contact.you") : <bdi>{other}</bdi>}, <RelativeTime at={created_at} />
              </Text>
              <Text size="sm" dir="auto" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
                {messageText ?? t("contact.deletedWithItsAuthorsAccount")}
              </Text>
            </Paper>
          ))}
        </Stack>
      )}
      <GuardedForm onSubmit={send} error={error}>
        <Stack gap="sm">
          {error !== null && <ErrorAlert error={error} />}
          <Textarea
            label={t("contact.message")}
            description={t(side === "buyer" ? "contact.mailedToProducer" : "contact.mailedToBuyer")}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            maxLength={maxTextLength}
            minRows={4}
            autosize
            required
          />
          <Button type="submit" loading={isPending} disabled={text.trim() === ""} style={{ alignSelf: "flex-start" }}>
            {t("contact.send")}
          </Button>
        </Stack>
      </GuardedForm>
    </Stack>
  );
}
