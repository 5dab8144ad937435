import { Kbd, Modal, SimpleGrid, Table, Title } from "@mantine/core";
import { Fragment } from "react";
import { isSingleKey, useSingleKeys } from "../../display/single-keys.ts";
import { SingleKeysSwitch } from "../../display/single-keys-switch.tsx";
import { shortcut } from "../search/shortcut.ts";

/** A row: the action, and its keys, each of which triggers it. */
type Row = [does: string, ...keys: string[]];

const groups = (): { title: string; rows: Row[] }[] => [
  {
    title: "Everywhere",
    rows: [
      ["Search, or go to a page", shortcut()],
      ["Show these shortcuts", "?"],
    ],
  },
  {
    title: "Catalogue",
    rows: [
      ["Type a search", "/"],
      ["From beat to beat", "↑", "↓", "←", "→"],
      ["Play or pause", "Space"],
    ],
  },
  {
    title: "Request log",
    rows: [
      ["Next call", "J", "↓"],
      ["Previous call", "K", "↑"],
      ["Close the call", "Esc"],
    ],
  },
  {
    title: "Explorer",
    rows: [["Send the call", shortcut().replace("K", "Enter")]],
  },
  {
    title: "Charts, on a handle of the time",
    rows: [
      ["Move it", "←", "→", "Page Up", "Page Down", "Home", "End"],
      ["Zoom in", "Enter"],
      ["Cancel", "Esc"],
    ],
  },
];

/** A dialog with the active shortcuts of every page. */
export function Shortcuts({ onClose }: { onClose: () => void }) {
  const [areSingleOn] = useSingleKeys();
  const works = (key: string) => areSingleOn || !isSingleKey(key);
  return (
    <Modal opened onClose={onClose} title="Keyboard shortcuts" size="lg" closeButtonProps={{ "aria-label": "Close" }}>
      <SingleKeysSwitch />
      <SimpleGrid mt="lg" cols={{ base: 1, sm: 2 }} spacing="xl" verticalSpacing="lg">
        {groups().map(({ title, rows }) => (
          <section key={title} aria-label={title}>
            <Title order={3} size="h5" mb={4}>
              {title}
            </Title>
            <Table fz="sm" horizontalSpacing={0} aria-label={title}>
              <Table.Tbody>
                {rows
                  .filter(([, ...keys]) => keys.some(works))
                  .map(([does, ...keys]) => (
                    <Table.Tr key={does}>
                      <Table.Th scope="row" fw={400}>
                        {does}
                      </Table.Th>
                      <Table.Td ta="end">
                        {keys.filter(works).map((key) => (
                          <Fragment key={key}>
                            <Kbd size="xs">{key}</Kbd>{" "}
                          </Fragment>
                        ))}
                      </Table.Td>
                    </Table.Tr>
                  ))}
              </Table.Tbody>
            </Table>
          </section>
        ))}
      </SimpleGrid>
    </Modal>
  );
}
