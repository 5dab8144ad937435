import { Button, Group, Stack, Text, Textarea } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { CloseDialogButton, GuardedModal } from "../../display/guarded-modal.tsx";
import { GuardedForm } from "../../display/unsaved-work.tsx";

interface ReasonDialogProps {
  title: string;
  opened: boolean;
  onClose: () => void;
  /** The effect of the action. */
  children: ReactNode;
  /** A text that names the readers of the reason. */
  reasonHelp: string;
  confirmLabel: string;
  isDangerous?: boolean;
  error: Error | null;
  isPending: boolean;
  onConfirm: (reason: string) => void;
}

interface ReasonFieldProps {
  /** A text that names the readers of the reason. */
  help: string;
  value: string;
  onChange: (reason: string) => void;
  "data-autofocus"?: boolean;
}

/** The field of the reason, which the audit log records. */
export const ReasonField = ({ help, onChange, ...props }: ReasonFieldProps) => (
  <Textarea
    label="Reason"
    description={help}
    onChange={(event) => onChange(event.currentTarget.value)}
    maxLength={300}
    minRows={2}
    autosize
    required
    {...props}
  />
);

export const ownerReads = "Its owner reads it, in the security log.";

/** Asks for the reason before an operator's action. */
export function ReasonDialog({ title, opened, onClose, children, ...props }: ReasonDialogProps) {
  return (
    <GuardedModal opened={opened} onClose={onClose} title={title} closeButtonProps={{ "aria-label": "Close" }}>
      <ReasonForm {...props}>{children}</ReasonForm>
    </GuardedModal>
  );
}

function ReasonForm(props: Omit<ReasonDialogProps, "title" | "opened" | "onClose">) {
  const [reason, setReason] = useState("");
  const confirm = (event: FormEvent) => {
    event.preventDefault();
    props.onConfirm(reason);
  };
  return (
    <GuardedForm onSubmit={confirm} error={props.error}>
      <Stack>
        {props.error !== null && <ErrorAlert error={props.error} />}
        <Text size="sm" component="div">
          {props.children}
        </Text>
        <ReasonField help={props.reasonHelp} value={reason} onChange={setReason} data-autofocus />
        <Group justify="flex-end">
          <CloseDialogButton>Cancel</CloseDialogButton>
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
    </GuardedForm>
  );
}
