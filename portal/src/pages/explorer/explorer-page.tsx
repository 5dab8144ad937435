import { IconPlayerPlay } from "@tabler/icons-react";
import { EmptyState } from "../../display/empty-state.tsx";
import { Page } from "../../display/page.tsx";

// SLOT: the explorer area replaces this file.
export function ExplorerPage() {
  return (
    <Page title="Explorer">
      <EmptyState icon={IconPlayerPlay} title="Explorer">
        This page is being built.
      </EmptyState>
    </Page>
  );
}
