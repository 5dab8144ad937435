import { Alert, Code, Text } from "@mantine/core";
import { IconMail } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { sessionQuery } from "../../api/session.ts";

/** That a mail is on its way, and where it lies when the server has nobody to send it by. */
export function MailSent({ children }: { children: string }) {
  const { data: session } = useQuery(sessionQuery);
  return (
    <Alert icon={<IconMail />} title="Look into your mail" variant="light" role="status">
      <Text size="sm">{children}</Text>
      {session?.mails_are_files && (
        <Text size="sm" mt="xs">
          This server has no mail server: it has written the mail into the folder <Code>mail</Code> of its data folder (
          <Code>.data/mail</Code> unless it was told otherwise), and its terminal names the file.
        </Text>
      )}
    </Alert>
  );
}
