import { Anchor, Text, useComputedColorScheme } from "@mantine/core";
import type { Operation } from "./call/operations.ts";
import classes from "./reference.module.css";

/** The API reference by Scalar (server/src/reference), at the shown operation. Its "Try it" links to the console. */
export function Reference({ operation }: { operation: Operation | undefined }) {
  const scheme = useComputedColorScheme("light");
  const anchor =
    operation === undefined ? "" : `#tag/${operation.tag.toLowerCase()}/${operation.method}${operation.path}`;
  return (
    <div>
      <iframe
        key={scheme}
        className={classes.reference}
        title="Reference of the API"
        src={`/explorer?scheme=${scheme}${anchor}`}
      />
      <Text size="xs" c="dimmed" mt={6}>
        The reference also has <Anchor href="/explorer">a page of its own</Anchor>; its source is{" "}
        <Anchor href="/openapi.json">/openapi.json</Anchor>.
      </Text>
    </div>
  );
}
