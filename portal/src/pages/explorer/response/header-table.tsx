import { Table } from "@mantine/core";
import classes from "./response.module.css";

/** The headers of a response. */
export const HeaderTable = ({ headers }: { headers: readonly [name: string, value: string][] }) => (
  <Table fz="xs" verticalSpacing={4} layout="fixed" ff="monospace">
    <Table.Tbody>
      {headers.map(([name, value]) => (
        <Table.Tr key={`${name} ${value}`}>
          <Table.Th scope="row" fw={500} w="42%" className={classes.header}>
            {name}
          </Table.Th>
          <Table.Td className={classes.header}>{value}</Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);
