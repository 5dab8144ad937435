import { Button, Drawer, SegmentedControl, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconCode, IconPlayerPlay } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import type { Call } from "../../../../contract/snippets/call.ts";
import { keyVariable } from "../../../../contract/snippets/key-variable.ts";
import { loadChunk } from "../../api/load-chunk.ts";
import { t } from "../../api/locale.ts";
import { sessionQuery } from "../../api/session.ts";
import { RowsSkeleton } from "../page.tsx";
import { explorerAddress } from "./explorer-address.ts";

/** The code generator is loaded with the first shown call, to keep it out of a page's first load. */
const CallCode = lazy(() =>
  loadChunk(() => import("./call-code.tsx")).then((module) => ({ default: module.CallCode })),
);

/** A page's calls. Each name describes the data that the call reads. */
export type ShownCalls = Readonly<Record<string, Call>>;

/** A button that shows the page's API calls in six languages, with links to the explorer. */
export function ApiCall(props: { call: Call } | { calls: ShownCalls }) {
  const calls = "call" in props ? { "": props.call } : props.calls;
  const names = Object.keys(calls);
  const [chosenName, choose] = useState(names[0] ?? "");
  const call = calls[chosenName] ?? (Object.values(calls)[0] as Call);
  const [isOpen, { open, close }] = useDisclosure();
  const { data: session } = useQuery(sessionQuery);
  return (
    <>
      <Button variant="default" leftSection={<IconCode size={16} />} onClick={open}>
        {t("ui.showAsApiCall")}
      </Button>
      <Drawer
        opened={isOpen}
        onClose={close}
        position="right"
        size={600}
        title={t("ui.theSameAsApiCall")}
        closeButtonProps={{ "aria-label": t("ui.closeTheApiCall") }}
      >
        {session === undefined ? (
          <RowsSkeleton rows={8} />
        ) : (
          <Stack gap="md" align="flex-start">
            {names.length > 1 && (
              <SegmentedControl
                aria-label={t("ui.whatTheCallReads")}
                value={chosenName}
                data={names}
                onChange={choose}
              />
            )}
            <Suspense fallback={<RowsSkeleton rows={8} />}>
              <div style={{ width: "100%" }}>
                <CallCode
                  call={call}
                  connection={{ baseUrl: session.base_url, keyVariable, caFile: session.ca_file ?? undefined }}
                />
              </div>
            </Suspense>
            <Text size="sm" c="dimmed">
              {t("ui.apiKeyVariableNote", { variable: keyVariable })}
            </Text>
            <Button
              leftSection={<IconPlayerPlay size={16} />}
              renderRoot={(props) => <Link to="/explorer" search={explorerAddress(call)} {...props} />}
            >
              {t("ui.openInExplorer")}
            </Button>
          </Stack>
        )}
      </Drawer>
    </>
  );
}
