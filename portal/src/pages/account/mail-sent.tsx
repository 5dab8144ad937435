import { Alert, Code, Text } from "@mantine/core";
import { IconMail } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { t } from "../../api/locale.ts";
import { sessionQuery } from "../../api/session.ts";
import { words } from "../../display/words.tsx";

/** The notice of a sent mail. On a server without SMTP it names the folder with the mail's file. */
export function MailSent({ children }: { children: string }) {
  const { data: session } = useQuery(sessionQuery);
  return (
    <Alert icon={<IconMail />} title={t("entry.checkYourMail")} variant="light" role="status">
      <Text size="sm">{children}</Text>
      {session?.mails_are_files && (
        <Text size="sm" mt="xs">
          {words("entry.noMailServerNote", { code: (text) => <Code>{text}</Code> })}
        </Text>
      )}
    </Alert>
  );
}
