import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { t } from "../../../api/locale.ts";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { type OwnBeat, useStudioMutation, withdrawBeat } from "../studio-queries.ts";

interface WithdrawButtonProps {
  live: OwnBeat;
  editVersion: number;
  onDone: () => void;
}

/** A button that takes a beat off sale or deletes a draft, after a confirmation. A withdrawn beat has none. */
export function WithdrawButton({ live: { beat }, editVersion, onDone }: WithdrawButtonProps) {
  const [isAsking, { open, close }] = useDisclosure();
  const isOnSale = beat.status === "published";
  const withdraw = useStudioMutation(() => withdrawBeat(beat.id, editVersion), onDone);
  if (beat.status === "withdrawn") return null;
  const action = isOnSale ? t("studio.withdraw") : t("studio.deleteDraft");
  return (
    <>
      <Button variant="subtle" color="red" onClick={open}>
        {action}
      </Button>
      <Modal
        opened={isAsking}
        onClose={close}
        title={
          isOnSale
            ? t("studio.withdrawQuestion", { title: beat.title })
            : t("studio.deleteTitle", { title: beat.title })
        }
        closeButtonProps={{ "aria-label": t("shell.close") }}
      >
        <Stack>
          {withdraw.error !== null && <ErrorAlert error={withdraw.error} />}
          <Text size="sm">{isOnSale ? t("studio.withdrawWarning") : t("studio.deleteWarning")}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t("studio.keepIt")}
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
