import { IconList } from "@tabler/icons-react";
import { EmptyState } from "../../display/empty-state.tsx";
import { Page } from "../../display/page.tsx";

// SLOT: the log area replaces this file.
export function LogPage() {
  return (
    <Page title="Request log">
      <EmptyState icon={IconList} title="Request log">
        This page is being built.
      </EmptyState>
    </Page>
  );
}
