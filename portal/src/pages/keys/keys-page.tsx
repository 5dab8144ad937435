import { Page } from "../../display/page.tsx";

export function KeysPage() {
  return <Page title="API keys">{null}</Page>;
}
