import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { type OwnBeat, useStudioMutation, withdrawBeat } from "../studio-queries.ts";

interface WithdrawButtonProps {
  live: OwnBeat;
  editVersion: number;
  onDone: () => void;
}

/** Takes a beat off sale, or deletes a draft, after a question. */
export function WithdrawButton({ live: { beat }, editVersion, onDone }: WithdrawButtonProps) {
  const [isAsking, { open, close }] = useDisclosure();
  const isOnSale = beat.status === "published";
  const withdraw = useStudioMutation(() => withdrawBeat(beat.id, editVersion), onDone);
  if (beat.status === "withdrawn") return null;
  const action = isOnSale ? "Withdraw" : "Delete draft";
  return (
    <>
      <Button variant="subtle" color="red" onClick={open}>
        {action}
      </Button>
      <Modal
        opened={isAsking}
        onClose={close}
        title={isOnSale ? `Withdraw “${beat.title}”?` : `Delete “${beat.title}”?`}
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <Stack>
          {withdraw.error !== null && <ErrorAlert error={withdraw.error} />}
          <Text size="sm">
            {isOnSale
              ? "It leaves all lists at once. Those who bought a license keep it, and you can put the beat on sale again."
              : "The draft is deleted for good. Its files stay in the studio for a day."}
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Keep it
            </Button>
            <Button color="red" loading={withdraw.isPending} onClick={() => withdraw.mutate(undefined)}>
              {action}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
