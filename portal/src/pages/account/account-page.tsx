import { Page } from "../../display/page.tsx";

export function AccountPage() {
  return <Page title="Account">{null}</Page>;
}
