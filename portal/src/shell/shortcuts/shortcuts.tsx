import { Kbd, Modal, SimpleGrid, Table, Title } from "@mantine/core";
import { Fragment } from "react";
import { t } from "../../api/locale.ts";
import { isSingleKey, useSingleKeys } from "../../display/single-keys.ts";
import { SingleKeysSwitch } from "../../display/single-keys-switch.tsx";
import { shortcut } from "../search/shortcut.ts";

/** A row: the action, and the keys, each of which triggers the action. */
type Row = [action: string, ...keys: string[]];

const groups = (): { title: string; rows: Row[] }[] => [
  {
    title: t("shell.everywhere"),
    rows: [
      [t("shell.searchOrOpenPage"), shortcut()],
      [t("shell.showTheseShortcuts"), "?"],
    ],
  },
  {
    title: t("nav.catalogue"),
    rows: [
      [t("shell.typeASearch"), "/"],
      [t("shell.fromBeatToBeat"), "↑", "↓", "←", "→"],
      [t("shell.playOrPause"), t("shell.space")],
    ],
  },
  {
    title: t("nav.requestLog"),
    rows: [
      [t("shell.nextCall"), "J", "↓"],
      [t("shell.previousCall"), "K", "↑"],
      [t("shell.closeTheCall"), t("shell.esc")],
    ],
  },
  {
    title: t("nav.explorer"),
    rows: [[t("shell.sendTheCall"), shortcut().replace("K", "Enter")]],
  },
  {
    title: t("shell.chartTimeHandle"),
    rows: [
      [t("shell.moveIt"), "←", "→", t("shell.pageUp"), t("shell.pageDown"), t("shell.homeKey"), t("shell.endKey")],
      [t("shell.zoomIn"), t("shell.enterKey")],
      [t("shell.cancel"), t("shell.esc")],
    ],
  },
];

/** A dialog that lists the shortcuts of all pages. */
export function Shortcuts({ onClose }: { onClose: () => void }) {
  const [areSingleOn] = useSingleKeys();
  const works = (key: string) => areSingleOn || !isSingleKey(key);
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("shell.keyboardShortcuts")}
      size="lg"
      closeButtonProps={{ "aria-label": t("shell.close") }}
    >
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
