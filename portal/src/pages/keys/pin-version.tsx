import { Button, Group, Stack, Text } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import type { ApiKey } from "../../api/keys.ts";
import { versionDates } from "../../api/versions.ts";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { CloseDialogButton, GuardedModal } from "../../display/guarded-modal.tsx";
import { useKeyMutation } from "../../display/keys/use-key-mutation.ts";
import { GuardedForm } from "../../display/unsaved-work.tsx";
import { VersionSelect } from "../../display/version-select.tsx";

/** What the dialog pins: a key, or the account with its present version, which is null before the first call. */
export type PinTarget = { key: ApiKey } | { account: string | null };

interface PinVersionProps {
  /** The key or account; null closes the dialog. */
  pinTarget: PinTarget | null;
  onClose: () => void;
}

/** The dialog that pins a key or the account to a dated version of the API. */
export function PinVersion({ pinTarget, onClose }: PinVersionProps) {
  return (
    <GuardedModal
      opened={pinTarget !== null}
      onClose={onClose}
      title={pinTarget !== null && "key" in pinTarget ? "Version of API key" : "Version of the account"}
      size="lg"
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {pinTarget !== null && <Form pinTarget={pinTarget} onClose={onClose} />}
    </GuardedModal>
  );
}

function Form({ pinTarget, onClose }: { pinTarget: PinTarget; onClose: () => void }) {
  const key = "key" in pinTarget ? pinTarget.key : null;
  const before = "key" in pinTarget ? pinTarget.key.version : (pinTarget.account ?? versionDates[0] ?? null);
  const [version, setVersion] = useState(before);
  const pin = useKeyMutation(async () => {
    if (key !== null)
      await unwrap(api.POST("/keys/{key_id}/version", { params: { path: { key_id: key.id } }, body: { version } }));
    else if (version !== null) await unwrap(api.POST("/keys/version", { body: { version } }));
  });
  const save = (event: FormEvent) => {
    event.preventDefault();
    pin.mutate(undefined, { onSuccess: onClose });
  };
  return (
    <GuardedForm onSubmit={save} error={pin.error}>
      <Stack>
        {pin.error !== null && <ErrorAlert error={pin.error} />}
        <Text size="sm" style={{ overflowWrap: "anywhere" }}>
          {key === null ? (
            "Calls with keys that have no version of their own get the account's, within a second."
          ) : (
            <>
              Calls with <b dir="auto">{key.name}</b> get this version, within a second.
            </>
          )}{" "}
          A call with another version in its header Beat-Version gets that version.
        </Text>
        <VersionSelect
          description="Try a version with the header first."
          offersAccountVersion={key !== null}
          value={version}
          onChange={setVersion}
        />
        <Group justify="flex-end">
          <CloseDialogButton>Cancel</CloseDialogButton>
          <Button type="submit" loading={pin.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </GuardedForm>
  );
}
