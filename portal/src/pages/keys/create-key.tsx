import { Button, Checkbox, Group, Modal, Select, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { answered, api } from "../../api/client.ts";
import { ProblemAlert } from "../../display/problem-alert.tsx";
import { IssuedKey } from "./issued-key.tsx";
import { type Permission, permissionWords } from "./permission-words.ts";
import { useKeyChange } from "./use-key-change.ts";

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

/** Makes a key: what it is for, what it may do, how long. */
export function CreateKey({ opened, onClose }: CreateKeyProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="New API key"
      size="lg"
      closeOnClickOutside={false}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <Form onClose={onClose} />
    </Modal>
  );
}

function Form({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const [expiry, setExpiry] = useState("never");
  const [permissions, setPermissions] = useState<string[]>(
    permissionWords.filter(({ reads }) => reads).map(({ permission }) => permission),
  );
  const create = useKeyChange(() =>
    answered(
      api.POST("/keys", {
        body: {
          name,
          permissions: permissions as Permission[],
          expires_in_days: expiry === "never" ? null : Number(expiry),
        },
      }),
    ),
  );
  if (create.isSuccess) return <IssuedKey value={create.data.key} onDone={onClose} />;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {create.error !== null && <ProblemAlert error={create.error} />}
        <TextInput
          label="Name"
          description="What it is for, so that you know it again in the log."
          placeholder="Website"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={100}
          required
          data-autofocus
        />
        <Checkbox.Group
          label="What it may do"
          description="As little as it needs: a stolen key can do no more than that."
          value={permissions}
          onChange={setPermissions}
        >
          <Stack gap={8} mt="xs">
            {permissionWords.map(({ permission, label }) => (
              <Checkbox key={permission} value={permission} label={label} description={permission} />
            ))}
          </Stack>
        </Checkbox.Group>
        <Select
          label="Expires"
          data={expiries}
          value={expiry}
          onChange={(value) => setExpiry(value ?? "never")}
          allowDeselect={false}
          comboboxProps={{ withinPortal: true }}
          maw={220}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending} disabled={permissions.length === 0}>
            Create key
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
