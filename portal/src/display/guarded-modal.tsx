import { Button, type ButtonProps, Modal, type ModalProps } from "@mantine/core";
import { createContext, type ReactNode, useContext, useState } from "react";
import { DialogContext, mayClose, useLeaveQuestion } from "../api/unsaved-work.ts";

const CloseContext = createContext<(() => void) | null>(null);

/** A dialog with a form. Asks before it closes with unsaved input. */
export function GuardedModal({ onClose, children, ...props }: ModalProps) {
  const [dialog] = useState({});
  const isAsking = useLeaveQuestion() !== null;
  const close = async () => {
    if (await mayClose(dialog)) onClose();
  };
  return (
    // While the question is shown, Escape answers it instead of closing the dialog.
    <Modal {...props} closeOnEscape={!isAsking} onClose={() => void close()}>
      <DialogContext.Provider value={dialog}>
        <CloseContext.Provider value={() => void close()}>{children}</CloseContext.Provider>
      </DialogContext.Provider>
    </Modal>
  );
}

/**
 * A button such as "Cancel", which closes the GuardedModal around it. Like Escape, it asks first if input is unsaved.
 */
export function CloseDialogButton(props: ButtonProps & { children: ReactNode }) {
  const close = useContext(CloseContext);
  if (close === null) throw new Error("CloseDialogButton needs a GuardedModal around it");
  return <Button variant="default" {...props} onClick={close} />;
}
