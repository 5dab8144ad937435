import { Page } from "../../display/page.tsx";

export function HomePage() {
  return <Page title="Home">{null}</Page>;
}
