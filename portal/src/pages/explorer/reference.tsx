import { Text, useComputedColorScheme } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { ApiError, send } from "../../api/client.ts";
import { DocumentLink } from "../../display/document-link.tsx";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { RowsSkeleton } from "../../display/page.tsx";
import type { Operation } from "./call/operations.ts";
import classes from "./reference.module.css";

const pagePath = "/explorer";

async function findPage(path: string): Promise<true> {
  const { ok, status } = await send(path);
  if (ok) return true;
  throw new ApiError(status, "No reference", "The page of the reference could not be loaded. Try again.", null);
}

/** The API reference (server/src/reference), at an operation. Its links "Try in explorer" lead to the console. */
export function Reference({ operation }: { operation: Operation | undefined }) {
  const scheme = useComputedColorScheme("light");
  const [group, anchor] = operation === undefined ? ["", ""] : [`/${operation.tag.toLowerCase()}`, `#${operation.id}`];
  // A frame that cannot load shows the browser's error page, so check the server first.
  const page = useQuery({
    queryKey: ["reference-page"],
    queryFn: () => findPage(pagePath),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (page.isError) return <ErrorAlert error={page.error} onRetry={() => void page.refetch()} />;
  if (page.isPending) return <RowsSkeleton rows={10} />;
  return (
    <div>
      <iframe
        key={scheme}
        className={classes.reference}
        title="Reference of the API"
        src={`${pagePath}${group}?scheme=${scheme}${anchor}`}
      />
      <Text size="xs" c="dimmed" mt="xs">
        The reference also has <DocumentLink href={pagePath}>a page of its own</DocumentLink>; its source is{" "}
        <DocumentLink href="/openapi.json">/openapi.json</DocumentLink>.
      </Text>
    </div>
  );
}
