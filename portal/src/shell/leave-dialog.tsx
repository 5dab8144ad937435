import { Button, Group, Modal, Text } from "@mantine/core";

/** Asks whether to leave a page with unsaved input. */
export function LeaveDialog({ onLeave, onStay }: { onLeave: () => void; onStay: () => void }) {
  return (
    <Modal opened onClose={onStay} title="Leave without saving?" closeButtonProps={{ "aria-label": "Close" }}>
      <Text size="sm">What you entered on this page is not saved, and is lost when you leave it.</Text>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onLeave}>
          Leave the page
        </Button>
        <Button data-autofocus onClick={onStay}>
          Stay
        </Button>
      </Group>
    </Modal>
  );
}
