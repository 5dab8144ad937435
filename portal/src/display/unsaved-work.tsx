import { Button, Group, Modal, Text } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import { type ComponentPropsWithoutRef, type FormEvent, useState } from "react";

/** Asks before a page is left on which something is not saved: within the portal by a dialog, else by the browser's own. */
export function UnsavedWork({ isDirty }: { isDirty: boolean }) {
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  const isAsked = leaving.status === "blocked";
  return (
    <Modal
      opened={isAsked}
      onClose={() => leaving.reset?.()}
      title="Leave without saving?"
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <Text size="sm">What you entered on this page is not saved, and is lost when you leave it.</Text>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={() => leaving.proceed?.()}>
          Leave the page
        </Button>
        <Button data-autofocus onClick={() => leaving.reset?.()}>
          Stay
        </Button>
      </Group>
    </Modal>
  );
}

interface GuardedFormProps extends Omit<ComponentPropsWithoutRef<"form">, "onSubmit"> {
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  /** Of the last submission. */
  error: Error | null;
}

/** A form whose fields are not lost by leaving the page: from the first key in it until it was sent with success. */
export function GuardedForm({ onSubmit, error, children, ...form }: GuardedFormProps) {
  const [isTouched, setIsTouched] = useState(false);
  return (
    <form
      {...form}
      onInput={() => setIsTouched(true)}
      onSubmit={(event) => {
        setIsTouched(false);
        onSubmit(event);
      }}
    >
      <UnsavedWork isDirty={isTouched || error !== null} />
      {children}
    </form>
  );
}
