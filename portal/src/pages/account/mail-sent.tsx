import { Alert, Code, Text } from "@mantine/core";
import { IconMail } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { sessionQuery } from "../../api/session.ts";

/** Says that a mail was sent, or where the file is on a server without SMTP. */
export function MailSent({ children }: { children: string }) {
  const { data: session } = useQuery(sessionQuery);
  return (
    <Alert icon={<IconMail />} title="Check your mail" variant="light" role="status">
      <Text size="sm">{children}</Text>
      {session?.mails_are_files && (
        <Text size="sm" mt="xs">
          No mail server is configured, so the mail is a file in the folder <Code>mail</Code> of the server's data
          folder (<Code>.data/mail</Code> by default). The server's log names the file.
        </Text>
      )}
    </Alert>
  );
}
