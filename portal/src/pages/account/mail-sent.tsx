import { Alert, Code, Text } from "@mantine/core";
import { IconMail } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { t } from "../../api/locale.ts";
import { sessionQuery } from "../../api/session.ts";
import { words } from "../../display/words.tsx";

/** Says that a mail was sent, or where the file is on a server without SMTP. */
export function MailSent({ children }: { children: string }) {
  const { data: session } = useQuery(sessionQuery);
  return (
    <Alert icon={<IconMail />} title={t("entry.checkYourMail")} variant="light" role="status">
      <Text size="sm">{children}</Text>
      {session?.mails_are_files && (
        <Text size="sm" mt="xs">
          {words("entry.noMailServerIsConfigured", { code: (text) => <Code>{text}</Code> })}
        </Text>
      )}
    </Alert>
  );
}
