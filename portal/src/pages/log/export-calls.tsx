import { Button, Text, VisuallyHidden } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { send, unwrap } from "../../api/client.ts";
import { stringifySearch } from "../../api/search-params.ts";
import { type CallSearch, queryOf } from "./call-search.ts";

const count = new Intl.NumberFormat("en");

/**
 * Downloads the calls that match the filters as CSV, and shows how many have arrived. A second click stops the
 * download.
 */
export function ExportCalls({ search }: { search: CallSearch }) {
  const [calls, setCalls] = useState(0);
  const running = useRef<AbortController | null>(null);
  const download = useMutation({
    mutationFn: async () => {
      const stop = new AbortController();
      running.current = stop;
      setCalls(0);
      const file = await readCalls(search, setCalls, stop.signal);
      save(file.blob, `calls-${new Date().toISOString().slice(0, 19).replaceAll(":", "")}Z.csv`);
      return file;
    },
  });
  const isStopped = running.current?.signal.aborted === true;
  const statusText = (): string => {
    if (download.isPending) return `Downloading: ${count.format(calls)} calls.`;
    if (download.isError && isStopped) return "Stopped: nothing was saved.";
    if (download.isError) return `No file was saved: ${download.error.message}. Try again.`;
    if (download.data === undefined) return "";
    if (download.data.isComplete) return `Saved ${count.format(calls)} calls.`;
    return `Saved the newest ${count.format(calls)} calls. Choose a shorter time for the older ones.`;
  };
  const status = statusText();
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconDownload size={16} />}
        title="At most the newest 50,000 calls that the filters pass; times in UTC"
        onClick={() => (download.isPending ? running.current?.abort() : download.mutate())}
      >
        {download.isPending ? `Stop (${count.format(calls)})` : "CSV"}
      </Button>
      {download.isPending || status === "" ? (
        <VisuallyHidden role="status">{status}</VisuallyHidden>
      ) : (
        <Text size="xs" c={download.isError && !isStopped ? "red" : "dimmed"} role="status" w="100%">
          {status}
        </Text>
      )}
    </>
  );
}

interface CallsFile {
  blob: Blob;
  /** Whether the file has all matching calls. */
  isComplete: boolean;
}

async function readCalls(
  search: CallSearch,
  onCalls: (calls: number) => void,
  signal: AbortSignal,
): Promise<CallsFile> {
  const response = await send(`/portal/api/calls.csv${stringifySearch({ ...queryOf(search) })}`, { signal });
  if (!response.ok || response.body === null)
    return unwrap(response.json().then((error: unknown) => ({ error, response })));
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let lines = 0;
  let tail = "";
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const part = read.value;
    parts.push(part);
    const text = decoder.decode(part, { stream: true });
    lines += text.split("\r\n").length - 1;
    tail = (tail + text).slice(-maxNoteLength);
    onCalls(Math.max(0, lines - 1));
  }
  const isComplete = !tail.includes('\r\n"Not complete:');
  // The header and the note are not calls.
  if (!isComplete) onCalls(lines - 2);
  return { blob: new Blob(parts, { type: "text/csv" }), isComplete };
}

/** Longer than the last row of an incomplete file. */
const maxNoteLength = 200;

function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
