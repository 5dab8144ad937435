import { IconChartLine } from "@tabler/icons-react";
import { EmptyState } from "../../display/empty-state.tsx";
import { Page } from "../../display/page.tsx";

// SLOT: the analytics area replaces this file.
export function AnalyticsPage() {
  return (
    <Page title="Analytics">
      <EmptyState icon={IconChartLine} title="Analytics">
        This page is being built.
      </EmptyState>
    </Page>
  );
}
