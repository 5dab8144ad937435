import { Button, Group, Modal, Stack, Text, Textarea } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import { ErrorAlert } from "../../display/error-alert.tsx";

interface ReasonDialogProps {
  title: string;
  opened: boolean;
  onClose: () => void;
  /** What is going to happen. */
  children: ReactNode;
  /** Who reads the reason. */
  reasonHelp: string;
  confirmLabel: string;
  isDangerous?: boolean;
  error: Error | null;
  isPending: boolean;
  onConfirm: (reason: string) => void;
}

/** Asks for the sentence that goes into the audit log, before something is done to an account. */
export function ReasonDialog({ title, opened, onClose, children, ...props }: ReasonDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={title} closeButtonProps={{ "aria-label": "Close" }}>
      <ReasonForm onClose={onClose} {...props}>
        {children}
      </ReasonForm>
    </Modal>
  );
}

function ReasonForm(props: Omit<ReasonDialogProps, "title" | "opened">) {
  const [reason, setReason] = useState("");
  const confirm = (event: FormEvent) => {
    event.preventDefault();
    props.onConfirm(reason);
  };
  return (
    <form onSubmit={confirm}>
      <Stack>
        {props.error !== null && <ErrorAlert error={props.error} />}
        <Text size="sm" component="div">
          {props.children}
        </Text>
        <Textarea
          label="Reason"
          description={props.reasonHelp}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          maxLength={300}
          minRows={2}
          autosize
          required
          data-autofocus
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={props.onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            {...(props.isDangerous === true && { color: "red" })}
            loading={props.isPending}
            disabled={reason.trim() === ""}
          >
            {props.confirmLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
