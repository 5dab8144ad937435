import { EndpointBanner } from "../pages/webhooks/endpoint-banner.tsx";

/** What is told on every page until it is dealt with. */
export function Banners() {
  return <EndpointBanner />;
}
