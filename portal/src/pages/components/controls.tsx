import {
  Alert,
  Button,
  Checkbox,
  Group,
  Loader,
  Modal,
  NumberInput,
  PasswordInput,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Switch,
  Tabs,
  Text,
  Textarea,
  TextInput,
} from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconInfoCircle, IconPlus, IconTrash, IconUser } from "@tabler/icons-react";
import { ApiError } from "../../api/client.ts";
import { CopyButton } from "../../display/copy-button.tsx";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { Menu, MenuItem, MenuSection } from "../../display/menu.tsx";
import { Select } from "../../display/select.tsx";
import { Section } from "./section.tsx";

export function Actions() {
  return (
    <Section title="Actions">
      <Group>
        <Button leftSection={<IconPlus size={16} />}>New API key</Button>
        <Button variant="default">Rotate</Button>
        <Button variant="default" c="red" leftSection={<IconTrash size={16} />}>
          Revoke
        </Button>
        <Button color="red">Revoke the key</Button>
        <Button variant="subtle">Cancel</Button>
        <Button loading>Sending</Button>
        <Button disabled>Disabled</Button>
        <CopyButton value="copied" label="Copy API key" />
      </Group>
      <Group>
        <SegmentedControl data={["Hour", "Day", "Week"]} aria-label="Span" />
        <Switch label="Live" defaultChecked />
        <Checkbox label="beats:read" defaultChecked />
        <Checkbox label="orders:write" disabled />
      </Group>
    </Section>
  );
}

export function Fields() {
  return (
    <Section title="Fields">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label="Name" description="What the key is for." placeholder="Website" />
        <TextInput label="Endpoint" defaultValue="http://shop" error="The URL begins with https://." />
        <Select label="Plan" data={["standard", "plus"]} value="plus" onChange={() => {}} />
        <Select
          label="A choice from a long list"
          data={Array.from({ length: 24 }, (_, hour) => `${hour} h`)}
          value={null}
          onChange={() => {}}
        />
        <NumberInput label="Price" defaultValue={29.9} decimalScale={2} fixedDecimalScale prefix="$" />
        <PasswordInput label="Password" defaultValue="correct horse" />
        <Textarea label="Description" placeholder="How it sounds" />
        <TextInput label="Read only" defaultValue="bm_…GeJr" readOnly />
        <TextInput label="Disabled" defaultValue="cannot be changed" disabled />
      </SimpleGrid>
    </Section>
  );
}

export function Messages() {
  return (
    <Section title="Messages">
      <Stack gap="sm">
        <Alert color="blue" icon={<IconInfoCircle />} title="Two versions are served">
          The older one ends on 1 March.
        </Alert>
        <Alert color="teal" title="Delivered">
          Your endpoint answered 200 in 38 ms.
        </Alert>
        <Alert color="orange" title="Retrying">
          The next attempt is in 4 minutes.
        </Alert>
        <ErrorAlert
          error={new ApiError(409, "Conflict", "This beat is sold.", "req_01M7WD7TG00123456789ABCDEF")}
          onRetry={() => {}}
        />
        <Group>
          <Loader size="sm" role="status" aria-label="Loading" />
        </Group>
      </Stack>
    </Section>
  );
}

export function Overlays() {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <Section title="Overlays">
      <Group>
        <Button variant="default" onClick={open}>
          Open a dialog
        </Button>
        <Menu
          width={180}
          target={(props) => (
            <Button {...props} variant="default">
              Open a menu
            </Button>
          )}
        >
          <MenuSection label="Of the account" />
          <MenuItem icon={<IconUser size={16} />} onClick={() => {}}>
            Account
          </MenuItem>
          <MenuItem isDangerous icon={<IconTrash size={16} />} onClick={() => {}}>
            Delete
          </MenuItem>
        </Menu>
      </Group>
      <Modal opened={isOpen} onClose={close} title="Revoke the key?">
        <Text size="sm">Programs with this key are refused from now on.</Text>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={close}>
            Keep it
          </Button>
          <Button color="red" onClick={close}>
            Revoke the key
          </Button>
        </Group>
      </Modal>
      <Tabs defaultValue="curl">
        <Tabs.List>
          <Tabs.Tab value="curl">curl</Tabs.Tab>
          <Tabs.Tab value="python">Python</Tabs.Tab>
        </Tabs.List>
      </Tabs>
    </Section>
  );
}
