import { Button, Checkbox, Group, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import { useAccount } from "../../api/session.ts";
import { ErrorAlert } from "../error-alert.tsx";
import { CloseDialogButton, GuardedModal } from "../guarded-modal.tsx";
import { Select } from "../select.tsx";
import { GuardedForm } from "../unsaved-work.tsx";
import { VersionSelect } from "../version-select.tsx";
import { IssuedKey } from "./issued-key.tsx";
import { type Permission, permissionLabels } from "./permission-labels.ts";
import { useProposedKey } from "./use-proposed-key.ts";

const expiries = [
  { value: "never", label: "Never" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In a year" },
];

interface CreateKeyProps {
  opened: boolean;
  onClose: () => void;
}

/** The dialog that creates a key with a name, permissions, a lifetime and a version of the API. */
export function CreateKey({ opened, onClose }: CreateKeyProps) {
  return (
    <GuardedModal
      opened={opened}
      onClose={onClose}
      title="New API key"
      size="lg"
      closeOnClickOutside={false}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <Form onClose={onClose} />
    </GuardedModal>
  );
}

function Form({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const [expiry, setExpiry] = useState("never");
  const [version, setVersion] = useState<string | null>(null);
  const organisation = useAccount()?.organisation ?? null;
  const isWithinRole = (permission: Permission) => organisation?.key_permissions.includes(permission) ?? true;
  const [permissions, setPermissions] = useState<string[]>(
    permissionLabels
      .filter(({ permission, isReadOnly }) => isReadOnly && isWithinRole(permission))
      .map(({ permission }) => permission),
  );
  const { propose, create } = useProposedKey((proposed) =>
    unwrap(
      api.POST("/keys", {
        body: {
          name,
          permissions: permissions as Permission[],
          expires_in_days: expiry === "never" ? null : Number(expiry),
          version,
          proposed,
        },
      }),
    ),
  );
  if (propose.isSuccess) return <IssuedKey value={propose.data.key} create={create} onDone={onClose} />;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    propose.mutate();
  };
  return (
    <GuardedForm onSubmit={submit} error={propose.error}>
      <Stack>
        {propose.error !== null && <ErrorAlert error={propose.error} />}
        <TextInput
          label="Name"
          description="The program it is for. The request log shows it."
          placeholder="Website"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={100}
          required
          data-autofocus
        />
        <Checkbox.Group
          label="Permissions"
          description="Choose only what the program needs: it limits the harm of a stolen key."
          value={permissions}
          onChange={setPermissions}
        >
          <Stack gap={8} mt="xs">
            {permissionLabels.map(({ permission, label }) => (
              <Checkbox
                key={permission}
                value={permission}
                label={label}
                disabled={!isWithinRole(permission)}
                description={
                  isWithinRole(permission) ? permission : `${permission}: more than your role ${organisation?.role} may`
                }
              />
            ))}
          </Stack>
        </Checkbox.Group>
        <Select
          label="Expires"
          data={expiries}
          value={expiry}
          onChange={(value) => setExpiry(value ?? "never")}
          maw={220}
        />
        <VersionSelect
          description="The version of the responses to its calls."
          offersAccountVersion
          value={version}
          onChange={setVersion}
        />
        <Group justify="flex-end">
          <CloseDialogButton>Cancel</CloseDialogButton>
          <Button type="submit" loading={propose.isPending} disabled={permissions.length === 0 || name.trim() === ""}>
            Create key
          </Button>
        </Group>
      </Stack>
    </GuardedForm>
  );
}
