import { Button, Group, Modal, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { sessionKey, sessionQuery } from "../api/session.ts";
import { dropUnsavedWork } from "../api/unsaved-work.ts";

const lookEveryMs = 3_000;

/** The session ended on a page with unsaved work. The page stays, until its user has signed in again in another tab. */
export function SessionEnded() {
  const client = useQueryClient();
  useQuery({ ...sessionQuery, refetchInterval: lookEveryMs, refetchOnWindowFocus: "always" });
  const leave = () => {
    dropUnsavedWork();
    void client.invalidateQueries({ queryKey: sessionKey });
  };
  return (
    <Modal opened onClose={() => {}} withCloseButton={false} closeOnEscape={false} title="Your session has ended">
      <Text size="sm">
        What you entered on this page is still here. Sign in again in another tab, and come back: then you can save it.
      </Text>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={leave}>
          Leave without saving
        </Button>
        <Button data-autofocus component="a" href="/portal/sign-in" target="_blank">
          Sign in (new tab)
        </Button>
      </Group>
    </Modal>
  );
}
