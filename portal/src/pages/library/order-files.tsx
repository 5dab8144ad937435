import { Group, Loader, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { Certificate } from "./certificate.tsx";
import { FileRow } from "./file-row.tsx";
import { filesQuery, type LibraryOrder, useDownload } from "./library-queries.ts";

/** The files of an order and its license. They are made when somebody first asks for them. */
export function OrderFiles({ order }: { order: LibraryOrder }) {
  const { data, error, isPending, refetch } = useQuery(filesQuery(order.id));
  const download = useDownload(order.id);
  return (
    <Stack gap="sm" mt="md">
      {isPending && (
        <Group gap="sm" role="status">
          <Loader size="sm" />
          <Text size="sm">Your files are being prepared. This takes some seconds and goes on by itself.</Text>
        </Group>
      )}
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {download.error !== null && <ErrorAlert error={download.error} />}
      {data?.license.status === "refunded" && (
        <Text size="sm">
          The order was refunded in full: its files are gone, and the license is not valid any more.
        </Text>
      )}
      {data !== undefined && data.files.length > 0 && (
        <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: "none" }}>
          {data.files.map((file) => (
            <FileRow
              key={file.kind}
              file={file}
              downloadedAt={order.downloads.find(({ kind }) => kind === file.kind)?.downloaded_at ?? null}
              isFetching={download.isPending && download.variables === file.kind}
              onDownload={() => download.mutate(file.kind)}
            />
          ))}
        </Stack>
      )}
      {data !== undefined && <Certificate license={data.license} />}
    </Stack>
  );
}
