import { Anchor, Text, useComputedColorScheme } from "@mantine/core";
import classes from "./explorer.module.css";
import type { Operation } from "./operations.ts";

/** The API's reference by Scalar, at the operation that is looked at. Its "Try it" comes back to the console. */
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
        The reference also has <Anchor href="/explorer">a page of its own</Anchor>; it is made from{" "}
        <Anchor href="/openapi.json">/openapi.json</Anchor>.
      </Text>
    </div>
  );
}
